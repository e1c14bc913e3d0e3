"""Repair of a recording: markers that are frozen, and markers that are swapped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.gaps import runs

_FROZEN = 5  # frames in which a marker's coordinates are exactly the same
_CARRIED = 0.05  # of the spacing: how far the head moves at least in these frames
_NEARER = 0.5  # of the distance to its own place: two markers that are each nearer to the other's place are swapped


@dataclass(frozen=True, eq=False)
class Repaired:
    """Repaired positions, and notes about the repairs."""

    positions: Floats  # (frames, k, 3)
    notes: tuple[str, ...]


def without_frozen(positions: Floats, still: Floats, names: tuple[str, ...], spacing: float) -> Repaired:
    """Positions with gaps where a marker's coordinates stay exactly the same while the head moves.

    still (frames, k, 3) are the positions with the head's motion taken out, in which a frozen marker moves.
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
    """Positions with swapped markers exchanged.

    still (frames, k, 3) are the positions with the head's motion taken out, usual (k, 3) the usual ones of each marker.
    """
    own = np.nan_to_num(np.linalg.norm(still - usual, axis=2))  # (frames, k)
    distance = np.linalg.norm(usual[:, None] - usual[None], axis=2)
    reach = (1 + _NEARER) * own.max(axis=0, initial=0.0)  # markers closer to each other than this can be swapped
    pairs = np.argwhere(np.triu((distance < reach[:, None]) & (distance < reach), k=1))
    fixed, counts = positions.copy(), Counter[tuple[int, int]]()
    for a, b in pairs.tolist():
        there = [np.linalg.norm(still[:, i] - usual[j], axis=1) < _NEARER * own[:, i] for i, j in ((a, b), (b, a))]
        frames = np.flatnonzero(there[0] & there[1])
        fixed[frames, a], fixed[frames, b] = positions[frames, b], positions[frames, a]
        counts[a, b] += len(frames)
    notes = [
        f"markers {names[a]} and {names[b]} were swapped in {n} frames: exchanged" for (a, b), n in counts.items() if n
    ]
    return Repaired(fixed, tuple(notes))


def outlier_notes(outliers: NDArray[np.bool_], names: tuple[str, ...]) -> tuple[str, ...]:
    """Notes that name the markers that were seen but not believed (frames, k)."""
    counts = outliers.sum(axis=0)
    return tuple(
        f"marker {names[i]} is where it cannot be in {counts[i]} frames: left out there" for i in np.flatnonzero(counts)
    )
