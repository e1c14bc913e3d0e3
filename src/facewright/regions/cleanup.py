"""Cleaning of labels: small regions are absorbed, borders smoothed, and each region is connected."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints
from facewright.solve.rows import largest_in_rows

_STAGES = 4  # the smallest regions go first: the limit doubles at each stage
_ROUNDS = 12
_ALIKE = 0.05  # of sRGB: colours that differ by less are one
_ACROSS = 1e-3  # of an edge: what one between different colours counts at least
_UNDECIDED = 1e-9  # a point without a majority keeps its region


def cleaned(labels: Ints, ring: sp.csr_array, sizes: Floats, *, smallest: float, rings: int = 3) -> Ints:
    """Labels (p,) without small regions, with smooth borders, each connected.

    sizes: shares of the whole (p, k); the size of a region is the largest of its k sums. rings: reach of the smoothing.
    """
    labels = absorbed(in_pieces(labels, ring), ring, sizes, smallest=smallest)
    labels = in_pieces(smoothed(labels, ring, rings), ring)
    return absorbed(labels, ring, sizes, smallest=smallest)


def absorbed(labels: Ints, ring: sp.csr_array, sizes: Floats, *, smallest: float) -> Ints:
    """Join regions smaller than `smallest` to the neighbour with which they share the longest border."""
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
    """For each region (count,) the neighbour with which it shares the longest border, or -1; the first of equals."""
    a, b = labels[edges.row], labels[edges.col]
    across = a != b
    border = sp.csr_array(sp.coo_array((edges.data[across], (a[across], b[across])), shape=(count, count)))
    return largest_in_rows(border)


def evened(values: Floats, ring: sp.csr_array) -> Floats:
    """Values (p,) after three times taking the mean of a point's value and the mean of its ring."""
    mean = averaging(ring)
    return np.asarray(mean @ (mean @ (mean @ values)))


def smoothed(labels: Ints, ring: sp.csr_array, rings: int) -> Ints:
    """Move points to the region that most of their surroundings belong to, until none changes.

    First by so many rings around them, which rounds corners; then by one ring alone, which removes single teeth. In
    that
    step only half of the points may change at a time, because two neighbours that change sides together gain nothing.
    """
    everyone = np.ones(len(labels), bool)
    half = np.random.default_rng(0).permutation(len(labels)) % 2 == 0
    labels = _settled(labels, averaging(ring), rings, (everyone,))
    return _settled(labels, _ring_means(ring), 1, (half, ~half))


def _settled(labels: Ints, mean: sp.csr_array, times: int, turns: tuple[np.ndarray, ...]) -> Ints:
    count = len(labels)
    ones, starts = np.ones(count), np.arange(count + 1)
    for _ in range(_ROUNDS):
        before = labels
        for turn in turns:
            shares = sp.csr_array((ones, labels, starts))
            for _ in range(times):
                shares = sp.csr_array(mean @ shares)
            stay = sp.csr_array((_UNDECIDED * ones, labels, starts), shape=shares.shape)
            labels = np.where(turn, largest_in_rows(sp.csr_array(shares + stay)), labels)
        if (before == labels).all():
            break
    return np.asarray(labels, np.int64)


def within_colors(ring: sp.csr_array, colors: Floats) -> sp.csr_array:
    """The ring (p, p) with edges between points of different colours (p, c) counting less, so that borders stay there.

    This is what a bilateral filter does with pixels.
    """
    if not colors.shape[1]:
        return ring
    edges = sp.coo_array(ring)
    apart = ((colors[edges.row] - colors[edges.col]) ** 2).sum(axis=1) / _ALIKE**2
    counts = edges.data * np.maximum(np.exp(-apart / 2), _ACROSS)
    return sp.csr_array(sp.coo_array((counts, (edges.row, edges.col)), shape=ring.shape))


def averaging(ring: sp.csr_array) -> sp.csr_array:
    """A matrix (p, p) for the mean of a point's value and the mean of its ring."""
    return sp.csr_array((sp.eye_array(ring.shape[0]) + _ring_means(ring)) / 2)


def _ring_means(ring: sp.csr_array) -> sp.csr_array:
    return sp.csr_array(ring * (1 / np.maximum(ring.sum(axis=1), 1))[:, None])


def in_pieces(labels: Ints, ring: sp.csr_array) -> Ints:
    """New labels (p,), one for each connected piece of each label, in the order of their first points."""
    edges = sp.coo_array(ring)
    same = labels[edges.row] == labels[edges.col]
    inside = sp.csr_array(sp.coo_array((edges.data[same], (edges.row[same], edges.col[same])), shape=ring.shape))
    found = connected_components(inside, directed=False)[1]
    _, first, where = np.unique(found, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.asarray(rank[where])
