"""Points that each stand for a vertex and its mirror image, so that what is found on them is the same on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.mesh.topology import Topology
from facewright.rig.symmetry import Symmetry


@dataclass(frozen=True, eq=False)
class SymmetricPoints:
    """Points, each a vertex with its partner on the other side, or a vertex alone."""

    point: Ints  # (v,) the point of each vertex
    left: Ints  # (p,) a vertex of each point; the one on the face's left if there are two
    right: Ints  # (p,) the other vertex, or the same
    ring: sp.csr_array  # (p, p) number of edges between two points

    @classmethod
    def flat(cls, topology: Topology) -> SymmetricPoints:
        """One point for each vertex."""
        each = np.arange(topology.vertex_count)
        return cls(each, each, each, topology.adjacency)

    @classmethod
    def along(cls, symmetry: Symmetry, heights: Floats, topology: Topology) -> SymmetricPoints:
        """One point for each pair of partners; heights: signed distances (v,) from the middle plane."""
        each = np.arange(topology.vertex_count)
        partner = np.where(symmetry.partner >= 0, symmetry.partner, each)
        kept, point = np.unique(np.minimum(each, partner), return_inverse=True)
        other = partner[kept]
        swap = heights[other] > heights[kept]
        left, right = np.where(swap, other, kept), np.where(swap, kept, other)
        i, j = point[topology.edges].T
        i, j = i[i != j], j[i != j]
        shape = (len(kept), len(kept))
        ring = sp.coo_array((np.ones(2 * len(i)), (np.concatenate([i, j]), np.concatenate([j, i]))), shape=shape)
        return cls(point, left, right, sp.csr_array(ring))

    def __len__(self) -> int:
        return len(self.left)

    @property
    def edges(self) -> Ints:
        """Pairs of neighbouring points (e, 2), each once."""
        upper = sp.coo_array(sp.triu(self.ring, k=1))
        return np.stack([upper.row, upper.col], axis=1).astype(np.int64)

    def both(self, rows: Floats, points: Ints) -> Floats:
        """Rows (k, 2 q) of some points (k,), from values (v, q): those of the left vertex, then
        those of the right one.
        """
        return np.hstack([rows[self.left[points]], rows[self.right[points]]])

    def total(self, values: Floats) -> Floats:
        """Sums (p,) of the values (v,) of each point's vertices."""
        return np.asarray(np.bincount(self.point, values, minlength=len(self)), np.float64)

    def highest(self, values: Floats) -> Floats:
        """The largest (p,) of the values (v,) of each point's vertices."""
        return np.maximum(values[self.left], values[self.right])
