"""Closest points of a target for the vertices of a surface, with weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.build.registration.skin import Skin
from facewright.mesh.facing import FacingPoints, FacingSurface
from facewright.mesh.normals import vertex_normals
from facewright.mesh.polygons import Polygons
from facewright.mesh.topology import Topology

_TURNED = 0.4  # cosine: surfaces whose normals differ more do not match
_AT = 1e-6  # a barycentric coordinate below this counts as 0
_FAR = 4.0  # times the expected distance: nothing further away is matched
_REACH = 0.1  # of the size: how much nearer a point with another normal must be


@dataclass(frozen=True, eq=False)
class Matches:
    """Points of the target that match some vertices of a surface."""

    vertices: Ints  # (k,)
    points: Floats  # (k, 3)
    normals: Floats  # (k, 3) of the target there
    distances: Floats  # (k,)
    weights: Floats  # (k,) from 0, no match, to 1

    def slid(self, positions: Floats, firm: float) -> Floats:
        """Targets for vertices at positions (k, 3): on the target's tangent planes, and a share `firm` towards the
        points.
        """
        off = ((positions - self.points) * self.normals).sum(axis=1, keepdims=True)
        return np.asarray((positions - off * self.normals + firm * self.points) / (1 + firm))


class MatchingSurface:
    """A target surface; its size is about 1."""

    def __init__(self, positions: Floats, triangles: Ints) -> None:
        self.surface = FacingSurface(positions, triangles, _REACH)
        topology = Topology(Polygons.of(triangles), len(positions))
        width = len(positions)
        rims = np.unique(np.sort(topology.boundary, axis=1) @ [width, 1])
        sides = np.sort(triangles[:, [[1, 2], [2, 0], [0, 1]]], axis=2) @ [width, 1]
        self._rim_sides: NDArray[np.bool_] = np.isin(sides, rims)  # (t, 3) opposite to each corner
        self._rim_corners: NDArray[np.bool_] = np.isin(triangles, topology.boundary)  # (t, 3)

    def match(
        self, positions: Floats, skin: Skin, expected: float, *, every: int = 1, alike: float = _REACH
    ) -> Matches:
        """Matches of every so many vertices (v, 3). A match at the distance `expected` counts half, one on the border
        nothing.

        Points whose normals agree with the surface's are preferred to nearer ones, by `alike` times the difference,
        since they
        belong to the same slope of the face.
        """
        vertices = np.arange(0, len(positions), every)
        points, normals = positions[vertices], vertex_normals(positions, skin.triangles)[vertices]
        found = self.surface.closest(points, normals, alike=alike)
        distances = np.linalg.norm(points - found.points, axis=1)
        facing = (normals * found.normals).sum(axis=1) > _TURNED
        trusted = facing & ~skin.cut[vertices] & ~self.on_rim(found) & (distances < _FAR * expected)
        weights = trusted / (1 + (distances / expected) ** 2) ** 2  # weights of Geman and McClure
        return Matches(vertices, found.points, found.normals, distances, weights)

    def on_rim(self, found: FacingPoints) -> NDArray[np.bool_]:
        """Points (k,) on the target's border, where the face continues but the target does not."""
        at = found.barycentric <= _AT
        sides, corners = self._rim_sides[found.triangles], self._rim_corners[found.triangles]
        on_side = (at & sides).any(axis=1)
        at_corner = (at.sum(axis=1) == 2) & (~at & corners).any(axis=1)
        return np.asarray(on_side | at_corner)
