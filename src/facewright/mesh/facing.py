"""The nearest point of a surface that faces the same way: an upper lip never finds the lower one it touches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.closest import nearest_in_triangle
from facewright.mesh.normals import triangle_normals, vertex_normals

_CANDIDATES = 6  # triangles that are looked at for each point
_FLAT = 1e-12  # of the largest area: less is none
_FINEST = 12  # pieces of an edge of a large triangle, at most


@dataclass(frozen=True, eq=False)
class Facing:
    """Points on a surface, and which way it faces there."""

    triangles: Ints  # (k,) which triangle
    barycentric: Floats  # (k, 3) from 0 to 1, summing to 1
    points: Floats  # (k, 3)
    normals: Floats  # (k, 3) unit, smooth over the surface


class FacingSurface:
    """Triangles prepared for nearest points by place and normal.

    Distances are squared lengths plus `reach` squared times the squared difference of unit normals: a point that faces
    the other way counts as if it were twice `reach` further away. Candidates come from a tree over places spread evenly
    over the triangles, large ones having several.
    """

    def __init__(self, positions: Floats, triangles: Ints, reach: float) -> None:
        areas = triangle_normals(positions, triangles)
        lengths = np.linalg.norm(areas, axis=1)
        if not lengths.any():
            raise BadValue("a surface needs at least one triangle with an area")
        self.positions, self.triangles, self.reach = positions, triangles, reach
        self.normals = vertex_normals(positions, triangles)  # (v, 3)
        self._faces = areas / np.maximum(lengths, np.finfo(float).tiny)[:, None]  # (t, 3) unit
        self._owner, places = spread(positions, triangles)
        self._tree = cKDTree(np.hstack([places, reach * self._faces[self._owner]]))

    def closest(self, points: Floats, normals: Floats) -> Facing:
        """The nearest places to points (k, 3) that have unit normals (k, 3)."""
        count = min(_CANDIDATES, len(self._owner))
        found = self._tree.query(np.hstack([points, self.reach * normals]), k=count)[1]
        candidates = self._owner[np.asarray(found).reshape(len(points), count)]  # (k, c)
        corners = self.positions[self.triangles[candidates]].reshape(-1, 3, 3)
        barycentric = nearest_in_triangle(np.repeat(points, count, axis=0), corners)
        places = np.einsum("kc,kca->ka", barycentric, corners).reshape(-1, count, 3)
        apart = ((places - points[:, None]) ** 2).sum(axis=2)
        apart += self.reach**2 * ((self._faces[candidates] - normals[:, None]) ** 2).sum(axis=2)
        rows, best = np.arange(len(points)), apart.argmin(axis=1)
        triangles = candidates[rows, best]
        weights = barycentric.reshape(-1, count, 3)[rows, best]
        smooth = np.einsum("kc,kca->ka", weights, self.normals[self.triangles[triangles]])
        smooth /= np.maximum(np.linalg.norm(smooth, axis=1, keepdims=True), np.finfo(float).tiny)
        return Facing(triangles, weights, places[rows, best], smooth)


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


def _middles(parts: int) -> Floats:
    """Barycentric coordinates (parts^2, 3) of the middles of a triangle cut into equal small ones."""
    i, j = (one.ravel() for one in np.meshgrid(np.arange(parts), np.arange(parts), indexing="ij"))
    upright, turned = i + j < parts, i + j < parts - 1
    a = np.concatenate([i[upright] + 1 / 3, i[turned] + 2 / 3]) / parts
    b = np.concatenate([j[upright] + 1 / 3, j[turned] + 2 / 3]) / parts
    return np.stack([1 - a - b, a, b], axis=1)
