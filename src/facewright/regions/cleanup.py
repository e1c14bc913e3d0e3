"""Regions made presentable: no crumbs, no ragged borders, each in one piece."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints
from facewright.solve.rows import largest_in_rows

_STAGES = 4  # the smallest crumbs go first: each stage takes those twice as large
_ROUNDS = 20
_UNDECIDED = 1e-9  # who is undecided stays


def cleaned(labels: Ints, ring: sp.csr_array, sizes: Floats, *, smallest: float) -> Ints:
    """Labels (p,) without crumbs, with smooth borders, each connected; sizes (p, k) are shares of the whole.

    A region is as large as the largest of its k sizes.
    """
    labels = absorbed(in_pieces(labels, ring), ring, sizes, smallest=smallest)
    labels = in_pieces(smoothed(labels, ring), ring)
    return absorbed(labels, ring, sizes, smallest=smallest)


def absorbed(labels: Ints, ring: sp.csr_array, sizes: Floats, *, smallest: float) -> Ints:
    """Give regions smaller than `smallest` to the neighbour that they share most border with."""
    edges = sp.coo_array(ring)
    for limit in smallest * 0.5 ** np.arange(_STAGES - 1, -1, -1.0):
        while True:
            labels = np.unique(labels, return_inverse=True)[1]
            count = int(labels.max(initial=-1)) + 1
            own = np.stack([np.bincount(labels, column, minlength=count) for column in sizes.T]).max(axis=0)
            to = _longest_border(edges, labels, count)
            small = np.flatnonzero((own < limit) & (to >= 0))
            if not len(small):
                break
            graph = sp.csr_array((np.ones(len(small)), (small, to[small])), shape=(count, count))
            labels = np.asarray(connected_components(graph, directed=False)[1][labels], np.int64)
    return np.asarray(labels, np.int64)


def _longest_border(edges: sp.coo_array, labels: Ints, count: int) -> Ints:
    """For each region (count,) the neighbour that it shares most border with, or -1; of equals the first."""
    a, b = labels[edges.row], labels[edges.col]
    across = a != b
    border = sp.csr_array(sp.coo_array((edges.data[across], (a[across], b[across])), shape=(count, count)))
    return largest_in_rows(border)


def evened(values: Floats, ring: sp.csr_array) -> Floats:
    """Values (p,) as the mean over each point's neighbourhood."""
    return np.asarray(_neighbourhood(ring) @ values)


def smoothed(labels: Ints, ring: sp.csr_array) -> Ints:
    """Let points most of whose neighbourhood belongs elsewhere change sides, until none does."""
    count = len(labels)
    around = sp.csr_array(_neighbourhood(ring) + _UNDECIDED * sp.eye_array(count))
    for _ in range(_ROUNDS):
        now = largest_in_rows(around @ sp.csr_array((np.ones(count), labels, np.arange(count + 1))))
        if (now == labels).all():
            break
        labels = now
    return np.asarray(labels, np.int64)


def _neighbourhood(ring: sp.csr_array) -> sp.csr_array:
    """How much each point counts for each (p, p): three times the mean of a point itself and the mean of its ring."""
    mean = (sp.eye_array(ring.shape[0]) + ring * (1 / np.maximum(ring.sum(axis=1), 1))[:, None]) / 2
    return sp.csr_array(mean @ mean @ mean)


def in_pieces(labels: Ints, ring: sp.csr_array) -> Ints:
    """New labels (p,), one for each connected piece of each old one, in order of their first points."""
    edges = sp.coo_array(ring)
    same = labels[edges.row] == labels[edges.col]
    inside = sp.csr_array(sp.coo_array((edges.data[same], (edges.row[same], edges.col[same])), shape=ring.shape))
    found = connected_components(inside, directed=False)[1]
    _, first, where = np.unique(found, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.asarray(rank[where])
