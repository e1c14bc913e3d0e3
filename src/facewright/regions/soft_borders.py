"""Region weights that change smoothly across borders, so that regions in different poses join without a crack or a
step.

Labels belong to vertices, so a border between them runs in steps along the edges of the mesh. The border that weights
go by runs smoothly between the vertices instead: where the labels, averaged over some rings, are in balance.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

from facewright.arrays import Floats, Ints
from facewright.mesh.topology import Topology, edge_lengths
from facewright.regions.cleanup import averaging
from facewright.rig.rig import Rig

_WIDEST = 0.05  # of the rig's size: the largest reach of a region into its neighbours
_DEEPEST = 0.75  # of a neighbour's depth: the largest reach, so that its inner part is its own
_RING = 0.5  # of the reach: the longest step along an edge, so that a region fades over about two rings
_AVERAGED = 4  # times: steps of a border that are shorter than some three rings are smoothed
_NEAREST = 0.02  # of an edge: a border comes no nearer to a vertex, which stays in its region


def soft_weights(rig: Rig, labels: Ints, topology: Topology | None = None) -> sp.csr_array:
    """Weights (r, v) of regions that reach into their neighbours, summing to 1, from the region (v,) of each vertex.

    A region counts 1 at its own vertices and (1 - u)^2 beyond, where u goes from 0 at its border to 1 at its reach
    inside a neighbour; then all counts of a vertex are scaled to sum to 1. The reach is most of the depth of the
    neighbour, at most a share of the face and at least two rings.
    """
    topology = topology or Topology(rig.polygons, rig.vertex_count)
    ways = _Ways.of(rig, topology, labels)
    rows = [ways.counts(labels == region) for region in range(int(labels.max(initial=0)) + 1)]
    counts = sp.csr_array(sp.vstack(rows))
    return sp.csr_array(counts * (1 / np.asarray(counts.sum(axis=0))))


class _Ways:
    """Steps between vertices that share a polygon, as shares of the reach into the region that they lead to."""

    def __init__(self, pairs: Ints, reached: Floats, place: Floats, count: int) -> None:
        """Ways `pairs` (w, 2), `reached` (w,) their length over the reach, `place` (w,) where each crosses a border."""
        self._from, self._to = pairs.T  # (w,) each way, both directions
        # A length of zero would be no edge at all.
        steps = np.clip(reached, 1e-9, _RING)
        self._outside = (1 - place) * steps  # (w,) what of a way is beyond the border
        self._graph = sp.csr_array(sp.coo_array((steps, (self._from, self._to)), shape=(count, count)))

    @classmethod
    def of(cls, rig: Rig, topology: Topology, labels: Ints) -> _Ways:
        """Ways along edges and across polygons of more than three corners."""
        once = np.concatenate([topology.edges, _diagonals(topology)])
        pairs = np.concatenate([once, once[:, ::-1]])
        lengths, places = edge_lengths(rig.neutral, pairs), _borders(topology, labels, pairs)
        depths = _DEEPEST * _depths(pairs, lengths, places, labels)
        into = np.minimum(depths, _WIDEST * rig.size)[labels[pairs[:, 1]]]
        return cls(pairs, lengths / np.where(into > 0, into, np.inf), places, rig.vertex_count)

    def counts(self, own: np.ndarray) -> sp.csr_array:
        """The counts (1, v) of a region, whose vertices are given as a mask (v,)."""
        out = np.flatnonzero(own[self._from] & ~own[self._to])
        first = np.full(len(own), np.inf)  # of the reach: from the border to each vertex beside it
        np.minimum.at(first, self._to[out], self._outside[out])
        beside, graph = np.flatnonzero(np.isfinite(first)), self._graph
        # An additional vertex stands for the border.
        parts = (np.concatenate([graph.data, first[beside]]), np.concatenate([graph.indices, beside]))
        starts = np.append(graph.indptr, graph.nnz + len(beside))
        whole = sp.csr_array((*parts, starts), shape=(len(own) + 1, len(own) + 1))
        away = np.where(own, 0.0, dijkstra(whole, indices=[len(own)], limit=1.0)[0, :-1])
        near = np.flatnonzero(away < 1)
        return sp.csr_array(((1 - away[near]) ** 2, near, [0, len(near)]), shape=(1, len(own)))


def _diagonals(topology: Topology) -> Ints:
    """Pairs (d, 2) of corners that lie opposite to each other in a polygon, next but one to each other."""
    onward, corners = topology.next_corner, topology.polygons.corners
    some = topology.polygons.counts[topology.polygon_of_corner] > 3
    pairs = np.sort(np.stack([corners, corners[onward[onward]]], axis=1)[some], axis=1)
    return np.asarray(np.unique(pairs, axis=0))


def _borders(topology: Topology, labels: Ints, pairs: Ints) -> Floats:
    """The place (w,) of the border on each way between two regions, from 0 to 1: where their averages are equal."""
    places, across = np.full(len(pairs), 0.5), np.flatnonzero(labels[pairs[:, 0]] != labels[pairs[:, 1]])
    if not len(across):
        return places
    mean = averaging(topology.adjacency)
    shares = sp.csr_array((np.ones(len(labels)), labels, np.arange(len(labels) + 1)))
    for _ in range(_AVERAGED):
        shares = sp.csr_array(mean @ shares)
    a, b = pairs[across].T
    lead = [np.asarray(shares[at, labels[a]] - shares[at, labels[b]]).ravel() for at in (a, b)]
    lead = [np.maximum(lead[0], 1e-9), np.maximum(-lead[1], 1e-9)]
    places[across] = np.clip(lead[0] / (lead[0] + lead[1]), _NEAREST, 1 - _NEAREST)
    return places


def _depths(pairs: Ints, lengths: Floats, places: Floats, labels: Ints) -> Floats:
    """Distance (r,) of the innermost vertex of each region from its border; infinite without a border."""
    a, b = pairs.T
    outside, count = labels[a] != labels[b], len(labels)
    start = np.full(count, np.inf)  # from each vertex to the nearest border on one of its ways
    np.minimum.at(start, a[outside], (places * lengths)[outside])
    border = np.flatnonzero(np.isfinite(start))
    # An additional vertex stands for the border; no path crosses it.
    rows = np.concatenate([a[~outside], np.full(len(border), count)])
    columns = np.concatenate([b[~outside], border])
    values = np.concatenate([lengths[~outside], start[border]])
    graph = sp.csr_array(sp.coo_array((np.maximum(values, 1e-300), (rows, columns)), shape=(count + 1, count + 1)))
    away = dijkstra(graph, indices=[count])[0, :count]
    depths = np.zeros(int(labels.max(initial=0)) + 1)
    connected = np.isfinite(away)
    np.maximum.at(depths, labels[connected], away[connected])
    return np.where(depths > 0, depths, np.inf)
