"""Welding: render vertices that have the same position in the neutral and in every target are one point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.gltf.accessors.rows import Rows
from facewright.formats.gltf.container.extras import block_of
from facewright.formats.gltf.container.fields import Json


@dataclass(frozen=True, eq=False)
class Weld:
    """Points, in the order of their first render vertices."""

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


def stated_copies(mesh: Json, positions: Floats) -> Weld | None:
    """The weld that our block of a mesh states; None where there is none, or where the vertices are others now."""
    block = block_of(mesh)
    pairs = block.get("copies")
    if not isinstance(pairs, list) or block.get("vertices") != len(positions):
        return None
    if not all(_is_pair(pair, len(positions)) for pair in pairs):
        return None
    table = np.array(pairs, np.int64).reshape(-1, 2)
    if (positions[table[:, 0]] != positions[table[:, 1]]).any():
        return None
    return weld_copies(len(positions), pairs)


def copies_block(welded: Weld) -> Json:
    """Our block of a mesh: which render vertices are copies of which."""
    copies = np.flatnonzero(welded.first[welded.point] != np.arange(len(welded.point)))
    pairs = np.column_stack([copies, welded.first[welded.point[copies]]])
    return {"vertices": len(welded.point), "copies": pairs.tolist()}


def _labels(rows: Floats) -> Ints:
    """A number for each row, the same for equal rows."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.ones(len(rows), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    label = np.empty(len(rows), np.int64)
    label[order] = np.cumsum(new) - 1
    return label


def _leaders(label: Ints) -> Ints:
    """For each element the first with the same label."""
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    return np.asarray(first[group])


def _by_first(label: Ints) -> Weld:
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    return Weld(rank[group], first[order])


def _is_pair(pair: Any, vertices: int) -> bool:
    """Whether a value is a pair: a render vertex, and the earlier one that it is a copy of."""
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(value, int) and not isinstance(value, bool) for value in pair)
        and 0 <= pair[1] < pair[0] < vertices
    )
