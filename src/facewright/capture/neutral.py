"""An actor's face at rest: the most frequent shape of a take."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.capture.stabilise import head_motion, medians, stillness
from facewright.errors import BadValue
from facewright.motion.take import Take

_FRAMES = 400  # frames compared with each other
_ALIKE = 0.1  # quantile of their distances that counts as the same shape
_SEEN = 0.02  # share of the frames in which a marker must be seen to be bound
_ABOUT = 2  # frames on each side of a given neutral frame that are averaged with it


def neutral_markers(take: Take, neutral: int | None = None) -> tuple[tuple[str, ...], Floats, int]:
    """The named markers that are seen often enough, their positions (k, 3) on the face at rest, and its frame.

    The head is where it is in that frame.
    """
    seen = take.seen.mean(axis=0) if len(take) else np.zeros(len(take.names))
    names = tuple(name for name in take.labelled if seen[take.index(name)] >= _SEEN)
    if len(names) < 3:
        raise BadValue(f"{take.name}: only {len(names)} named markers are ever seen; a face needs at least three")
    if neutral is not None and not 0 <= neutral < len(take):
        raise BadValue(f"the neutral frame is {neutral}; the take's go from 0 to {len(take) - 1}")
    positions = take.only(names).positions
    found = stillness(positions)
    motion = head_motion(positions, found.reference, found)
    still = motion.taken_out(positions)
    if neutral is None:
        frame, rest = _most_visited(still)
    else:
        frame, rest = neutral, _mean(still[max(0, neutral - _ABOUT) : neutral + _ABOUT + 1])
    rest = np.where(np.isnan(rest), found.reference, rest)
    return names, rest @ motion.rotations[frame].T + motion.offsets[frame], frame


def _most_visited(still: Floats) -> tuple[int, Floats]:
    """The frame with the most similar frames, and the mean (m, 3) of those."""
    step = max(1, len(still) // _FRAMES)
    chosen = still[::step]
    distance = _distances(chosen)
    between = distance[distance > 0]
    width = float(np.quantile(between, _ALIKE)) if len(between) else 1.0
    likeness = np.exp(-0.5 * (distance / (width or 1.0)) ** 2)
    best = int(likeness.sum(axis=1).argmax())
    near = likeness[best] > np.exp(-0.5)
    near[best] = True
    return best * step, _mean(chosen[near])


def _distances(frames: Floats) -> Floats:
    """Root mean square distance (f, f) between frames (f, m, 3) over the markers that are seen in both."""
    seen = ~np.isnan(frames[:, :, 0])
    flat = np.where(seen[..., None], frames - medians(frames), 0.0).reshape(len(frames), -1)
    counted = np.repeat(seen, 3, axis=1).astype(float)
    square = (flat**2) @ counted.T
    both = counted @ counted.T
    return np.asarray(np.sqrt(np.maximum(square + square.T - 2 * flat @ flat.T, 0.0) * 3 / np.maximum(both, 1.0)))


def _mean(frames: Floats) -> Floats:
    seen = ~np.isnan(frames[:, :, :1])
    total = np.where(seen, frames, 0.0).sum(axis=0)
    return np.where(seen.any(axis=0), total / np.maximum(seen.sum(axis=0), 1), np.nan)
