"""From points and corners to render vertices: one for each point and texture coordinate, in the points' order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.polygons import Polygons


@dataclass(frozen=True, eq=False)
class Rendered:
    """What a primitive draws."""

    point: Ints  # (r,) point of each render vertex, in rising order
    uvs: Floats | None  # (r, 2) v up
    triangles: Ints  # (t, 3) of render vertices
    has_ngons: bool  # whether consecutive triangles with the same first vertex are one polygon


def unweld(points: int, polygons: Polygons, uvs: Floats | None) -> Rendered:
    """Render vertices for polygons over points, with coordinates (c, 2) at the corners, NaN where there are none."""
    ngons = bool(len(polygons)) and int(polygons.counts.max()) > 3
    coordinates, choice = (None, np.zeros(len(polygons.corners), np.int64)) if uvs is None else _distinct(uvs)
    # The last column tells a vertex from its copy that begins every other of the polygons about it.
    keys = np.column_stack([polygons.corners, choice, np.zeros_like(choice)])
    fan = keys[polygons.triangle_corners]  # (t, 3, 3)
    if ngons:
        fan[:, 0, 2] = _alternating(polygons, keys)[polygons.polygon_of_triangle]
    unused = np.setdiff1d(np.arange(points), polygons.corners)
    loose = np.column_stack([unused, np.zeros_like(unused), np.zeros_like(unused)])
    vertices, number = np.unique(np.concatenate([fan.reshape(-1, 3), loose]), axis=0, return_inverse=True)
    triangles = number.reshape(-1)[: fan.shape[0] * 3].reshape(-1, 3)
    return Rendered(vertices[:, 0], None if coordinates is None else coordinates[vertices[:, 1]], triangles, ngons)


def _distinct(uvs: Floats) -> tuple[Floats, Ints]:
    """Different coordinates in single precision, and which of them each corner has."""
    stored = np.nan_to_num(uvs).astype(np.float32).astype(np.float64)
    coordinates, choice = np.unique(stored, axis=0, return_inverse=True)
    if len(coordinates) == 0:
        return np.zeros((1, 2)), np.zeros(0, np.int64)
    return coordinates, choice.reshape(-1)


def _alternating(polygons: Polygons, keys: Ints) -> Ints:
    """0 or 1 for each polygon, so that no two in a row begin with the same vertex: they would be read as one."""
    first = keys[polygons.starts[:-1]]
    new = np.ones(len(first), bool)
    new[1:] = (first[1:] != first[:-1]).any(axis=1)
    run = np.maximum.accumulate(np.where(new, np.arange(len(first)), 0))
    return (np.arange(len(first)) - run) % 2
