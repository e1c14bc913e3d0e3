"""The connectivity of polygons: half-edges, edges, neighbours, boundaries, connected pieces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints, frozen
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons


@dataclass(frozen=True, eq=False)
class Topology:
    """The connectivity of polygons over v vertices. Half-edge c runs from corner c to the next of its polygon."""

    polygons: Polygons
    vertex_count: int

    def __post_init__(self) -> None:
        highest = int(self.polygons.corners.max(initial=-1))
        if highest >= self.vertex_count:
            raise BadValue(f"a polygon names vertex {highest}, but there are {self.vertex_count} vertices")

    @cached_property
    def polygon_of_corner(self) -> Ints:  # (c,)
        return frozen(np.repeat(np.arange(len(self.polygons)), self.polygons.counts))

    @cached_property
    def next_corner(self) -> Ints:  # (c,) the next corner of the same polygon
        following = np.arange(len(self.polygons.corners)) + 1
        following[self.polygons.starts[1:] - 1] = self.polygons.starts[:-1]
        return frozen(following)

    @cached_property
    def previous_corner(self) -> Ints:  # (c,) the corner before, of the same polygon
        before = np.empty_like(self.next_corner)
        before[self.next_corner] = np.arange(len(before))
        return frozen(before)

    @cached_property
    def half_edges(self) -> Ints:
        """Vertices (c, 2) from and to."""
        corners = self.polygons.corners
        return frozen(np.stack([corners, corners[self.next_corner]], axis=1))

    @cached_property
    def opposite(self) -> Ints:
        """For each half-edge (c,) the opposite one in the neighbouring polygon, or -1.

        Half-edges of an edge with more than two polygons, or with two that disagree in orientation, have none.
        """
        forth, back = self._keys(self.half_edges), self._keys(self.half_edges[:, ::-1])
        unique, first, counts = np.unique(forth, return_index=True, return_counts=True)
        single = np.zeros(len(forth), bool)
        single[first[counts == 1]] = True
        at = np.minimum(np.searchsorted(unique, back), max(len(unique) - 1, 0))
        twin = first[at]
        return frozen(np.where((forth[twin] == back) & single[twin] & single, twin, -1))

    @cached_property
    def edges(self) -> Ints:
        """Every edge (e, 2) once, its smaller vertex first, in increasing order."""
        keys = np.unique(self._keys(np.sort(self.half_edges, axis=1)))
        width = max(self.vertex_count, 1)
        return frozen(np.stack([keys // width, keys % width], axis=1))

    @cached_property
    def adjacency(self) -> sp.csr_array:
        """A (v, v) matrix with a one for every two vertices that share an edge."""
        i, j = self.edges.T
        ones = np.ones(2 * len(i))
        pairs = (np.concatenate([i, j]), np.concatenate([j, i]))
        return sp.csr_array(sp.coo_array((ones, pairs), shape=(self.vertex_count, self.vertex_count)))

    def neighbours(self, vertex: int) -> Ints:
        """The vertices that share an edge with one, increasing."""
        start, stop = self.adjacency.indptr[vertex : vertex + 2]
        return np.sort(self.adjacency.indices[start:stop]).astype(np.int64)

    @cached_property
    def boundary(self) -> Ints:
        """Half-edges (b, 2), from and to, whose edge belongs to one polygon only."""
        keys = self._keys(np.sort(self.half_edges, axis=1))
        _, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return frozen(self.half_edges[counts[where] == 1])

    @cached_property
    def boundary_loops(self) -> tuple[Ints, ...]:
        """The closed chains of boundary vertices, each along its polygons' direction, the longest first.

        Chains are separated at vertices where two holes touch.
        """
        onward: dict[int, list[int]] = {}
        for start, stop in self.boundary.tolist():
            onward.setdefault(start, []).append(stop)
        loops = []
        while onward:
            loops += _unwind(onward)
        return tuple(sorted(loops, key=len, reverse=True))

    @cached_property
    def pieces(self) -> Ints:
        """For each vertex (v,) the number of its connected piece, numbered from 0 by lowest vertex."""
        return frozen(_components(self.adjacency))

    @cached_property
    def polygon_pieces(self) -> Ints:
        """For each polygon (f,) the number of its piece; polygons are connected by edges, not by single vertices."""
        has = np.flatnonzero(self.opposite >= 0)
        pairs = (self.polygon_of_corner[has], self.polygon_of_corner[self.opposite[has]])
        shape = (len(self.polygons), len(self.polygons))
        return frozen(_components(sp.csr_array(sp.coo_array((np.ones(len(has)), pairs), shape=shape))))

    def _keys(self, pairs: Ints) -> Ints:
        return np.asarray(pairs[:, 0] * max(self.vertex_count, 1) + pairs[:, 1])


def edge_lengths(positions: Floats, edges: Ints) -> Floats:
    """Lengths (e,) of edges (e, 2)."""
    return np.asarray(np.linalg.norm(positions[edges[:, 0]] - positions[edges[:, 1]], axis=1))


def _unwind(onward: dict[int, list[int]]) -> list[Ints]:
    """Take one chain from the boundary, and separate it where it meets itself."""
    loops: list[Ints] = []
    chain: list[int] = []
    at: dict[int, int] = {}  # index of each vertex in the chain
    vertex: int | None = next(iter(onward))
    while vertex is not None:
        if vertex in at:
            loops.append(np.array(chain[at[vertex] :], np.int64))
            for passed in chain[at[vertex] :]:
                del at[passed]
            del chain[len(at) :]
        at[vertex] = len(chain)
        chain.append(vertex)
        ahead = onward.get(vertex, [])
        following = ahead.pop() if ahead else None
        if not ahead:
            onward.pop(vertex, None)
        vertex = following
    return loops


def _components(graph: sp.csr_array) -> Ints:
    """Connected components, numbered in order of first appearance."""
    if graph.shape[0] == 0:
        return np.zeros(0, np.int64)
    _, first, where = np.unique(connected_components(graph, directed=False)[1], return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.asarray(rank[where])
