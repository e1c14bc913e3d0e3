"""Coordinates chosen to stay still: vertices, each along some axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import STRONGEST, Ints, frozen, indices, up_to
from facewright.errors import BadValue
from facewright.rig.rig import Rig
from facewright.terms.term import PointRows, TermContext

_AXES = "xyz"


@dataclass(frozen=True, eq=False)
class Selection:
    """Chosen coordinates, 3 * vertex + axis."""

    coordinates: Ints  # (k,) increasing

    @classmethod
    def of(cls, vertices: Selection | ArrayLike | Mapping[int, str], axes: str = _AXES) -> Selection:
        """Vertices that all stay along the same axes, or a mapping from vertex to its axes, such as {7: "y"}."""
        if isinstance(vertices, Selection):
            return vertices
        if isinstance(vertices, Mapping):
            whole = indices("selected vertices", list(vertices), (None,), below=2**31)
            pairs = zip(whole.tolist(), vertices.values(), strict=True)
            chosen = [3 * vertex + axis for vertex, which in pairs for axis in _axes(which)]
        else:
            whole = indices("selected vertices", vertices, (None,), below=2**31)
            chosen = (whole[:, None] * 3 + np.array(_axes(axes))).ravel().tolist()
        return cls(frozen(np.unique(np.array(chosen, np.int64))))

    def __or__(self, other: Selection) -> Selection:
        return Selection(frozen(np.union1d(self.coordinates, other.coordinates)))

    def __len__(self) -> int:
        return len(self.coordinates)

    @property
    def vertices(self) -> Ints:
        """The vertices with a chosen coordinate, each once."""
        return np.unique(self.coordinates // 3)

    def check(self, rig: Rig) -> None:
        """Raise an error if a vertex does not exist."""
        indices("selected vertices", self.vertices, (None,), below=rig.vertex_count)


@dataclass(frozen=True, eq=False)
class Hold:
    """Selected coordinates stay where they are at the start; alpha is how much each counts beside a pin."""

    selection: Selection
    alpha: float = 1.0

    def __post_init__(self) -> None:
        up_to("alpha", self.alpha, STRONGEST)

    def rows(self, context: TermContext) -> PointRows:
        """One row for each coordinate."""
        self.selection.check(context.rig)
        vertices, axes = np.divmod(self.selection.coordinates, 3)
        places = context.positions(vertices)[np.arange(len(axes)), axes]
        return PointRows(vertices[:, None], np.eye(3)[axes][:, None], places, self.alpha)


def _axes(axes: str) -> list[int]:
    if not axes or set(axes) - set(_AXES):
        raise BadValue(f"axes are some of x, y and z, such as 'xy', not {axes!r}")
    return sorted(_AXES.index(axis) for axis in set(axes))
