"""Grouping of neighbouring points that move alike."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints

_CHUNK = 1 << 15  # edges compared at a time
_DIGITS = 12  # similarities that differ only beyond these digits are equal


def grouped(edges: Ints, kinds: Floats, masses: Floats, *, least: float, colors: Floats | None = None) -> Ints:
    """Join neighbours that are each other's most similar, as long as their similarity is at least `least`.

    edges: neighbours (e, 2). kinds: unit rows (p, q). masses: (p,). The similarity of two groups is the mean of all
    products of their rows (average linkage), less the square of the distance between their mean colours (p, c), if
    there are any. All pairs that are each other's best join at once; if all points were neighbours, that would be the
    same as joining one pair after the other. Returns the group (p,) of each point.
    """
    group = np.arange(len(kinds))
    masses = np.maximum(masses, np.finfo(float).tiny)
    colors = np.zeros((len(kinds), 0)) if colors is None else colors
    sums = np.hstack([kinds, colors]) * masses[:, None]
    while len(edges):
        alike = _likeness(edges, sums / masses[:, None], kinds.shape[1])
        pairs = edges[_mutual(edges, alike, len(masses)) & (alike >= least)]
        if not len(pairs):
            break
        now = _joined(pairs, len(masses))
        join = sp.csr_array((np.ones(len(now)), (now, np.arange(len(now)))))
        sums, masses, group = np.asarray(join @ sums), np.asarray(join @ masses), now[group]
        edges = _between(now[edges], len(masses))
    return group


def _likeness(edges: Ints, means: Floats, kinds: int) -> Floats:
    """Similarities (e,) by the first columns of the means, less the squared distance by the others."""
    alike = np.empty(len(edges))
    for start in range(0, len(edges), _CHUNK):
        a, b = (means[ends] for ends in edges[start : start + _CHUNK].T)
        apart = (a[:, kinds:] - b[:, kinds:]) ** 2
        alike[start : start + _CHUNK] = np.einsum("ij,ij->i", a[:, :kinds], b[:, :kinds]) - apart.sum(axis=1)
    return alike.round(_DIGITS)


def _mutual(edges: Ints, alike: Floats, count: int) -> np.ndarray:
    """Edges (e,) both of whose ends have no better neighbour. Ties are broken by a shuffled number of each edge."""
    shuffled = np.random.default_rng(0).permutation(len(edges))
    order = np.lexsort((shuffled, alike))  # the best edge comes last
    rank = np.empty(len(edges), np.int64)
    rank[order] = np.arange(len(edges))
    best = np.full(count, -1)
    np.maximum.at(best, edges[:, 0], rank)
    np.maximum.at(best, edges[:, 1], rank)
    return np.asarray((best[edges[:, 0]] == rank) & (best[edges[:, 1]] == rank))


def _joined(pairs: Ints, count: int) -> Ints:
    """The new number (count,) of each group after pairs are joined."""
    first = np.arange(count)
    first[pairs[:, 1]] = pairs[:, 0]
    return np.asarray(np.unique(first, return_inverse=True)[1])


def _between(edges: Ints, count: int) -> Ints:
    """Edges between different groups, each once."""
    low, high = edges.min(axis=1), edges.max(axis=1)
    keys = np.unique((low * count + high)[low != high])
    return np.stack([keys // count, keys % count], axis=1)
