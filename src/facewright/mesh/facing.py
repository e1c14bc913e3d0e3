"""Closest points on a surface with a similar normal, so that an upper lip does not find the lower
lip that it touches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.closest import nearest_in_triangle
from facewright.mesh.normals import triangle_normals, vertex_normals

_NEAR = 8  # candidates for each point by position; a vertex rarely has more triangles
_ALIKE = 4  # candidates by position and normal
_AWAY = 0.3  # cosine: triangles whose normals differ more count as more distant
_FLAT = 1e-12  # of the largest area: smaller areas count as none
_FINEST = 12  # largest number of parts of a long edge


@dataclass(frozen=True, eq=False)
class FacingPoints:
    """Points on a surface, and its normals there."""

    triangles: Ints  # (k,) which triangle
    barycentric: Floats  # (k, 3) from 0 to 1, summing to 1
    points: Floats  # (k, 3)
    normals: Floats  # (k, 3) unit, smooth over the surface


class FacingSurface:
    """Triangles prepared for closest points by position and normal.

    A point whose normal is opposite counts as if it were `reach` further away. Candidates are the nearest points, and
    the
    nearest by position and normal together, of many spread evenly over the triangles.
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
        """The closest points to points (k, 3) with unit normals (k, 3).

        alike: a length; the distance of a candidate is increased by that times the difference of normals.
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
        """Triangles (k, c) among which the closest is searched."""
        found = (
            self._near.query(points, k=min(_NEAR, len(self._owner)))[1],
            self._alike.query(np.hstack([points, self.reach * normals]), k=min(_ALIKE, len(self._owner)))[1],
        )
        return np.hstack([self._owner[np.asarray(some).reshape(len(points), -1)] for some in found])


def spread(positions: Floats, triangles: Ints) -> tuple[Ints, Floats]:
    """The triangles (n,) and positions (n, 3) of points about as far apart as a typical edge is long."""
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
    """Barycentric coordinates (parts^2, 3) of the centres of a triangle cut into equal small ones."""
    i, j = (one.ravel() for one in np.meshgrid(np.arange(parts), np.arange(parts), indexing="ij"))
    upright, turned = i + j < parts, i + j < parts - 1
    a = np.concatenate([i[upright] + 1 / 3, i[turned] + 2 / 3]) / parts
    b = np.concatenate([j[upright] + 1 / 3, j[turned] + 2 / 3]) / parts
    return np.stack([1 - a - b, a, b], axis=1)
