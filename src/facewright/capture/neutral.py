"""An actor's face at rest: the most frequent shape of a take, given frames, or that of another take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.stabilise import head_motion, medians, stillness
from facewright.errors import BadValue
from facewright.motion.take import Take

Neutral = int | Sequence[int] | Take  # a frame, several frames whose mean counts, or another take of the same markers

_FRAMES = 400  # frames compared with each other
_ALIKE = 0.1  # quantile of their distances that counts as the same shape
_SEEN = 0.02  # share of the frames in which a marker must be seen to be bound
_ABOUT = 2  # frames on each side of a given neutral frame that are averaged with it
_ENOUGH = 0.5  # of the markers of the fullest frame: a frame at rest shows at least as many,
_LEAST = 3  # and so many


@dataclass(frozen=True, eq=False)
class RestMarkers:
    """The markers of a face at rest. The head is where it is in one of its frames."""

    names: tuple[str, ...]  # k of them: named, and seen often enough
    positions: Floats  # (k, 3) in the take's unit
    note: str = ""  # which frame was found, where none was given


def rest_markers(take: Take, neutral: Neutral | None = None) -> RestMarkers:
    """The markers of the face at rest; without `neutral` it is the shape to which the take returns most often."""
    names = _often_seen(take)
    if isinstance(neutral, Take):
        return _of_other(take, names, neutral)
    frames = None if neutral is None else _checked(take, names, neutral)
    positions = take.only(names).positions
    found = stillness(positions)
    motion = head_motion(positions, found.reference, found)
    still = motion.taken_out(positions)
    if frames is None:
        frame, rest = _most_visited(still)
    else:
        frame, rest = frames[0], _mean(still[_around(frames, len(take))])
    rest = np.where(np.isnan(rest), found.reference, rest)
    note = f"the face is taken to be at rest in frame {frame}" if frames is None else ""
    return RestMarkers(names, rest @ motion.rotations[frame].T + motion.offsets[frame], note)


def check_neutral(take: Take, neutral: int | Sequence[int] | None) -> None:
    """Raise where frames that are given as neutral show no face."""
    if neutral is not None:
        _checked(take, _often_seen(take), neutral)


def _often_seen(take: Take) -> tuple[str, ...]:
    seen = take.seen.mean(axis=0) if len(take) else np.zeros(len(take.names))
    names = tuple(name for name in take.labelled if seen[take.index(name)] >= _SEEN)
    if len(names) < _LEAST:
        raise BadValue(f"{take.name}: only {len(names)} named markers are ever seen; a face needs at least three")
    return names


def _of_other(take: Take, names: tuple[str, ...], other: Take) -> RestMarkers:
    """The rest in another take, of the markers that both have."""
    found = rest_markers(other.in_unit(take.unit))
    both = tuple(name for name in names if name in found.names)
    if len(both) < _LEAST:
        raise BadValue(
            f"{other.name} shows the face at rest by {', '.join(found.names[:8])}, and {take.name} has "
            f"{', '.join(names[:8])}; at least three markers in both are needed"
        )
    at = [found.names.index(name) for name in both]
    return RestMarkers(both, found.positions[at], f"{found.note} of {other.name}")


def _checked(take: Take, names: tuple[str, ...], neutral: int | Sequence[int]) -> list[int]:
    """Given frames, without those that show no marker; an error if none of them shows three."""
    frames = [int(neutral)] if isinstance(neutral, int | np.integer) else [int(frame) for frame in neutral]
    if not frames:
        raise BadValue("no frame is given as neutral; leave it out, and the most frequent shape is taken")
    wrong = next((frame for frame in frames if not 0 <= frame < len(take)), None)
    if wrong is not None:
        raise BadValue(f"the neutral frame is {wrong}; the take's go from 0 to {len(take) - 1}")
    counts = take.only(names).seen.sum(axis=1)
    usable = [frame for frame in frames if counts[frame] >= _LEAST]
    if not usable:
        seen = "no marker" if not counts[frames].any() else f"only {counts[frames].max()} markers"
        which = f"frame {frames[0]} shows" if len(frames) == 1 else f"frames {_listed(frames)} show"
        full = np.flatnonzero(_shows_enough(counts))
        instead = f"; frame {full[np.abs(full - frames[0]).argmin()]} is the nearest with enough" if len(full) else ""
        raise BadValue(f"{which} {seen}, which is no face at rest{instead}")
    return usable


def _around(frames: Sequence[int], total: int) -> list[int]:
    """A single frame with those about it, or several as they are."""
    if len(frames) > 1:
        return list(frames)
    return list(range(max(0, frames[0] - _ABOUT), min(frames[0] + _ABOUT + 1, total)))


def _most_visited(still: Floats) -> tuple[int, Floats]:
    """The frame with the most similar frames, and the mean (m, 3) of those; frames with few markers do not count."""
    enough = np.flatnonzero(_shows_enough((~np.isnan(still[:, :, 0])).sum(axis=1)))
    tried = enough[:: max(1, len(enough) // _FRAMES)]
    chosen = still[tried]
    distance = _distances(chosen)
    between = distance[distance > 0]
    width = float(np.quantile(between, _ALIKE)) if len(between) else 1.0
    likeness = np.exp(-0.5 * (distance / (width or 1.0)) ** 2)
    best = int(likeness.sum(axis=1).argmax())
    near = likeness[best] > np.exp(-0.5)
    near[best] = True
    return int(tried[best]), _mean(chosen[near])


def _shows_enough(counts: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Whether frames with so many markers (frames,) can be at rest."""
    most = int(counts.max(initial=0))
    return np.asarray((counts >= max(1, min(_LEAST, most))) & (counts >= _ENOUGH * most))


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


def _listed(frames: Sequence[int]) -> str:
    return ", ".join(map(str, frames[:6])) + (" ..." if len(frames) > 6 else "")
