"""Mistakes of a recording that can be told: markers that froze, and markers that were taken for each other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.gaps import runs

_FROZEN = 5  # frames without the least change,
_CARRIED = 0.05  # of the spacing: while the head goes at least that far
_NEARER = 0.5  # times the way to its own place: a marker that near to another's, and that one to its, were swapped


@dataclass(frozen=True, eq=False)
class Repaired:
    """Positions with mistakes taken out, and what was done, in words."""

    positions: Floats  # (frames, k, 3)
    notes: tuple[str, ...]


def without_frozen(positions: Floats, still: Floats, names: tuple[str, ...], spacing: float) -> Repaired:
    """A marker whose coordinates do not change at all while the head carries it away was not seen: they were kept on.

    still (frames, k, 3) is where markers are with the head held; one that hangs in the room moves there.
    """
    same = np.zeros(positions.shape[:2], bool)
    same[1:] = np.all(positions[1:] == positions[:-1], axis=2)
    frozen = np.zeros(same.shape, bool)
    for marker in np.flatnonzero(same.any(axis=0)):
        for start, stop in runs(same[:, marker]):
            span = np.ptp(still[start - 1 : stop, marker], axis=0)
            if stop - start >= _FROZEN and np.linalg.norm(span) > _CARRIED * spacing:
                frozen[start:stop, marker] = True
    fixed = positions.copy()
    fixed[frozen] = np.nan
    notes = [
        f"marker {names[marker]} stands still in the room for {int(frozen[:, marker].sum())} frames: "
        "these frames are taken as gaps"
        for marker in np.flatnonzero(frozen.any(axis=0))
    ]
    return Repaired(fixed, tuple(notes))


def unswapped(positions: Floats, still: Floats, usual: Floats, names: tuple[str, ...]) -> Repaired:
    """Give markers that took each other's place their own again.

    still (frames, k, 3) is where they are with the head held, usual (k, 3) where each of them is as a rule, if seen.
    """
    own = np.nan_to_num(np.linalg.norm(still - usual, axis=2))  # (frames, k)
    nearest = np.linalg.norm(usual[:, None] - usual[None], axis=2)
    nearest = np.where(np.isnan(nearest) | np.eye(len(usual), dtype=bool), np.inf, nearest)
    doubtful = np.flatnonzero((own > (1 - _NEARER) * nearest.min(axis=1)).sum(axis=1) > 1)
    apart = np.nan_to_num(np.linalg.norm(still[doubtful][:, :, None] - usual, axis=3), nan=np.inf)  # (f, k, place)
    nearer = apart < _NEARER * own[doubtful][:, :, None]
    frames, first, second = np.nonzero(np.triu(nearer & np.swapaxes(nearer, 1, 2), k=1))
    frames = doubtful[frames]
    fixed, counts = positions.copy(), Counter[tuple[int, int]]()
    for frame, a, b in zip(frames.tolist(), first.tolist(), second.tolist(), strict=True):
        fixed[frame, [a, b]] = positions[frame, [b, a]]
        counts[a, b] += 1
    notes = [f"markers {names[a]} and {names[b]} were swapped in {n} frames: put right" for (a, b), n in counts.items()]
    return Repaired(fixed, tuple(notes))


def disbelieved(doubted: NDArray[np.bool_], names: tuple[str, ...]) -> tuple[str, ...]:
    """Names the markers that were seen but not believed (frames, k)."""
    counts = doubted.sum(axis=0)
    return tuple(
        f"marker {names[i]} is where it cannot be in {counts[i]} frames: not gone by there"
        for i in np.flatnonzero(counts)
    )
