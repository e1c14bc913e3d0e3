"""The head's own motion: found on the markers that move least against each other, and taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.head import HeadMotion
from facewright.mesh.align import align_many

_ROUNDS = 40
_FRAMES = 200  # frames, spread over the take, on which trust is found
_SETTLED = 1e-5  # of the face's size: how little the reference may still move
_FLOOR = 0.2  # quantile of the markers' unrest below which being calmer brings no more trust
_OUTLIER = 4.0  # times its usual unrest: what a marker does beyond that says nothing about the head
_DOUBTED = 1e-6  # what is left of its trust then
_ASIDE = 1e-3  # of their trust: what markers that move have to say
_STILL = 0.5  # of the largest trust: markers above this are named as the ones that were gone by


@dataclass(frozen=True, eq=False)
class Stillness:
    """How markers (m of them) move against each other."""

    reference: Floats  # (m, 3) the usual place of each, the head held; NaN for one that is never seen
    unrest: Floats  # (m,) how far each strays from it
    trust: Floats  # (m,) how much each says about the head, the most trusted being 1

    @property
    def still(self) -> Ints:
        """The markers that are gone by (k,)."""
        return np.flatnonzero(self.trust >= _STILL)

    @property
    def say(self) -> Floats:
        """The weight (m,) of each marker in finding the head; the others speak where too few of the still ones do."""
        return np.where(self.trust >= _STILL, self.trust, _ASIDE * self.trust)


def stillness(positions: Floats) -> Stillness:
    """How markers (frames, m, 3), with gaps, move against each other.

    Distances between two markers that are both on the skull do not change, wherever the head goes: the largest group of
    such markers is trusted first. Then every frame is brought onto a common reference, each marker trusted by how
    little it strays from it; trust and reference follow from each other.
    """
    chosen = positions[:: max(1, len(positions) // _FRAMES)]
    seen = ~np.isnan(chosen[:, :, 0])
    ever = np.asarray(seen.any(axis=0))
    reference = chosen[seen.sum(axis=1).argmax()].copy()
    size = _size(reference)
    weights = seen * _companions(chosen)
    unrest, trust = np.zeros(len(ever)), ever * 1.0
    for number in range(_ROUNDS):
        placed = onto(chosen, reference, weights).taken_out(chosen)
        before, reference = reference, medians(placed)
        strays = np.linalg.norm(placed - reference, axis=2)  # (frames, m)
        unrest = np.where(ever, np.sqrt(np.nan_to_num(strays**2).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)), 0.0)
        floor = max(float(np.quantile(unrest[ever], _FLOOR)), 1e-9 * size) if ever.any() else size
        trust = ever * (floor**2 / (unrest**2 + floor**2)) ** 2
        weights = trust * _believed(strays, seen, _OUTLIER * np.maximum(unrest, floor))
        reference = _held(reference, before, weights)
        if number > 3 and np.nanmax(np.abs(reference - before), initial=0.0) < _SETTLED * size:
            break
    return Stillness(reference, unrest, np.asarray(trust / (trust.max(initial=0.0) or 1.0)))


def _held(reference: Floats, before: Floats, weights: Floats) -> Floats:
    """The reference (m, 3) put where it was before: medians of all frames may drift, turn by turn, as one."""
    back = onto(reference[None], before, weights.mean(axis=0, keepdims=True))
    return np.asarray(back.taken_out(reference[None])[0])


def _companions(positions: Floats) -> Floats:
    """How much each marker (m,) belongs to the largest group of markers (frames, m, 3) that keep their distances."""
    apart = np.linalg.norm(positions[:, :, None] - positions[:, None], axis=3)  # (frames, m, m)
    change = medians(np.abs(apart - medians(apart)))
    known = np.isfinite(change)
    np.fill_diagonal(known, False)
    if not known.any():
        return np.ones(positions.shape[1])
    usual = float(np.quantile(change[known], _FLOOR))
    usual = usual if usual > 0 else float(change[known].max()) or 1.0
    likeness = np.where(known, np.exp(-0.5 * np.square(np.nan_to_num(change) / usual)), 0.0)
    first = np.abs(np.linalg.eigh(likeness)[1][:, -1])
    return np.asarray((first / first.max()) ** 2)


def head_motion(positions: Floats, rest: Floats, found: Stillness) -> HeadMotion:
    """How markers at rest (m, 3) have to be moved to be where the trusted ones of them are (frames, m, 3)."""
    seen = ~np.isnan(positions[:, :, 0])
    floor = float(np.quantile(found.unrest, _FLOOR)) if len(found.unrest) else 0.0
    limit = _OUTLIER * np.maximum(found.unrest, max(floor, 1e-9 * _size(rest)))
    weights = seen * found.say
    for _ in range(2):
        motion = onto(positions, rest, weights)
        strays = np.linalg.norm(motion.taken_out(positions) - rest, axis=2)
        strays -= _offset(strays, seen)  # an actor's rest may differ from the usual place
        weights = found.say * _believed(np.abs(strays), seen, limit)
    return _filled(onto(positions, rest, weights))


def onto(positions: Floats, rest: Floats, weights: Floats) -> HeadMotion:
    """The motion of the head that explains markers (frames, m, 3) best, each by its weight (frames, m)."""
    weights = weights * ~np.isnan(rest[:, 0])
    rotations, offsets = align_many(rest[None], positions, weights)
    largest = weights.max(axis=1, initial=0.0, keepdims=True)
    known = ((weights > 1e-4 * largest) & (weights > 0)).sum(axis=1) >= 3
    return HeadMotion(rotations, offsets, known)


def _offset(strays: Floats, seen: NDArray[np.bool_]) -> Floats:
    """How far each marker (m,) usually is from its rest, where that can be said."""
    ever = seen.any(axis=0)
    return np.where(ever, medians(strays), 0.0)


def _believed(strays: Floats, seen: NDArray[np.bool_], limit: Floats) -> Floats:
    near = np.nan_to_num(strays, nan=np.inf) < limit
    return np.asarray(seen * np.where(near, 1.0, _DOUBTED))


def medians(values: Floats) -> Floats:
    """Of values (frames, ...) without those that are NaN; NaN where there are no others."""
    ordered = np.sort(values, axis=0)  # NaN comes last
    count = (~np.isnan(values)).sum(axis=0, keepdims=True)
    low, high = (
        np.take_along_axis(ordered, np.maximum(at, 0), axis=0)[0]
        for at in ((count - 1) // 2, np.minimum(count // 2, len(values) - 1))
    )
    return np.where(count[0] > 0, (low + high) / 2, np.nan)


def _size(points: Floats) -> float:
    known = points[~np.isnan(points[:, 0])]
    return float(np.linalg.norm(np.ptp(known, axis=0))) if len(known) else 1.0


def _filled(motion: HeadMotion) -> HeadMotion:
    """The motion with unknown frames between those about them."""
    if motion.known.all() or not motion.known.any():
        return motion
    from scipy.spatial.transform import Rotation, Slerp

    at, frames = np.flatnonzero(motion.known), np.arange(len(motion.known))
    offsets = np.stack([np.interp(frames, at, motion.offsets[at, axis]) for axis in range(3)], axis=1)
    turns = Rotation.from_matrix(motion.rotations[at])
    between = np.clip(frames, at[0], at[-1])
    rotations = Slerp(at, turns)(between).as_matrix() if len(at) > 1 else np.repeat(turns.as_matrix(), len(frames), 0)
    return HeadMotion(rotations, offsets, motion.known)
