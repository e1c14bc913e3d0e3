"""From points and corners to render vertices: one for each point and texture coordinate, in the points' order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.polygons import Polygons


@dataclass(frozen=True, eq=False)
class Rendered:
    """Render vertices and triangles of a mesh."""

    point: Ints  # (r,) point of each render vertex, in rising order
    uvs: Floats | None  # (r, 2) v up
    triangles: Ints  # (t, 3) of render vertices
    has_ngons: bool  # whether consecutive triangles with the same first vertex are one polygon


def unweld(points: int, polygons: Polygons, uvs: Floats | None) -> Rendered:
    """Render vertices for polygons over points, with coordinates (c, 2) at the corners, NaN where there are none."""
    ngons = bool(len(polygons)) and int(polygons.counts.max()) > 3
    coordinates, choice = (None, np.zeros(len(polygons.corners), np.int64)) if uvs is None else _distinct(uvs)
    choices = 1 if coordinates is None else len(coordinates)
    # One number for point and coordinate. The lowest bit marks the copy of a vertex that starts every other polygon.
    keys = (polygons.corners * choices + choice) * 2
    fan = keys[polygons.triangle_corners]  # (t, 3)
    if ngons:
        fan[:, 0] += _alternating(polygons, keys)[polygons.polygon_of_triangle]
    loose = np.setdiff1d(np.arange(points), polygons.corners) * choices * 2
    vertices, number = np.unique(np.concatenate([fan.ravel(), loose]), return_inverse=True)
    return Rendered(
        vertices // (2 * choices),
        None if coordinates is None else coordinates[vertices // 2 % choices],
        number[: fan.size].reshape(-1, 3),
        ngons,
    )


def _distinct(uvs: Floats) -> tuple[Floats, Ints]:
    """Different coordinates in single precision, and which of them each corner has."""
    stored = np.nan_to_num(uvs).astype(np.float32) + np.float32(0)  # -0 becomes 0
    found, choice = np.unique(np.ascontiguousarray(stored).view(np.uint64)[:, 0], return_inverse=True)
    if len(found) == 0:
        return np.zeros((1, 2)), choice
    return found.view(np.float32).reshape(-1, 2).astype(np.float64), choice


def _alternating(polygons: Polygons, keys: Ints) -> Ints:
    """0 or 1 for each polygon, so that no two in a row begin with the same vertex: they would be read as one."""
    first = keys[polygons.starts[:-1]]
    new = np.ones(len(first), bool)
    new[1:] = first[1:] != first[:-1]
    run = np.maximum.accumulate(np.where(new, np.arange(len(first)), 0))
    return (np.arange(len(first)) - run) % 2
