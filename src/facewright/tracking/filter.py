"""What is expected of the next frame, and what all frames together say of each (Kalman 1960; Rauch and others 1965).

A pose x is drawn from N(0, M) and resembles the one before: x_t = a x_(t-1) + noise of the variance (1 - a^2) M, where
a falls with the time between them. Bounds are held by the solve of each frame; smoothing keeps within them by clipping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats


@dataclass(frozen=True, eq=False)
class PoseBelief:
    """What is known of the free sliders at a time."""

    mean: Floats  # (f,)
    covariance: Floats  # (f, f)


@dataclass(frozen=True, eq=False)
class FilteredPose:
    """A frame as the filter left it."""

    expected: Floats  # (f, f) covariance before the frame was seen
    kept: float  # a
    belief: PoseBelief


class PoseProcess:
    """How poses follow each other: M (f, f), and the time in seconds after which little is left of one."""

    def __init__(self, moment: Floats, memory: float) -> None:
        self.moment, self._memory = moment, memory

    def rest(self) -> PoseBelief:
        """Before anything was seen."""
        return PoseBelief(np.zeros(len(self.moment)), self.moment)

    def expected(self, last: PoseBelief, seconds: float) -> tuple[float, PoseBelief]:
        """The share a of the last pose that stays, and what to expect after so many seconds."""
        kept = float(np.exp(-max(seconds, 0.0) / self._memory))
        return kept, PoseBelief(kept * last.mean, kept**2 * last.covariance + (1 - kept**2) * self.moment)


def smoothed(frames: Sequence[FilteredPose], low: Floats, high: Floats) -> Floats:
    """Poses (frames, f) that all frames together say are most likely, within bounds (f,)."""
    poses = np.array([frame.belief.mean for frame in frames])
    for i in range(len(frames) - 2, -1, -1):
        here, after = frames[i], frames[i + 1]
        gain = after.kept * np.linalg.solve(after.expected, here.belief.covariance).T  # (f, f)
        poses[i] += gain @ (poses[i + 1] - after.kept * poses[i])
        np.clip(poses[i], low, high, out=poses[i])
    return poses
