"""Region weights that change smoothly across borders, so that regions in different poses join without a crack or a
step.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

from facewright.arrays import Floats, Ints
from facewright.mesh.topology import Topology, edge_lengths
from facewright.rig.rig import Rig

_WIDEST = 0.05  # of the rig's size: the largest reach of a region into its neighbours
_RING = 0.4  # of the reach: the longest step along an edge, so that a region fades over at least two rings


def soft_weights(rig: Rig, labels: Ints, topology: Topology | None = None) -> sp.csr_array:
    """Weights (r, v) of regions that reach into their neighbours, summing to 1, from the region (v,) of each vertex.

    A region counts (1 - u)^2, where u goes from 0 at its own vertices to 1 at its reach inside a neighbour; then all
    counts
    of a vertex are scaled to sum to 1. The reach is the depth of the neighbour, at most a share of the face and at
    least
    two rings, so that every region has vertices of its own.
    """
    graph = _ways(rig, topology or Topology(rig.polygons, rig.vertex_count), labels)
    rows = [_reach(graph, labels == region) for region in range(int(labels.max(initial=0)) + 1)]
    counts = sp.csr_array(sp.vstack(rows))
    return sp.csr_array(counts * (1 / np.asarray(counts.sum(axis=0))))


def _ways(rig: Rig, topology: Topology, labels: Ints) -> sp.csr_array:
    """The length (v, v) of each edge as a share of the reach into the region that it leads to."""
    i, j = topology.edges.T
    lengths = edge_lengths(rig.neutral, topology.edges)
    depth = _depths(topology, lengths, labels)
    reach = np.minimum(depth, _WIDEST * rig.size)
    a, b, length = np.concatenate([i, j]), np.concatenate([j, i]), np.tile(lengths, 2)
    way = length / np.where(reach[labels[b]] > 0, reach[labels[b]], np.inf)
    # A length of zero would be no edge at all.
    way = np.clip(way, 1e-9, _RING)
    return sp.csr_array(sp.coo_array((way, (a, b)), shape=(rig.vertex_count, rig.vertex_count)))


def _depths(topology: Topology, lengths: Floats, labels: Ints) -> Floats:
    """Distance (r,) of the innermost vertex of each region from the others, along edges; infinite without a border."""
    i, j = topology.edges.T
    outside = labels[i] != labels[j]
    start = np.full(topology.vertex_count, np.inf)  # length of the shortest edge that leaves the region
    np.minimum.at(start, i[outside], lengths[outside])
    np.minimum.at(start, j[outside], lengths[outside])
    border = np.flatnonzero(np.isfinite(start))
    count = topology.vertex_count
    # An additional vertex stands for all outside; no path crosses a border.
    rows = np.concatenate([i[~outside], j[~outside], np.full(len(border), count)])
    columns = np.concatenate([j[~outside], i[~outside], border])
    values = np.concatenate([np.tile(lengths[~outside], 2), start[border]])
    graph = sp.csr_array(sp.coo_array((np.maximum(values, 1e-300), (rows, columns)), shape=(count + 1, count + 1)))
    away = dijkstra(graph, indices=[count])[0, :count]
    depths = np.zeros(int(labels.max(initial=0)) + 1)
    connected = np.isfinite(away)
    np.maximum.at(depths, labels[connected], away[connected])
    return np.where(depths > 0, depths, np.inf)


def _reach(graph: sp.csr_array, own: np.ndarray) -> sp.csr_array:
    """The counts (1, v) of a region."""
    away = dijkstra(graph, indices=np.flatnonzero(own), min_only=True, limit=1.0)
    near = np.flatnonzero(away < 1)
    return sp.csr_array(((1 - away[near]) ** 2, near, [0, len(near)]), shape=(1, len(own)))
