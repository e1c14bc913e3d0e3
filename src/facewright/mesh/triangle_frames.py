"""Edges and frames of triangles, and the gradients of a deformation (Sumner and Popović 2004)."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.normals import triangle_normals

_THIN = 1e-6  # height over longest edge below which a triangle has no usable frame


def edge_pairs(positions: Floats, triangles: Ints) -> Floats:
    """The two edges (..., t, 2, 3) from each triangle's first vertex: to the third, and to the second."""
    a, b, c = (positions[..., triangles[:, corner], :] for corner in range(3))
    return np.stack([c - a, b - a], axis=-2)


def frames(positions: Floats, triangles: Ints) -> Floats:
    """A frame (t, 3, 3) for each triangle: both edges and the normal, as columns.

    The length of the normal is the root of twice the area, so that uniform scaling of a triangle scales its frame
    uniformly;
    with the area itself, as in Li 2010, it would not.
    """
    normals = triangle_normals(positions, triangles)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    third = np.divide(normals, np.sqrt(lengths), out=np.zeros_like(normals), where=lengths > 0)
    edges = edge_pairs(positions, triangles)
    return np.stack([edges[:, 0], edges[:, 1], third], axis=2)


def gradients(rest: Floats, posed: Floats, triangles: Ints) -> Floats:
    """The linear map (t, 3, 3) that takes each triangle's frame at rest to its frame when posed."""
    there = frames(posed, triangles)
    # posed rest^-1, from rest^T X^T = posed^T
    found = np.linalg.solve(frames(rest, triangles).swapaxes(1, 2), there.swapaxes(1, 2))
    return np.asarray(found.swapaxes(1, 2), np.float64)


def has_frame(positions: Floats, triangles: Ints) -> np.ndarray:
    """Whether each triangle (t,) has a usable frame, that is, enough area."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    longest = np.max([np.linalg.norm(side, axis=1) for side in (b - a, c - b, a - c)], axis=0)
    return np.asarray(np.linalg.norm(triangle_normals(positions, triangles), axis=1) > _THIN * longest**2)
