"""Regions by the rule that Joshi 2003, sec. 2, prints, for comparison with ours.

The deformation of a vertex is the length of the Laplacian of its displacements, the largest over all shapes. What lies
at most at the threshold D[n t] of the sorted values is background, and the connected pieces of the rest are regions.
Then isolated regions are absorbed, borders smoothed, and each region grows by one ring. The paper says neither how
small an absorbed region is nor how a vertex of two regions is shared. Here regions of less than 1 % of the vertices are
absorbed, and where regions overlap the one that a vertex is in counts twice.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.mesh.topology import Topology
from facewright.regions.cleanup import cleaned, in_pieces
from facewright.regions.deformation import deformation_vectors
from facewright.rig.rig import Rig

_SMALLEST = 0.01  # of the vertices


def sorted_threshold(values: Floats, t: float) -> float:
    """D[n t]: the value at place n t of the n sorted values; the last one at t = 1."""
    return float(np.sort(values)[min(int(len(values) * t), len(values) - 1)])


def above_threshold(rig: Rig, t: float) -> NDArray[np.bool_]:
    """Which vertices (v,) deform more than the threshold."""
    values = np.linalg.norm(deformation_vectors(rig, printed=True), axis=1)
    return np.asarray(values > sorted_threshold(values, t))


def threshold_labels(rig: Rig, topology: Topology, t: float) -> Ints:
    """The region (v,) of each vertex by the paper's rule; each is connected."""
    pieces = in_pieces(above_threshold(rig, t).astype(np.int64), topology.adjacency)
    shares = np.full((rig.vertex_count, 1), 1 / max(rig.vertex_count, 1))
    return cleaned(pieces, topology.adjacency, shares, smallest=_SMALLEST)


def one_ring_weights(labels: Ints, topology: Topology) -> sp.csr_array:
    """Weights (r, v), summing to 1, of regions that each reach one ring into their neighbours."""
    count = len(labels)
    own = sp.csr_array((np.ones(count), (labels, np.arange(count))))
    grown = sp.csr_array(own @ topology.adjacency)
    grown.data[:] = 1.0
    both = sp.csr_array(own + (own + grown > 0))
    return sp.csr_array(both * (1 / np.asarray(both.sum(axis=0))))
