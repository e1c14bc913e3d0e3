"""From the vertices of an object to the library's axes, and back."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue

_UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # Blender's z is up, ours is y
_FLAT = 1e-6  # of the largest stretch


@dataclass(frozen=True, eq=False)
class Space:
    """How an object lies in the world: its rotation, scale and shear. Its place is left out."""

    matrix: Floats  # (3, 3) from the mesh's own coordinates to the rig's
    origin: Floats  # (3,) of the object, in the world

    @classmethod
    def of(cls, thing: Any) -> "Space":
        """The space of an object; one that is flat or mirrored is an error."""
        world = np.array(thing.matrix_world, np.float64)
        matrix = _UPRIGHT @ world[:3, :3]
        stretches = np.linalg.svd(matrix, compute_uv=False)
        if not np.isfinite(matrix).all() or stretches[-1] <= _FLAT * stretches[0]:
            raise BadValue(f"{thing.name} is scaled to nothing along an axis; give it a scale other than 0")
        if np.linalg.det(matrix) < 0:
            raise BadValue(
                f"{thing.name} is mirrored by a negative scale, so that left and right are swapped;"
                " apply the scale first (Ctrl A, Scale)"
            )
        return cls(matrix, world[:3, 3].copy())

    def points(self, own: Floats) -> Floats:
        """Points or offsets (..., 3) of the mesh, in the rig's axes."""
        return np.asarray(own @ self.matrix.T)

    def own(self, points: Floats) -> Floats:
        """Points or offsets (..., 3) of the rig, in the mesh's own coordinates."""
        return np.asarray(points @ np.linalg.inv(self.matrix).T)

    def from_world(self, point: Floats) -> Floats:
        """A point (3,) of the world in the rig's axes."""
        return np.asarray(_UPRIGHT @ (np.asarray(point, np.float64) - self.origin))

    def to_world(self, points: Floats) -> Floats:
        """Points (..., 3) of the rig in the world."""
        return np.asarray(points @ _UPRIGHT + self.origin)

    def is_same(self, other: "Space") -> bool:
        return np.array_equal(self.matrix, other.matrix) and np.array_equal(self.origin, other.origin)


def turned(direction: Floats) -> Floats:
    """A direction (3,) of the world in the rig's axes."""
    return np.asarray(_UPRIGHT @ np.asarray(direction, np.float64))


def z_up(points: Floats) -> Floats:
    """Points (..., 3) of a rig with y up, in Blender's axes."""
    return np.asarray(points @ _UPRIGHT)
