"""The head's motion, found from the markers that move least relative to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.head import HeadMotion
from facewright.mesh.align import align_many

_ROUNDS = 40
_FRAMES = 200  # frames, spread over the take, from which trust is computed
_COMPARED = 200  # markers whose distances to each other are compared, at first
_SETTLED = 1e-5  # of the face's size: rounds end when the reference moves less
_FLOOR = 0.2  # quantile of the markers' deviations; a lower deviation does not increase trust
_OUTLIER = 4.0  # times its usual deviation: a marker further off is an outlier in that frame
_DOUBTED = 1e-6  # factor of the trust of an outlier
_ASIDE = 1e-3  # factor of the trust of markers that move
_ELSEWHERE = 0.15  # of the markers' spacing: still markers further from rest than this are placed elsewhere,
_EXPLAINED = 0.3  # if one rigid motion leaves less than this share of it
_STILL = 0.5  # of the largest trust: markers above this count as still


@dataclass(frozen=True, eq=False)
class Stillness:
    """How m markers move relative to each other."""

    reference: Floats  # (m, 3) the usual position of each, the head held; NaN for one that is never seen
    deviation: Floats  # (m,) root mean square distance of each from it
    trust: Floats  # (m,) weight of each in finding the head; the largest is 1

    @property
    def still(self) -> Ints:
        """The markers (k,) that count as still."""
        return np.flatnonzero(self.trust >= _STILL)

    @property
    def weights(self) -> Floats:
        """The weight (m,) of each marker in finding the head; moving ones count where too few still ones are seen."""
        return np.where(self.trust >= _STILL, self.trust, _ASIDE * self.trust)


def stillness(positions: Floats) -> Stillness:
    """How markers (frames, m, 3), with gaps, move relative to each other.

    Two markers on the skull keep their distance when the head moves: the largest group of such markers is trusted
    first. Then every frame is aligned to a common reference, and each marker is trusted by how little it deviates from
    it; reference and trust are updated in turn.
    """
    chosen = positions[:: max(1, len(positions) // _FRAMES)]
    seen = ~np.isnan(chosen[:, :, 0])
    ever = np.asarray(seen.any(axis=0))
    reference = chosen[seen.sum(axis=1).argmax()].copy()
    size = _size(reference) or 1.0
    weights = seen * _rigid_group(chosen)
    deviation, trust = np.zeros(len(ever)), ever * 1.0
    for number in range(_ROUNDS):
        placed = fitted_motion(chosen, reference, weights).taken_out(chosen)
        before, reference = reference, medians(placed)
        distances = np.linalg.norm(placed - reference, axis=2)  # (frames, m)
        deviation = np.where(
            ever, np.sqrt(np.nan_to_num(distances**2).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)), 0.0
        )
        floor = max(float(np.quantile(deviation[ever], _FLOOR)), 1e-9 * size) if ever.any() else size
        trust = ever * (floor**2 / (deviation**2 + floor**2)) ** 2
        weights = trust * _believed(distances, seen, _OUTLIER * np.maximum(deviation, floor))
        reference = _aligned(reference, before, weights)
        if number > 3 and np.nanmax(np.abs(reference - before), initial=0.0) < _SETTLED * size:
            break
    return Stillness(reference, deviation, np.asarray(trust / (trust.max(initial=0.0) or 1.0)))


def _aligned(reference: Floats, before: Floats, weights: Floats) -> Floats:
    """The reference (m, 3) aligned to the one before: medians over frames may drift as a whole."""
    back = fitted_motion(reference[None], before, weights.mean(axis=0, keepdims=True))
    return np.asarray(back.taken_out(reference[None])[0])


def _rigid_group(positions: Floats) -> Floats:
    """How much each marker (m,) belongs to the largest group of markers (frames, m, 3) with constant distances.

    Of very many markers only those that are seen most often are compared; the others are 0.
    """
    if positions.shape[1] > _COMPARED:
        often = np.argsort(np.isnan(positions[:, :, 0]).sum(axis=0), kind="stable")[:_COMPARED]
        group = np.zeros(positions.shape[1])
        group[often] = _rigid_group(positions[:, often])
        return group
    distance = np.linalg.norm(positions[:, :, None] - positions[:, None], axis=3)  # (frames, m, m)
    change = medians(np.abs(distance - medians(distance)))
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
    """The rigid motion from markers at rest (m, 3) to markers (frames, m, 3), by the trusted ones."""
    seen = ~np.isnan(positions[:, :, 0])
    floor = float(np.quantile(found.deviation, _FLOOR)) if len(found.deviation) else 0.0
    limit = _OUTLIER * np.maximum(found.deviation, max(floor, 1e-9 * _size(rest)))
    weights = seen * found.weights
    for _ in range(2):
        motion = fitted_motion(positions, rest, weights)
        distances = np.linalg.norm(motion.taken_out(positions) - rest, axis=2)
        distances -= _offset(distances, seen)  # the rest may differ from the usual position
        weights = found.weights * _believed(np.abs(distances), seen, limit)
    return _filled(fitted_motion(positions, rest, weights))


def placed_at_rest(positions: Floats, rest: Floats, found: Stillness, spacing: float) -> tuple[Floats, tuple[str, ...]]:
    """Markers (frames, m, 3) of a head that does not move, brought to its rest (m, 3), and a note if that moves them.

    A helmet camera that was put on anew shows the whole take elsewhere than the one that was bound.
    """
    usual = medians(positions)
    weights = found.weights * ~np.isnan(usual[:, 0])
    move = fitted_motion(usual[None], rest, weights[None])
    off, left = (_usual_distance(at - rest, weights) for at in (usual, move.taken_out(usual[None])[0]))
    if not move.known[0] or off <= _ELSEWHERE * spacing or left > _EXPLAINED * off:
        return positions, ()
    note = f"the take stands elsewhere than the binding, by {off / spacing:.1f} of the markers' spacing: moved there"
    return move.taken_out(positions), (note,)


def _usual_distance(offsets: Floats, weights: Floats) -> float:
    """Root mean square length of offsets (m, 3), each by its weight (m,)."""
    squares = weights * np.nan_to_num(offsets**2).sum(axis=1)
    return float(np.sqrt(squares.sum() / (weights.sum() or 1.0)))


def fitted_motion(positions: Floats, rest: Floats, weights: Floats) -> HeadMotion:
    """The rigid motion that fits markers (frames, m, 3) best, each by its weight (frames, m)."""
    weights = weights * ~np.isnan(rest[:, 0])
    rotations, offsets = align_many(rest[None], positions, weights)
    largest = weights.max(axis=1, initial=0.0, keepdims=True)
    known = ((weights > 1e-4 * largest) & (weights > 0)).sum(axis=1) >= 3
    return HeadMotion(rotations, offsets, known)


def _offset(distances: Floats, seen: NDArray[np.bool_]) -> Floats:
    """Median distance of each marker (m,) from its rest, 0 for one that is never seen."""
    ever = seen.any(axis=0)
    return np.where(ever, medians(distances), 0.0)


def _believed(distances: Floats, seen: NDArray[np.bool_], limit: Floats) -> Floats:
    near = np.nan_to_num(distances, nan=np.inf) < limit
    return np.asarray(seen * np.where(near, 1.0, _DOUBTED))


def medians(values: Floats) -> Floats:
    """Medians over the frames of values (frames, ...) that are not NaN; NaN where there are none."""
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
    """The motion with unknown frames interpolated between known ones."""
    if motion.known.all() or not motion.known.any():
        return motion
    from scipy.spatial.transform import Rotation, Slerp

    at, frames = np.flatnonzero(motion.known), np.arange(len(motion.known))
    offsets = np.stack([np.interp(frames, at, motion.offsets[at, axis]) for axis in range(3)], axis=1)
    turns = Rotation.from_matrix(motion.rotations[at])
    between = np.clip(frames, at[0], at[-1])
    rotations = Slerp(at, turns)(between).as_matrix() if len(at) > 1 else np.repeat(turns.as_matrix(), len(frames), 0)
    return HeadMotion(rotations, offsets, motion.known)
