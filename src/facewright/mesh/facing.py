"""The nearest point of a surface that faces the same way: an upper lip never finds the lower one it touches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.closest import nearest_in_triangle
from facewright.mesh.normals import triangle_normals, vertex_normals

_NEAR = 8  # places that are looked at for each point; about a vertex there are rarely more triangles than that
_ALIKE = 4  # of those that also face alike
_AWAY = 0.3  # cosine: triangles that face further away count as more distant
_FLAT = 1e-12  # of the largest area: less is none
_FINEST = 12  # pieces of an edge of a large triangle, at most


@dataclass(frozen=True, eq=False)
class FacingPoints:
    """Points on a surface, and which way it faces there."""

    triangles: Ints  # (k,) which triangle
    barycentric: Floats  # (k, 3) from 0 to 1, summing to 1
    points: Floats  # (k, 3)
    normals: Floats  # (k, 3) unit, smooth over the surface


class FacingSurface:
    """Triangles prepared for nearest points by place and normal.

    A point that faces the other way counts as if it were `reach` further away. Candidates are the nearest places, and
    the nearest by place and normal together, of many spread evenly over the triangles.
    """

    def __init__(self, positions: Floats, triangles: Ints, reach: float) -> None:
        areas = triangle_normals(positions, triangles)
        lengths = np.linalg.norm(areas, axis=1)
        if not lengths.any():
            raise BadValue("a surface needs at least one triangle with an area")
        self.positions, self.triangles, self.reach = positions, triangles, reach
        self.normals = vertex_normals(positions, triangles)  # (v, 3)
        self._faces = _unit(areas)  # (t, 3)
        self._owner, places = spread(positions, triangles)
        self._near = cKDTree(places)
        self._alike = cKDTree(np.hstack([places, reach * self._faces[self._owner]]))

    def closest(self, points: Floats, normals: Floats, *, alike: float = 0.0) -> FacingPoints:
        """The nearest places to points (k, 3) that have unit normals (k, 3).

        alike: a length; places count as further away by that times the difference of normals.
        """
        candidates = self._candidates(points, normals)  # (k, c)
        count = candidates.shape[1]
        corners = self.triangles[candidates].reshape(-1, 3)
        barycentric = nearest_in_triangle(np.repeat(points, count, axis=0), self.positions[corners])
        places = np.einsum("kc,kca->ka", barycentric, self.positions[corners]).reshape(-1, count, 3)
        facing = _unit(np.einsum("kc,kca->ka", barycentric, self.normals[corners])).reshape(-1, count, 3)
        apart = ((places - points[:, None]) ** 2).sum(axis=2)
        apart += alike**2 * ((facing - normals[:, None]) ** 2).sum(axis=2)
        apart += self.reach**2 * (np.einsum("kca,ka->kc", self._faces[candidates], normals) < _AWAY)
        rows, best = np.arange(len(points)), apart.argmin(axis=1)
        weights = barycentric.reshape(-1, count, 3)[rows, best]
        return FacingPoints(candidates[rows, best], weights, places[rows, best], facing[rows, best])

    def _candidates(self, points: Floats, normals: Floats) -> Ints:
        """Triangles (k, c) among which the nearest is looked for."""
        found = (
            self._near.query(points, k=min(_NEAR, len(self._owner)))[1],
            self._alike.query(np.hstack([points, self.reach * normals]), k=min(_ALIKE, len(self._owner)))[1],
        )
        return np.hstack([self._owner[np.asarray(some).reshape(len(points), -1)] for some in found])


def spread(positions: Floats, triangles: Ints) -> tuple[Ints, Floats]:
    """Places (n, 3) about as far apart as a typical edge is long, before them the triangle (n,) of each."""
    areas = np.linalg.norm(triangle_normals(positions, triangles), axis=1)
    kept = np.flatnonzero(areas > _FLAT * areas.max(initial=0.0))
    corners = positions[triangles[kept]]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    parts = np.clip(np.round(longest / np.median(longest)), 1, _FINEST).astype(np.int64)
    owners, places = [], []
    for number in np.unique(parts):
        at = np.flatnonzero(parts == number)
        weights = _middles(int(number))
        owners.append(np.repeat(kept[at], len(weights)))
        places.append(np.einsum("wc,tca->twa", weights, corners[at]).reshape(-1, 3))
    return np.concatenate(owners), np.concatenate(places)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), np.finfo(float).tiny))


def _middles(parts: int) -> Floats:
    """Barycentric coordinates (parts^2, 3) of the middles of a triangle cut into equal small ones."""
    i, j = (one.ravel() for one in np.meshgrid(np.arange(parts), np.arange(parts), indexing="ij"))
    upright, turned = i + j < parts, i + j < parts - 1
    a = np.concatenate([i[upright] + 1 / 3, i[turned] + 2 / 3]) / parts
    b = np.concatenate([j[upright] + 1 / 3, j[turned] + 2 / 3]) / parts
    return np.stack([1 - a - b, a, b], axis=1)
