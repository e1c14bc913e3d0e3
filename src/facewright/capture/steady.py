"""Steadiness in time: what a whole take says about each frame, in closed form.

A face moves smoothly, its markers shake. The least of sum |B x_t - m_t|^2 + sum (x_t+1 - x_t)' R (x_t+1 - x_t) over
all frames falls apart, in coordinates that make both B'B and R diagonal, into one smoothing of a single value for each
direction: directions that the markers see well follow them, others are steadied the more, the less they are seen.
Bounds are put on afterwards, frame by frame, with the precision that the whole take gives to the frame as the measure.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, lapack

from facewright.arrays import Floats

_UNSEEN = 1e-8  # what a direction that no marker sees is seen, over how restless it is: rounding must not decide


class Steady:
    """Least squares over time for one B'B = H (n, n) and one R, given as its diagonal (n,), both definite."""

    def __init__(self, H: Floats, R: Floats) -> None:
        self._seen, self._basis = eigh(H, np.diag(R))  # basis' R basis = 1, basis' H basis = diag(seen)
        self._seen = np.maximum(self._seen, _UNSEEN)
        self._back = self._basis.T * R  # (n, n) the inverse of the basis
        # Inverse of the middle element of the smoother's Green function: how sure all frames together make one.
        self._sure = np.sqrt(self._seen**2 + 4 * self._seen)
        metric = (self._back.T * self._sure) @ self._back
        self.metric = (metric + metric.T) / 2  # (n, n)

    def pulls(self, asked: Floats) -> Floats:
        """What the metric, in place of H, has to be asked: from B'm of every frame (frames, n)."""
        along = asked @ self._basis
        smooth = np.stack([_smoothed(column, seen) for column, seen in zip(along.T, self._seen, strict=True)], axis=1)
        return np.asarray((smooth * self._sure) @ self._back)


def _smoothed(asked: Floats, seen: float) -> Floats:
    """The least of sum (seen/2 z_t^2 - asked_t z_t) + 1/2 sum (z_t+1 - z_t)^2."""
    frames = len(asked)
    if frames == 1:
        return asked / seen
    diagonal = np.full(frames, seen + 2.0)
    diagonal[[0, -1]] -= 1.0
    solved, failed = lapack.dptsv(diagonal, np.full(frames - 1, -1.0), asked)[2:]
    assert not failed
    return np.asarray(solved)


def white_noise(values: Floats, floor: float) -> float:
    """Standard deviation of what shakes from frame to frame in values (frames, ...), gaps allowed.

    Third differences of a smooth motion are small; of white noise they have 20 times its variance. The median does not
    mind the few frames in which a face moves fast.
    """
    if len(values) < 4:
        return floor
    third = values[3:] - 3 * values[2:-1] + 3 * values[1:-2] - values[:-3]
    third = np.abs(third[np.isfinite(third)])
    return max(float(np.median(third)) / (0.6745 * np.sqrt(20)), floor) if len(third) else floor
