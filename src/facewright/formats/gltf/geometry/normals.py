"""Smooth normals of a mesh, and how they and tangents rotate when points move."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.gltf.accessors.rows import Rows
from facewright.mesh.normals import triangle_normals

_UP = np.array([0.0, 0.0, 1.0])  # for a point of no triangle with an area


class SmoothNormals:
    """The smooth normals of a mesh, and those after some of its points have moved."""

    def __init__(self, positions: Floats, triangles: Ints) -> None:
        self._positions, self._triangles = positions, triangles
        self._corners = np.ascontiguousarray(triangles.T)
        self._areas = triangle_normals(positions, triangles)
        self._sums = _summed(self._areas, triangles, len(positions))
        self.unit = _unit(self._sums)  # (p, 3)

    def moved(self, offsets: Rows) -> Rows:
        """The unit normals of the moved points and of all that share a triangle with one."""
        at = np.zeros(len(self._positions), bool)
        at[offsets.rows] = True
        a, b, c = (at[corner] for corner in self._corners)
        touched = np.flatnonzero(a | b | c)
        at[self._triangles[touched]] = True
        around = np.flatnonzero(at)
        local = (np.cumsum(at) - 1)[self._triangles[touched]]
        positions = self._positions.copy()
        positions[offsets.rows] += offsets.values
        turned = triangle_normals(positions, self._triangles[touched]) - self._areas[touched]
        sums = self._sums[around] + _summed(turned, local, len(around))
        return Rows(around, _unit(sums))

    def changes(self, offsets: Rows) -> Rows:
        """By how much the smooth normals change where points are moved by offsets."""
        after = self.moved(offsets)
        return Rows(after.rows, after.values - self.unit[after.rows])


def rotated(vectors: Floats, before: Floats, after: Floats) -> Floats:
    """Vectors (n, 3), each rotated as the surface is from one unit normal (n, 3) to the other.

    By the smallest such rotation, so that hard edges and tangents keep their angles to the surface.
    """
    axis = np.cross(before, after)
    cosine = (before * after).sum(axis=1, keepdims=True)
    along = (axis * vectors).sum(axis=1, keepdims=True)
    # Rodrigues' formula. Where the surface turns over, the axis is not defined, and the vector is kept.
    result = cosine * vectors + np.cross(axis, vectors) + axis * along / np.maximum(1 + cosine, 1e-9)
    return np.where(cosine > -1 + 1e-6, result, vectors)


def _summed(areas: Floats, triangles: Ints, points: int) -> Floats:
    at, each = triangles.ravel(), np.repeat(areas, 3, axis=0)
    return np.stack([np.bincount(at, each[:, axis], minlength=points) for axis in range(3)], axis=1)


def _unit(sums: Floats) -> Floats:
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(lengths > 0, sums / np.where(lengths > 0, lengths, 1), _UP)
