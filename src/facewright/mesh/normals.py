"""Normals of triangles and vertices."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints


def triangle_normals(positions: Floats, triangles: Ints) -> Floats:
    """Normals (t, 3), each as long as twice its triangle's area."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    return cross(b - a, c - a)


def cross(one: Floats, other: Floats) -> Floats:
    """Cross products (..., 3); for few vectors much faster than `numpy.cross`."""
    found = np.empty(np.broadcast_shapes(one.shape, other.shape))
    for axis, (a, b) in enumerate(((1, 2), (2, 0), (0, 1))):
        found[..., axis] = one[..., a] * other[..., b] - one[..., b] * other[..., a]
    return found


def vertex_normals(positions: Floats, triangles: Ints) -> Floats:
    """Unit normals (v, 3), the area-weighted mean of the triangles at each vertex; zero where there is no area."""
    areas = np.repeat(triangle_normals(positions, triangles), 3, axis=0)  # one for each corner
    at = triangles.ravel()
    sums = np.stack([np.bincount(at, areas[:, axis], minlength=len(positions)) for axis in range(3)], axis=1)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(np.divide(sums, lengths, out=np.zeros(sums.shape), where=lengths > 0))
