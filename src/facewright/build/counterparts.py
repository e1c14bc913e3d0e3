"""Corresponding points of a fitted template and another mesh, in both directions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.build.registration.matching import MatchingSurface
from facewright.mesh.facing import FacingPoints
from facewright.mesh.normals import triangle_normals, vertex_normals

_TURNED = 0.3  # cosine: surfaces whose normals differ more do not correspond
_FAR = 0.02  # of the size: points further apart do not correspond
_ON_RIM = 0.002  # of the size: at the border of the surface, points further apart than this do not correspond

# Four points inside each triangle that stand for parts of equal area.
_INSIDE = np.array([[1 / 3, 1 / 3, 1 / 3], [2 / 3, 1 / 6, 1 / 6], [1 / 6, 2 / 3, 1 / 6], [1 / 6, 1 / 6, 2 / 3]])


@dataclass(frozen=True, eq=False)
class Counterparts:
    """Points of a surface that correspond to points of another."""

    triangles: Ints  # (k,) triangles of the surface
    barycentric: Floats  # (k, 3)
    found: NDArray[np.bool_]  # (k,) whether there is a corresponding point

    def rows(self, triangles: Ints, count: int) -> sp.csr_array:
        """A matrix (k, v) that interpolates values of vertices (v,) of triangles (t, 3); rows without a counterpart are
        empty.
        """
        at = np.flatnonzero(self.found)
        values, columns = self.barycentric[at], triangles[self.triangles[at]]
        pairs = (np.repeat(at, 3), columns.ravel())
        return sp.csr_array((values.ravel(), pairs), shape=(len(self.found), count))


class CounterpartSurface:
    """A surface on which corresponding points are searched."""

    def __init__(self, positions: Floats, triangles: Ints, size: float) -> None:
        self.positions, self.triangles, self._size = positions, triangles, size
        self._matching = MatchingSurface(positions / size, triangles)

    def of_vertices(self, positions: Floats, triangles: Ints, *, far: float = _FAR) -> Counterparts:
        """The counterparts of the vertices (v, 3) of another surface, no further away than `far` times the size."""
        return self._look(positions, vertex_normals(positions, triangles), far)

    def of_triangles(self, positions: Floats, triangles: Ints) -> tuple[Counterparts, ...]:
        """The counterparts of four points inside each triangle (t, 3) of another surface."""
        areas = triangle_normals(positions, triangles)
        normals = areas / np.maximum(np.linalg.norm(areas, axis=1, keepdims=True), np.finfo(float).tiny)
        corners = positions[triangles]
        return tuple(self._look(np.einsum("c,tca->ta", inside, corners), normals, _FAR) for inside in _INSIDE)

    def _look(self, points: Floats, normals: Floats, far: float) -> Counterparts:
        found: FacingPoints = self._matching.surface.closest(points / self._size, normals)
        apart = np.linalg.norm(found.points - points / self._size, axis=1)
        alike = (found.normals * normals).sum(axis=1) > _TURNED
        inner = ~self._matching.on_rim(found) | (apart < _ON_RIM)
        return Counterparts(found.triangles, found.barycentric, np.asarray((apart < far) & alike & inner))
