"""Overlapping windows of a solved take, joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.capture.head import HeadMotion
from facewright.capture.solution import TakeSolution


def frames_done(parts: Sequence[TakeSolution], overlap: int) -> int:
    """How many frames overlapping windows cover."""
    return sum(len(part) for part in parts) - overlap * (len(parts) - 1)


def joined(parts: Sequence[TakeSolution], overlap: int) -> TakeSolution:
    """Overlapping windows as one solution, each faded into the next."""
    whole = parts[0]
    for part in parts[1:]:
        whole = _faded(whole, part, overlap)
    return whole


def _faded(one: TakeSolution, other: TakeSolution, overlap: int) -> TakeSolution:
    share = (np.arange(overlap) + 1.0) / (overlap + 1.0)

    def both(a: Floats, b: Floats, axis: int = 0) -> Floats:
        a, b = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
        mixed = share.reshape(-1, *[1] * (a.ndim - 1))
        middle = (1 - mixed) * a[-overlap:] + mixed * b[:overlap]
        return np.moveaxis(np.concatenate([a[:-overlap], middle, b[overlap:]]), 0, axis)

    def cut(a: Any, b: Any) -> Any:
        return np.concatenate([a, b[overlap:]])

    head = HeadMotion(
        np.concatenate([one.head.rotations, other.head.rotations[overlap:]]),
        np.concatenate([one.head.offsets, other.head.offsets[overlap:]]),
        cut(one.head.known, other.head.known),
    )
    mine, theirs = one.region_weights, other.region_weights
    return replace(
        one,
        weights=both(one.weights, other.weights),
        head=head,
        wanted=cut(one.wanted, other.wanted),
        motion=both(one.motion, other.motion),
        believed=cut(one.believed, other.believed),
        optimal=cut(one.optimal, other.optimal),
        region_weights=None if mine is None or theirs is None else both(mine, theirs, axis=1),
    )
