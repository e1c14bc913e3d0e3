"""Lashes, brows and other pieces that lie on the skin of a face: each moves with the places where it is rooted."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

from facewright.arrays import Floats, Ints
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.skin import Skin, pieces_of, welded
from facewright.mesh.facing import FacingSurface
from facewright.mesh.topology import edge_lengths
from facewright.rig.edit.parts import merge
from facewright.rig.rig import Rig

# As shares of the face's size:
_ROOT = 0.002  # a piece is nearer to the skin than this at one point, or
_ON_SKIN = 0.015  # nearer than this everywhere; and nearer than this on average


class WithParts(FaceMesh):
    """A target and what belongs to it without being skin; vertices of the two are never copies of each other."""

    def __init__(self, target: FaceMesh, parts: Rig) -> None:
        super().__init__(merge(target.rig, parts), target.what)
        self._target, self._parts = target, parts

    @cached_property
    def twins(self) -> Ints:
        own = welded(self._parts.neutral, self._parts.triangles)
        return np.concatenate([self._target.twins, own + self._target.rig.vertex_count])


class AttachedPieces:
    """Which vertices of a mesh follow which places of its skin.

    far: (v,) how far they are from the skin; infinite where they do not follow it.
    """

    def __init__(self, mesh: FaceMesh, places: Floats, skin: Skin, size: float, first: int) -> None:
        """places: of the mesh's vertices (v, 3). first: vertices before this one follow nothing."""
        self._follow, self.far = _following(mesh, places, skin, size, first)

    def moved(self, offsets: Floats) -> Floats:
        """Offsets (v, 3) with those of the pieces, given those of the skin."""
        follow = np.diff(self._follow.indptr) > 0
        return np.where(follow[:, None], self._follow @ offsets, offsets)


def _following(mesh: FaceMesh, places: Floats, skin: Skin, size: float, first: int) -> tuple[sp.csr_array, Floats]:
    """A matrix (v, v) from the offsets of the skin to those of what is attached to it, and its distances (v,)."""
    count = len(places)
    rows, apart = np.arange(first, count), np.full(count, np.inf)
    if not len(rows):
        return sp.csr_array((count, count)), apart
    surface = FacingSurface(places[skin.vertices], skin.triangles, 0.0)
    found = surface.closest(places[rows], np.zeros((len(rows), 3)))
    far = np.linalg.norm(found.points - places[rows], axis=1)
    piece = pieces_of(mesh.polygons.triangles, count)[mesh.twins][rows]
    sizes = np.maximum(np.bincount(piece), 1)
    nearest = np.full(len(sizes), np.inf)
    np.minimum.at(nearest, piece, far)
    furthest = np.zeros(len(sizes))
    np.maximum.at(furthest, piece, far)
    touches = (nearest < _ROOT * size) | (furthest < _ON_SKIN * size)
    lies = touches & (np.bincount(piece, far) / sizes < _ON_SKIN * size)
    rooted = lies[piece] & (far < nearest[piece] + _ROOT * size)
    root = _roots(mesh, places, np.flatnonzero(rooted) + first)[rows]
    held = lies[piece] & (root >= 0)
    at = root[held] - first
    corners = skin.vertices[skin.triangles[found.triangles[at]]]
    pairs = (np.repeat(rows[held], 3), corners.ravel())
    apart[rows[held]] = far[held]
    return sp.csr_array((found.barycentric[at].ravel(), pairs), shape=(count, count)), apart


def _roots(mesh: FaceMesh, places: Floats, roots: Ints) -> Ints:
    """For each vertex (v,) the nearest of some vertices along the edges of the mesh; -1 where none is reached."""
    count = len(places)
    triangles = mesh.polygons.triangles
    edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    lengths = np.maximum(edge_lengths(places, edges), np.finfo(float).tiny)
    graph = sp.csr_array((lengths, (edges[:, 0], edges[:, 1])), shape=(count, count))
    starts = np.unique(mesh.twins[roots])
    if not len(starts):
        return np.full(count, -1)
    _, _, found = dijkstra(graph, directed=False, indices=starts, min_only=True, return_predecessors=True)
    return np.where(found < 0, -1, found)[mesh.twins]
