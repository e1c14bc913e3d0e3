"""Vertex positions from edges of triangles by least squares; vertices that a shape does not move are fixed."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints
from facewright.build.shape_prior import ShapePrior
from facewright.mesh.normals import triangle_normals
from facewright.mesh.triangle_frames import edge_pairs
from facewright.solve.sparse import SparseSolver

_THIN = 1e-4  # of the squared edges: keeps the metric of thin triangles finite
CLOSED = 1e3  # weight of a contact relative to the surface around it
SOFTLY_CLOSED = 20.0  # the same where gaps may change a little so that the surface stays smooth


class EdgeSystem:
    """The normal equations of all triangles of a face: squared edge errors as an integral of squared gradients."""

    def __init__(self, positions: Floats, triangles: Ints) -> None:
        rows, v = np.arange(2 * len(triangles)).reshape(-1, 2), len(positions)
        ends, starts = triangles[:, [2, 1]], triangles[:, [0, 0]]
        ones = np.ones(rows.size)
        at = np.concatenate([rows.ravel(), rows.ravel()]), np.concatenate([ends.ravel(), starts.ravel()])
        edges = sp.csr_array((np.concatenate([ones, -ones]), at), shape=(rows.size, v))
        blocks = sp.bsr_array(
            (_metrics(positions, triangles), np.arange(len(triangles)), np.arange(len(triangles) + 1)),
            shape=(rows.size, rows.size),
        )
        self.pull = sp.csr_array(edges.T @ blocks)  # (v, 2t) from wanted edges to the right-hand side
        self.stiffness = sp.csr_array(self.pull @ edges)  # (v, v)
        # (v,) a third of the area of all triangles about each vertex
        thirds = np.repeat(_areas(positions, triangles) / 3, 3)
        self.areas = np.asarray(np.bincount(triangles.ravel(), thirds, v), np.float64)
        # (v,) connected piece of each vertex
        self.pieces: Ints = connected_components(self.stiffness, directed=False)[1].astype(np.int64)


class ShapeSurface:
    """Solves for the vertices of one shape from the edges of its triangles; factorised once."""

    def __init__(
        self, system: EdgeSystem, prior: ShapePrior, difference: sp.csr_array | None = None, *, closed: float = CLOSED
    ) -> None:
        free = self.moved = prior.moved
        columns = (2 * prior.triangles[:, None] + np.arange(2)).ravel()
        stiffness = system.stiffness[free][:, free]
        self._pull = system.pull[free][:, columns]  # (k, 2t)
        self._close: sp.csr_array | None = None
        if difference is not None and difference.shape[0] and len(free):
            near = difference[:, free]  # vertices that the shape does not move stay fixed
            strength = closed * float(stiffness.diagonal().mean())
            stiffness = stiffness + strength * (near.T @ near)
            self._close = sp.csr_array(strength * near.T)  # (k, c)
        self.loose = _loose_pieces(system.pieces, free)  # connected pieces without a fixed vertex
        self._members = [np.flatnonzero(system.pieces[free] == piece) for piece in self.loose]
        self._solver = SparseSolver(stiffness, fixed=[rows[0] for rows in self._members])

    def __call__(self, edges: Floats, middles: Floats, gaps: Floats | None = None) -> Floats:
        """Offsets (k, 3) of the moved vertices, for edges (t, 2, 3) or (t, 6), centres (p, 3) of the loose pieces and
        gaps (c, 3).
        """
        right = self._pull @ edges.reshape(-1, 3)
        if self._close is not None and gaps is not None:
            right = right + self._close @ gaps
        offsets = self._solver.solve(right)
        for rows, middle in zip(self._members, middles, strict=True):
            offsets[rows] += middle - offsets[rows].mean(axis=0)
        return offsets

    def from_edges(self, edges: Floats) -> Floats:
        """Numbers (k, n) at the moved vertices from their differences (2 t, n) along the edges.

        The first vertex of a loose piece stays at 0; the two sides of a contact stay equal.
        """
        return self._solver.solve(self._pull @ edges)


def _loose_pieces(pieces: Ints, moved: Ints) -> Ints:
    """Connected pieces of which a shape moves every vertex."""
    count = int(pieces.max(initial=-1)) + 1
    all_of, some_of = np.bincount(pieces, minlength=count), np.bincount(pieces[moved], minlength=count)
    return np.flatnonzero((all_of == some_of) & (some_of > 0))


def _areas(positions: Floats, triangles: Ints) -> Floats:
    return np.asarray(np.linalg.norm(triangle_normals(positions, triangles), axis=1) / 2)


def _metrics(positions: Floats, triangles: Ints) -> Floats:
    """Metrics (t, 2, 2) that make sums of squared edge changes an integral of squared gradients."""
    edges = edge_pairs(positions, triangles)
    gram = edges @ edges.swapaxes(1, 2)
    trace = np.trace(gram, axis1=1, axis2=2)
    gram += _THIN * np.where(trace > 0, trace, 1.0)[:, None, None] * np.eye(2)
    area = np.sqrt(np.linalg.det(gram)) / 2
    return np.asarray(area[:, None, None] * np.linalg.inv(gram))
