"""The skin of a mesh: its large pieces, or the visible part of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints
from facewright.mesh.exposure import exposed
from facewright.mesh.normals import triangle_normals, vertex_normals
from facewright.mesh.topology import edge_lengths
from facewright.mesh.triangle_frames import has_frame

_LARGE = 0.05  # of the largest piece's area: smaller pieces are eyes, teeth, lashes
_ISLAND = 0.02  # of the visible area: smaller visible islands count as hidden
_LEAST = 1e-3  # of the mean area at a vertex: a lower bound, for vertices with thin triangles only


@dataclass(frozen=True, eq=False)
class Skin:
    """Some vertices of a mesh and the triangles between them."""

    vertices: Ints  # (k,) of the mesh, increasing
    triangles: Ints  # (t, 3) rows of `vertices`
    # (k,) where the mesh continues beyond the skin, so that normals from the skin alone are not reliable
    cut: NDArray[np.bool_]

    def graph(self, positions: Floats) -> sp.csr_array:
        """Lengths of the edges (k, k), for positions (k, 3)."""
        edges = np.unique(np.sort(self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
        lengths = np.maximum(edge_lengths(positions, edges), np.finfo(float).tiny)
        ends = np.concatenate([edges, edges[:, ::-1]]).T
        shape = (len(self.vertices), len(self.vertices))
        return sp.csr_array((np.tile(lengths, 2), (ends[0], ends[1])), shape=shape)

    def some(self, kept: NDArray[np.bool_]) -> Skin:
        """The kept vertices (k,) and the triangles between them."""
        row = np.cumsum(kept) - 1
        inside = kept[self.triangles].all(axis=1)
        return Skin(self.vertices[kept], np.asarray(row[self.triangles[inside]]), self.cut[kept])

    def areas(self, positions: Floats) -> Floats:
        """Area (k,) at each vertex."""
        thirds = np.linalg.norm(triangle_normals(positions, self.triangles), axis=1) / 6
        found = np.bincount(self.triangles.ravel(), np.repeat(thirds, 3), minlength=len(self.vertices))
        return np.asarray(np.maximum(found, _LEAST * found.mean()))


def visible_skin(positions: Floats, triangles: Ints) -> Skin:
    """The skin of a mesh that is visible from outside."""
    usable = triangles[has_frame(positions, triangles)]
    seen = exposed(positions, usable)
    outer = _large_pieces(positions, usable, _LARGE)
    shown = outer[seen[outer].all(axis=1)]
    return _skin(_large_pieces(positions, shown if len(shown) else outer, _ISLAND), outer)


def whole_skin(positions: Floats, triangles: Ints) -> Skin:
    """The large pieces of a mesh, visible or not."""
    large = _large_pieces(positions, triangles[has_frame(positions, triangles)], _LARGE)
    return _skin(large, large)


def welded(positions: Floats, triangles: Ints) -> Ints:
    """For each vertex (v,) the first vertex at the same position with a similar normal: copies along seams are one
    vertex.

    Vertices of lips that touch have opposite normals and stay separate.
    """
    _, first, where = np.unique(positions, axis=0, return_index=True, return_inverse=True)
    twins = first[where.ravel()]
    normals = vertex_normals(positions, triangles)
    alike = (normals * normals[twins]).sum(axis=1) > 0
    return np.where(alike, twins, np.arange(len(positions)))


def pieces_of(triangles: Ints, count: int) -> Ints:
    """The connected piece (count,) of each vertex."""
    ends = triangles[:, [0, 1, 1, 2]].reshape(-1, 2).T
    graph = sp.csr_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(count, count))
    return np.asarray(connected_components(graph, directed=False)[1], np.int64)


def _large_pieces(positions: Floats, triangles: Ints, share: float) -> Ints:
    """Triangles of the pieces whose area is at least this share of the largest piece's."""
    if not len(triangles):
        return triangles
    piece = pieces_of(triangles, len(positions))[triangles[:, 0]]
    areas = np.bincount(piece, np.linalg.norm(triangle_normals(positions, triangles), axis=1))
    large: NDArray[np.bool_] = areas >= share * areas.max()
    return np.asarray(triangles[large[piece]])


def _skin(triangles: Ints, of: Ints) -> Skin:
    """The skin that consists of some triangles (t, 3) of a mesh."""
    vertices, local = np.unique(triangles, return_inverse=True)
    count = int(of.max(initial=-1)) + 1
    some, all = (np.bincount(rows.ravel(), minlength=count)[vertices] for rows in (triangles, of))
    return Skin(vertices, np.asarray(local.reshape(-1, 3), np.int64), np.asarray(some < all))
