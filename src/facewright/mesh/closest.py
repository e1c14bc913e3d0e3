"""Closest points on a surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints, floats, indices
from facewright.errors import BadValue

_JUST = 1e-9
_CHUNK = 4096  # points at a time


@dataclass(frozen=True, eq=False)
class ClosestPoints:
    """Points on a surface."""

    triangles: Ints  # (k,) which triangle
    barycentric: Floats  # (k, 3) from 0 to 1, summing to 1
    points: Floats  # (k, 3)
    distances: Floats  # (k,) from the points that were given


class Surface:
    """Triangles prepared for closest points.

    The nearest vertex of any triangle gives an upper limit; a triangle can only be nearer if its centre is within that
    limit
    plus its own radius. Triangles are grouped by radius, so that a few large ones do not make all of them candidates.
    """

    def __init__(self, positions: ArrayLike, triangles: ArrayLike) -> None:
        self.positions = floats("positions", positions, (None, 3))
        self.triangles = indices("triangles", triangles, (None, 3), below=len(self.positions))
        if not len(self.triangles):
            raise BadValue("a surface needs at least one triangle")
        corners = self.positions[self.triangles]
        middles = corners.mean(axis=1)
        radii = np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1)
        self._vertices = cKDTree(self.positions[np.unique(self.triangles)])
        least = max(float(np.median(radii)), np.finfo(float).tiny)
        classes = np.ceil(np.log2(np.maximum(radii / least, 1.0))).astype(np.int64)
        self._groups = []
        for number in np.unique(classes):
            chosen = np.flatnonzero(classes == number)
            self._groups.append((chosen, cKDTree(middles[chosen]), float(radii[chosen].max())))

    def closest(self, points: ArrayLike) -> ClosestPoints:
        """The closest points to points (k, 3); of several, the one on the triangle with the lowest number."""
        wanted = floats("points", points, (None, 3))
        found = [self._some(wanted[at : at + _CHUNK]) for at in range(0, max(len(wanted), 1), _CHUNK)]
        names = ("triangles", "barycentric", "points", "distances")
        return ClosestPoints(*(np.concatenate([getattr(part, name) for part in found]) for name in names))

    def _some(self, points: Floats) -> ClosestPoints:
        limit = np.asarray(self._vertices.query(points)[0]) * (1 + _JUST)
        pairs = [_pairs(points, limit, *group) for group in self._groups]
        point, triangle = (np.concatenate(column) for column in zip(*pairs, strict=True))
        barycentric = nearest_in_triangle(points[point], self.positions[self.triangles[triangle]])
        places = np.einsum("kc,kca->ka", barycentric, self.positions[self.triangles[triangle]])
        distances = np.linalg.norm(places - points[point], axis=1)
        order = np.lexsort((triangle, distances, point))
        best = order[np.unique(point[order], return_index=True)[1]]
        return ClosestPoints(triangle[best], barycentric[best], places[best], distances[best])


def _pairs(points: Floats, limit: Floats, chosen: Ints, tree: cKDTree, radius: float) -> tuple[Ints, Ints]:
    """Points, and triangles of one group that may contain their closest points."""
    near = tree.query_ball_point(points, limit + radius * (1 + _JUST))
    counts = np.array([len(some) for some in near], np.int64)
    flat = np.concatenate([np.asarray(some, np.int64) for some in near]) if counts.sum() else np.zeros(0, np.int64)
    return np.repeat(np.arange(len(points)), counts), chosen[flat]


def nearest_in_triangle(points: Floats, corners: Floats) -> Floats:
    """Barycentric coordinates (k, 3) of the points in triangles (k, 3, 3) nearest to points (k, 3)."""
    inside = _within_plane(points, corners)
    on_edges = np.stack([_on_edge(points, corners, i) for i in range(3)], axis=1)  # (k, 3, 3)
    places = np.einsum("kec,kca->kea", on_edges, corners)
    nearest = np.linalg.norm(places - points[:, None], axis=2).argmin(axis=1)
    edge = on_edges[np.arange(len(points)), nearest]
    return np.where(np.all(inside >= 0, axis=1, keepdims=True), inside, edge)


def _within_plane(points: Floats, corners: Floats) -> Floats:
    """Barycentric coordinates (k, 3) of the projections onto the triangles' planes; below 0 outside
    or without a plane.
    """
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = points - corners[:, 0]
    normal = np.cross(a, b)
    area = (normal**2).sum(axis=1)
    flat = area <= _JUST**2 * (a**2).sum(axis=1) * (b**2).sum(axis=1)
    safe = np.where(flat, 1.0, area)
    v = (np.cross(p, b) * normal).sum(axis=1) / safe
    w = (np.cross(a, p) * normal).sum(axis=1) / safe
    found = np.stack([1 - v - w, v, w], axis=1)
    found[flat] = -1.0
    return found


def _on_edge(points: Floats, corners: Floats, i: int) -> Floats:
    start, stop = corners[:, i], corners[:, (i + 1) % 3]
    along = stop - start
    length = (along**2).sum(axis=1)
    share = np.clip(((points - start) * along).sum(axis=1) / np.where(length > 0, length, 1.0), 0.0, 1.0)
    found = np.zeros((len(points), 3))
    found[:, i], found[:, (i + 1) % 3] = 1 - share, share
    return found
