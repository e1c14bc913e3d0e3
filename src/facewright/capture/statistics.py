"""How well a take was solved, in numbers. Lengths are in millimetres of the actor."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.capture.markers import BoundRig
from facewright.capture.residual import ResidualField
from facewright.capture.solution import FrameStatus, TakeSolution

_APART = 0.5  # seconds between frames that are shown as worst


@dataclass(frozen=True, eq=False)
class TakeStatistics:
    """Residuals and statuses of one solved take."""

    before: Floats  # (frames, k) distance of the markers from their places on the rig; NaN where not believed
    after: Floats  # (frames, k) the same once the residual is spread over the skin
    motion: Floats  # (frames, k) how far the markers moved
    noise: float
    statuses: dict[FrameStatus, int]

    @property
    def of_frames(self) -> Floats:
        """Mean residual of each frame (frames,), NaN where nothing was seen."""
        return _means(self.before, 1)

    @property
    def of_markers(self) -> Floats:
        """Mean residual of each marker (k,), NaN where it was never seen."""
        return _means(self.before, 0)

    @property
    def worst_of_markers(self) -> Floats:
        """Largest residual of each marker (k,), in millimetres."""
        return np.asarray(np.nan_to_num(self.before).max(axis=0, initial=0.0))

    def mean(self) -> float:
        """Mean residual over all frames and markers, in millimetres."""
        return _mean(self.before)

    def mean_after(self) -> float:
        """Mean residual once it is spread over the skin, in millimetres."""
        return _mean(self.after)

    def quantile(self, share: float) -> float:
        """The residual in millimetres that this share of all measurements does not exceed."""
        known = self.before[~np.isnan(self.before)]
        return float(np.quantile(known, share)) if len(known) else 0.0

    def worst_frames(self, count: int, rate: float) -> Ints:
        """The frames with the largest mean residual, apart from each other in time."""
        return worst_frames(self.of_frames, count, rate)


def take_statistics(solved: TakeSolution) -> TakeStatistics:
    """The statistics of a solved take."""
    mm = solved.millimetres
    field = ResidualField(BoundRig(solved.rig, solved.binding))
    spread = field.at_markers(field.strengths(solved.filled_offsets))
    after = np.linalg.norm(solved.residual_offsets - spread, axis=2)
    motion = np.linalg.norm(np.where(solved.believed[:, :, None], solved.wanted, np.nan), axis=2)
    statuses = Counter(solved.status)
    return TakeStatistics(mm * solved.residual, mm * after, mm * motion, mm * solved.noise, dict(statuses))


def worst_frames(means: Floats, count: int, rate: float) -> Ints:
    """The frames with the largest means (frames,), apart from each other in time, in order."""
    chosen: list[int] = []
    for frame in np.argsort(-np.nan_to_num(means, nan=-1.0), kind="stable").tolist():
        if len(chosen) == count or np.isnan(means[frame]):
            break
        if all(abs(frame - other) >= _APART * rate for other in chosen):
            chosen.append(frame)
    return np.array(sorted(chosen), np.int64)


def largest_step(solved: TakeSolution) -> float:
    """The largest change of a weight from one frame to the next."""
    return float(np.abs(np.diff(solved.weights, axis=0)).max(initial=0.0))


def _means(values: Floats, axis: int) -> Floats:
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=axis)
    count = known.sum(axis=axis)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else 0.0
