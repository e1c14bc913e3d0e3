"""Smoothing in time of a whole take, in closed form.

In coordinates in which both B'B and R are diagonal, min sum |B x_t - m_t|^2 + sum (x_t+1 - x_t)' R (x_t+1 - x_t) over
all frames separates into one tridiagonal system for each coordinate. Coordinates that the markers see well follow them;
the less they are seen, the more they are smoothed. Bounds are applied afterwards, frame by frame, in the metric of the
precision that all frames together give to one.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, lapack

from facewright.arrays import Floats

_UNSEEN = 1e-8  # least eigenvalue of B'B relative to R, so that unseen coordinates do not depend on rounding


class TemporalSmoother:
    """Least squares over time for one B'B = H (n, n) and one R (n, n), both definite."""

    def __init__(self, H: Floats, R: Floats) -> None:
        self._seen, self._basis = eigh(H, R)  # basis' R basis = 1, basis' H basis = diag(seen)
        self._seen = np.maximum(self._seen, _UNSEEN)
        self._back = self._basis.T @ R  # (n, n) the inverse of the basis
        # The precision of a frame in the middle: the inverse of the smoother's Green function at 0.
        self._sure = np.sqrt(self._seen**2 + 4 * self._seen)
        metric = (self._back.T * self._sure) @ self._back
        self.metric = (metric + metric.T) / 2  # (n, n)
        self._chains: list[_Chain] = []

    def pulls(self, asked: Floats) -> Floats:
        """Linear terms (frames, n) for the metric in place of H, from B'm of every frame (frames, n)."""
        along = asked @ self._basis
        if not self._chains or self._chains[0].frames != len(asked):
            self._chains = [_Chain(len(asked), seen) for seen in self._seen.tolist()]
        smooth = np.stack([chain(column) for chain, column in zip(self._chains, along.T, strict=True)], axis=1)
        return np.asarray((smooth * self._sure) @ self._back)

    def moved(self, pulls: Floats) -> Floats:
        """Change of the unknowns (frames, n), without bounds, for a change of the linear terms (frames, n)."""
        return ((pulls @ self._basis) / self._sure) @ self._basis.T


class _Chain:
    """min sum (seen/2 z_t^2 - asked_t z_t) + 1/2 sum (z_t+1 - z_t)^2: a tridiagonal system, factorised once."""

    def __init__(self, frames: int, seen: float) -> None:
        self.frames = frames
        diagonal = np.full(frames, seen + (2.0 if frames > 1 else 0.0))
        diagonal[[0, -1]] -= 1.0 if frames > 1 else 0.0
        self._diagonal, self._below, failed = lapack.dpttrf(diagonal, np.full(max(frames - 1, 1), -1.0))
        assert not failed

    def __call__(self, asked: Floats) -> Floats:
        solved, failed = lapack.dpttrs(self._diagonal, self._below, asked)
        assert not failed
        return np.asarray(solved)


def white_noise(values: Floats, floor: float) -> float:
    """Standard deviation of white noise in values (frames, ...), which may have gaps.

    Third differences of a smooth motion are small; those of white noise have 20 times its variance. The median is not
    affected by a few frames of fast motion.
    """
    if len(values) < 4:
        return floor
    third = values[3:] - 3 * values[2:-1] + 3 * values[1:-2] - values[:-3]
    third = np.abs(third[np.isfinite(third)])
    return max(float(np.median(third)) / (0.6745 * np.sqrt(20)), floor) if len(third) else floor
