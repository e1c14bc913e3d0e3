"""A pin: a point on the surface, and where it should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from facewright.arrays import STRONGEST, Floats, Ints, floats, up_to
from facewright.errors import BadValue
from facewright.rig.rig import Rig
from facewright.terms.term import PointRows, TermContext

HOLD = 1e3  # a hold pin counts that many times a pin of strength 1
_AXES = {"x": 0, "y": 1, "z": 2}
_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False, kw_only=True)
class Pin:
    """Bring one surface point to a place in space, or (`hold`) keep it where it is, or nearly so (`hold="softly"`).

    The point is a vertex, or a triangle of `rig.triangles` with barycentric coordinates. `axes` names the coordinates
    that count, such as "xy"; `plane` is the normal of a view plane in which the pin counts instead.
    """

    vertex: int | None = None
    triangle: int | None = None
    barycentric: Floats | None = None  # (3,) summing to 1
    target: Floats | None = None  # (3,) scene units; a hold pin needs none
    axes: str = "xyz"
    plane: Floats | None = None  # (3,) normal
    strength: float = 1.0
    hold: bool | Literal["softly"] = False

    def __post_init__(self) -> None:
        if (self.vertex is None) == (self.triangle is None):
            raise BadValue("a pin sits on a vertex, or on a triangle with barycentric coordinates: give one of them")
        if (self.triangle is None) != (self.barycentric is None):
            raise BadValue(f"{self}: triangle and barycentric coordinates go together: give both or none")
        if self.hold not in (False, True, "softly"):
            raise BadValue(f"{self}: hold is True, False or 'softly', not {self.hold!r}")
        if self.target is None and not self.hold:
            raise BadValue(f"{self} needs a target, or hold=True to stay where it is")
        if not self.axes or set(self.axes) - set(_AXES):
            raise BadValue(f"{self}: the axes are some of x, y and z, such as 'xy', not {self.axes!r}")
        up_to(f"{self}: the strength", self.strength, STRONGEST)
        for name in ("target", "plane", "barycentric"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, floats(f"{name} of the {self}", getattr(self, name), (3,)))
        if self.plane is not None and not self.plane.any():
            raise BadValue(f"{self}: the plane needs a normal that is not zero")
        if self.barycentric is not None and abs(self.barycentric.sum() - 1) > _SUM_TOLERANCE:
            raise BadValue(f"{self}: barycentric coordinates sum to 1, not {self.barycentric.sum():g}")

    def __str__(self) -> str:
        return f"pin on triangle {self.triangle}" if self.vertex is None else f"pin on vertex {self.vertex}"

    def directions(self) -> Floats:
        """Unit vectors (k, 3) along which the pin counts."""
        chosen = np.eye(3)[sorted(_AXES[axis] for axis in set(self.axes))]
        if self.plane is None:
            return chosen
        return np.linalg.svd(self.plane[None])[2][1:]

    def rows(self, context: TermContext) -> PointRows:
        """The pin as a wish, for a drag of other pins or for every frame of a take."""
        points, directions = points_of(context.rig, [self]), self.directions()
        weights = points.mix[0, :, None] * directions[:, None]  # (q, 3, 3)
        stays = self.hold or self.target is None
        place = points.mix[0] @ context.positions(points.vertices[0]) if stays else np.asarray(self.target)
        vertices = np.repeat(points.vertices, len(directions), axis=0)
        return PointRows(vertices, weights, directions @ place, self.strength**2 * (HOLD if self.hold is True else 1.0))


@dataclass(frozen=True, eq=False)
class Points:
    """Surface points, each by three vertices and their shares."""

    vertices: Ints  # (k, 3)
    mix: Floats  # (k, 3) summing to 1

    def __len__(self) -> int:
        return len(self.vertices)

    def of(self, values: Floats) -> Floats:
        """Values (k, ...) at the points, of values (v, ...) at the vertices."""
        return np.asarray(np.einsum("kc,kc...->k...", self.mix, values[self.vertices]))


def points_of(rig: Rig, pins: Sequence[Pin]) -> Points:
    """The surface points of pins; an index that the rig does not have is an error that names the pin."""
    vertices, mix = np.zeros((len(pins), 3), np.int64), np.zeros((len(pins), 3))
    for i, pin in enumerate(pins):
        if not isinstance(pin, Pin):
            raise BadValue(f"pin {i} is a Pin, such as Pin(vertex=7, target=(0, 1, 2)), not {pin!r}")
        if pin.triangle is None:
            assert pin.vertex is not None
            vertices[i] = _index(f"pin {i}: vertex", pin.vertex, rig.vertex_count)
            mix[i, 0] = 1.0
        else:
            vertices[i] = rig.triangles[_index(f"pin {i}: triangle", pin.triangle, len(rig.triangles))]
            mix[i] = pin.barycentric
    return Points(vertices, mix)


def _index(what: str, index: int, count: int) -> int:
    if not isinstance(index, int | np.integer):
        raise BadValue(f"{what} is a whole number, not {index!r}")
    if not 0 <= index < count:
        raise BadValue(f"{what} {index} does not exist; they go from 0 to {count - 1}")
    return int(index)
