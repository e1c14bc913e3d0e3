"""Which vertices of a surface are visible from outside: skin, but not the inside of a mouth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.mesh.facing import spread
from facewright.mesh.normals import vertex_normals

_VIEWS = 64
_FACING = 0.45  # cosine: from flatter directions a vertex does not count as visible
_ENOUGH = 2  # number of views that must see a vertex


def exposed(positions: Floats, triangles: Ints) -> NDArray[np.bool_]:
    """Vertices (v,) that at least two of 64 distant views see; vertices without triangles are not visible.

    Each view keeps the nearest depth in cells as wide as an edge, so that narrower slits are closed.
    """
    seen = np.zeros(len(positions), np.int64)
    if not len(triangles):
        return seen > 0
    used = np.unique(triangles)
    local = _own_frame(positions, positions[used]) / _typical_edge(positions, triangles)  # in cells
    normals = vertex_normals(local, triangles)
    places = np.concatenate([spread(local, triangles)[1], local[used]])
    for away in _directions(_VIEWS):
        seen += _seen_from(away, local, normals, places)
    return seen >= _ENOUGH


def _own_frame(positions: Floats, used: Floats) -> Floats:
    """Positions (v, 3) in the mesh's own axes, independent of its place and rotation."""
    return np.asarray((positions - used.mean(axis=0)) @ own_axes(used).T)


def _seen_from(away: Floats, positions: Floats, normals: Floats, places: Floats) -> NDArray[np.bool_]:
    """Vertices (v,) that are visible from far away in one direction; lengths are in cells."""
    across = np.linalg.svd(away[None])[2][1:]  # (2, 3)
    low = np.floor((places @ across.T).min(axis=0)).astype(np.int64) - 1
    width = int(np.ceil((places @ across.T).max(axis=0)[0])) - low[0] + 2

    def cells(points: Floats) -> Ints:
        """The cells of points."""
        at = np.floor(points @ across.T).astype(np.int64) - low
        return np.asarray(at[:, 1] * width + at[:, 0])

    order = cells(places)
    nearest = np.full(order.max() + 1, -np.inf)
    np.maximum.at(nearest, order, places @ away)
    facing = np.flatnonzero(normals @ away > _FACING)
    slope = 1 / (normals[facing] @ away)  # a slanted surface does not hide itself
    found = np.zeros(len(positions), bool)
    at = cells(positions[facing])
    inside = (at >= 0) & (at < len(nearest))  # vertices without triangles may lie outside of all cells
    facing, at, slope = facing[inside], at[inside], slope[inside]
    found[facing] = positions[facing] @ away > nearest[at] - 1.5 * slope
    return found


def _directions(count: int) -> Floats:
    """Unit vectors (n, 3) spread evenly over all directions: a spiral of equal areas."""
    height = 1 - (2 * np.arange(count) + 1) / count
    turn = np.pi * (1 + np.sqrt(5)) * np.arange(count)
    radius = np.sqrt(1 - height**2)
    return np.stack([radius * np.cos(turn), height, radius * np.sin(turn)], axis=1)


def own_axes(points: Floats) -> Floats:
    """Axes (3, 3), as rows, that rotate with the points (k, 3): towards those furthest out, the first of equals."""
    away = points - points.mean(axis=0)
    one = away[_first_furthest(np.linalg.norm(away, axis=1))]
    across = away - np.outer(away @ one, one) / ((one @ one) or 1.0)
    other = across[_first_furthest(np.linalg.norm(across, axis=1))]
    axes = np.stack([one, other, np.cross(one, other)])
    lengths = np.linalg.norm(axes, axis=1, keepdims=True)
    return axes / lengths if (lengths > 0).all() else np.eye(3)


def _first_furthest(lengths: Floats) -> int:
    return int(np.flatnonzero(lengths >= (1 - 1e-6) * lengths.max())[0])


def _typical_edge(positions: Floats, triangles: Ints) -> float:
    corners = positions[triangles]
    return float(np.median(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)))
