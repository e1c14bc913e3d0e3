"""Welding as we wrote it: our own files say which render vertices are copies where equal places would not tell."""

from __future__ import annotations

from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.formats.gltf.fields import Json
from facewright.formats.gltf.weld import Weld, weld_copies

KEY = "facewright"


def stated_copies(mesh: Json, positions: Floats) -> Weld | None:
    """The weld that a mesh states, None where it states none, or one that its vertices no longer fit."""
    extras = mesh.get("extras")
    block = extras.get(KEY) if isinstance(extras, dict) else None
    pairs = block.get("copies") if isinstance(block, dict) else None
    if not isinstance(pairs, list) or not isinstance(block, dict) or block.get("vertices") != len(positions):
        return None
    if not all(_is_pair(pair, len(positions)) for pair in pairs):
        return None
    table = np.array(pairs, np.int64).reshape(-1, 2)
    if (positions[table[:, 0]] != positions[table[:, 1]]).any():
        return None
    return weld_copies(len(positions), pairs)


def copies_block(welded: Weld) -> Json:
    """What a mesh states about its copies."""
    copies = np.flatnonzero(welded.first[welded.point] != np.arange(len(welded.point)))
    pairs = np.column_stack([copies, welded.first[welded.point[copies]]])
    return {"vertices": len(welded.point), "copies": pairs.tolist()}


def _is_pair(pair: Any, vertices: int) -> bool:
    """A copy and the earlier vertex that it is a copy of."""
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(value, int) and not isinstance(value, bool) for value in pair)
        and 0 <= pair[1] < pair[0] < vertices
    )
