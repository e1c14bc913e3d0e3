"""A shape: the offsets of some vertices, and the sliders that drive it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats, indices, lengths
from facewright.errors import BadValue
from facewright.options import suggests_options


@dataclass(frozen=True, eq=False)
class Shape:
    """Offsets of some vertices at full value, stored sparsely.

    Plain: one slider of the same name. In-between: one slider; `at` is the value where this target is fully on.
    Combination: two or more sliders, whose product is the shape's value.
    """

    name: str
    vertices: Ints  # (k,) increasing
    offsets: Floats  # (k, 3) scene units
    sliders: tuple[str, ...] = ()  # empty: the slider of the shape's name
    at: float = 1.0

    if TYPE_CHECKING:  # lists are accepted too; they are checked and copied

        def __init__(
            self,
            name: str,
            vertices: ArrayLike,
            offsets: ArrayLike,
            sliders: Sequence[str] = (),
            at: float = 1.0,
        ) -> None: ...

    def __post_init__(self) -> None:
        vertices = indices(f"vertices of shape {self.name!r}", self.vertices, (None,), below=2**31)
        offsets = lengths(f"offsets of shape {self.name!r}", self.offsets, (len(vertices), 3))
        if (vertices[1:] <= vertices[:-1]).any():
            raise BadValue(f"shape {self.name!r}: vertices must increase, without repeats")
        if isinstance(self.sliders, str):
            raise BadValue(f"shape {self.name!r}: sliders are given as a tuple of names, not as {self.sliders!r}")
        sliders = tuple(self.sliders) or (self.name,)
        if len(set(sliders)) != len(sliders):
            raise BadValue(f"shape {self.name!r}: a combination names each slider once, not {', '.join(sliders)}")
        if not np.isfinite(self.at) or self.at == 0:
            raise BadValue(f"shape {self.name!r}: `at` is a slider value other than 0, not {self.at}")
        if len(sliders) > 1 and self.at != 1.0:
            raise BadValue(f"shape {self.name!r}: a combination has no in-between value, but at={self.at} was given")
        for name, value in (("vertices", vertices), ("offsets", offsets), ("sliders", sliders)):
            object.__setattr__(self, name, value)

    @classmethod
    @suggests_options
    def from_dense(cls, name: str, delta: ArrayLike, *, sliders: tuple[str, ...] = (), at: float = 1.0) -> Shape:
        """A shape from offsets of all vertices (v, 3); offsets that are exactly zero are not stored."""
        dense = floats(f"delta of shape {name!r}", delta, (None, 3))
        moved = np.flatnonzero(dense.any(axis=1))
        return cls(name, moved, dense[moved], sliders, at)

    def dense(self, vertices: int) -> Floats:
        """Offsets (v, 3) of all vertices."""
        delta = np.zeros((vertices, 3))
        delta[self.vertices] = self.offsets
        return delta

    def __repr__(self) -> str:
        driven = "" if self.sliders == (self.name,) else f", by {' x '.join(self.sliders)}"
        return (
            f"Shape({self.name!r}, {len(self.vertices)} vertices{driven}{f', at {self.at:g}' if self.at != 1 else ''})"
        )

    @property
    def is_combination(self) -> bool:
        """Whether two or more sliders together drive the shape."""
        return len(self.sliders) > 1
