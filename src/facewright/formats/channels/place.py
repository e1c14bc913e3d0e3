"""Where a mesh of a file is in the rig's space: one matrix for all of its points, or one for each, of a skin."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints


def placed_points(points: Floats, place: Floats) -> Floats:
    """Points (p, 3) placed by matrices (4, 4) or (p, 4, 4)."""
    if is_identity(place):
        return points
    return turned_vectors(points, np.arange(len(points)), place) + place[..., :3, 3]


def turned_vectors(vectors: Floats, rows: Ints, place: Floats) -> Floats:
    """Vectors (k, 3) of some points, without the translation."""
    if is_identity(place):
        return vectors
    if place.ndim == 2:
        return np.asarray(vectors @ place[:3, :3].T)
    return np.asarray(np.einsum("kij,kj->ki", place[rows, :3, :3], vectors))


def is_mirrored(place: Floats) -> bool:
    """Whether polygons are seen from the other side once they are placed."""
    return bool(np.median(np.linalg.det(np.nan_to_num(place[..., :3, :3]))) < 0)


def is_identity(place: Floats) -> bool:
    return place.ndim == 2 and np.array_equal(place, np.eye(4))
