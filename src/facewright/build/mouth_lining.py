"""Soft pieces behind the skin, such as the lining of a mouth: they move smoothly with the template's lining."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.build.counterparts import CounterpartSurface
from facewright.solve.sparse import SparseSolver

_FAR = 0.08  # of the size: linings differ much in depth
_EVEN = 2.0  # weight of smoothness relative to the template
_UNSURE = 1e-3  # weight of a vertex without a counterpart
_NEIGHBOURS = 8  # nearest skin vertices, used where the template has no lining
_KNOWN = 0.2  # share of the vertices: with fewer counterparts the template has no lining


class MouthLining:
    """One piece, given by its vertices (k, 3) and its own triangles (t, 3)."""

    def __init__(self, places: Floats, triangles: Ints, ground: CounterpartSurface, size: float) -> None:
        found = ground.of_vertices(places, triangles, far=_FAR)
        count = len(ground.positions)
        self._rows = found.rows(ground.triangles, count) if found.found.mean() > _KNOWN else None
        self._places, self._size = places, size
        sure = found.found if self._rows is not None else np.ones(len(places), bool)
        self._weights = np.where(sure, 1.0, _UNSURE)
        edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0).T
        pairs = (np.concatenate([edges[0], edges[1]]), np.concatenate([edges[1], edges[0]]))
        beside = sp.csr_array((np.ones(2 * edges.shape[1]), pairs), shape=(len(places), len(places)))
        even = sp.diags_array(beside.sum(axis=1)) - beside
        self._solver = SparseSolver(sp.diags_array(self._weights) + _EVEN * even)

    def moved(self, template: Floats, skin: Floats, offsets: Floats) -> Floats:
        """Offsets (k, 3), for the template's offsets (u, 3), and positions (n, 3) and offsets (n, 3) of the skin around
        it.
        """
        if self._rows is not None:
            wanted = self._rows @ template
        else:
            far, near = (np.asarray(one) for one in cKDTree(skin).query(self._places, k=_NEIGHBOURS))
            share = 1 / (far + 1e-6 * self._size)
            wanted = np.einsum("kn,kna->ka", share / share.sum(axis=1, keepdims=True), offsets[near])
        return self._solver.solve(self._weights[:, None] * wanted)
