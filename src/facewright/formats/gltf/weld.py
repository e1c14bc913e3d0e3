"""Which render vertices are one point of the surface: those that lie together in the neutral and in every target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.gltf.accessors import Rows


@dataclass(frozen=True, eq=False)
class Weld:
    """Points, numbered as their first render vertices come."""

    point: Ints  # (r,) point of each render vertex
    first: Ints  # (p,) first render vertex of each point


def weld(positions: Floats, targets: Iterable[Rows]) -> Weld:
    """Join render vertices with equal positions (r, 3) and equal offsets in all targets."""
    label = _labels(positions)
    together = np.flatnonzero(np.bincount(label)[label] > 1)
    place = np.full(len(positions), -1)
    place[together] = np.arange(len(together))
    kept = label[together]
    for target in targets:
        if len(together) == 0:
            break
        here = place[target.rows] >= 0
        offsets = np.zeros((len(together), 3))
        offsets[place[target.rows[here]]] = target.values[here]
        if (offsets != offsets[_leaders(kept)]).any():
            kept = _labels(np.column_stack([kept, offsets]))
    label[together] = len(positions) + kept
    return _by_first(label)


def weld_copies(vertices: int, copies: Sequence[tuple[int, int]]) -> Weld:
    """Join each render vertex of a pair with the earlier one that it is a copy of, and nothing else."""
    label = np.arange(vertices)
    for copy, of in copies:
        label[copy] = label[of]
    return _by_first(label)


def _labels(rows: Floats) -> Ints:
    """The same number for equal rows."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.ones(len(rows), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    label = np.empty(len(rows), np.int64)
    label[order] = np.cumsum(new) - 1
    return label


def _leaders(label: Ints) -> Ints:
    """The first of its group for each."""
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    return np.asarray(first[group])


def _by_first(label: Ints) -> Weld:
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    return Weld(rank[group], first[order])
