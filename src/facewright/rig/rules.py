"""Rules of the modeller: limits on the motion of the face that solvers respect (Lewis 2005, sec. 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Ints, indices
from facewright.errors import BadValue


@dataclass(frozen=True, eq=False)
class OnlyMovedBy:
    """Some vertices may be moved by these sliders only."""

    name: str
    vertices: Ints  # (k,)
    sliders: tuple[str, ...]
    tolerance: float = 1e-4  # of the rig's size: smaller motion does not count

    def __post_init__(self) -> None:
        _freeze(self)
        object.__setattr__(self, "sliders", tuple(self.sliders))
        if not (np.isfinite(self.tolerance) and self.tolerance >= 0):
            raise BadValue(f"rule {self.name!r}: the tolerance is a share of the rig's size, not {self.tolerance}")


@dataclass(frozen=True, eq=False)
class StaysWithin:
    """Some vertices stay within a distance of their rest positions."""

    name: str
    vertices: Ints  # (k,)
    distance: float  # scene units

    def __post_init__(self) -> None:
        _freeze(self)
        if not (np.isfinite(self.distance) and self.distance >= 0):
            raise BadValue(f"rule {self.name!r}: the distance is a length from 0 up, not {self.distance}")


Rule = OnlyMovedBy | StaysWithin


def _freeze(rule: Rule) -> None:
    vertices = indices(f"vertices of rule {rule.name!r}", rule.vertices, (None,), below=2**31)
    object.__setattr__(rule, "vertices", vertices)
