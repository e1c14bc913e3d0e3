"""Smoothing in time of a whole take, in closed form.

A pose x is likely by a precision P, and moves as something with inertia: the process (d/dt + pace)^2 x = white noise,
whose correlation over a time t is (1 + pace t) exp(-pace t) (Matern 3/2; Rasmussen and Williams 2006, "Gaussian
processes for machine learning", sec. 4.2). Between frames its precision is P times k (pace^2 + L)^2, where L has the
second differences, and k makes P the precision of a frame by itself. In coordinates in which both B'B and P are
diagonal, min sum |B x_t - m_t|^2 + that of the process over all frames separates into one system with five diagonals
for each coordinate. Coordinates that the markers see well follow them; the less they are seen, the more they are
smoothed. Bounds are applied afterwards, frame by frame, in the metric of the precision that all frames together give to
one.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, lapack

from facewright.arrays import Floats

_UNSEEN = 1e-8  # least eigenvalue of B'B relative to P, so that unseen coordinates do not depend on rounding


class TemporalSmoother:
    """Least squares over time for one B'B = H (n, n), one definite P (n, n), and the pace per frame."""

    def __init__(self, H: Floats, P: Floats, pace: float) -> None:
        self._pace = pace
        self._seen, self._basis = eigh(H, P)  # basis' P basis = 1, basis' H basis = diag(seen)
        self._seen = np.maximum(self._seen, _UNSEEN)
        self._back = self._basis.T @ P  # (n, n) the inverse of the basis
        self._sure = _precision_in_the_middle(self._seen, pace)
        metric = (self._back.T * self._sure) @ self._back
        self.metric = (metric + metric.T) / 2  # (n, n)
        self._chains: list[_Chain] = []

    def pulls(self, asked: Floats) -> Floats:
        """Linear terms (frames, n) for the metric in place of H, from B'm of every frame (frames, n)."""
        along = asked @ self._basis
        if not self._chains or self._chains[0].frames != len(asked):
            self._chains = [_Chain(len(asked), seen, self._pace) for seen in self._seen.tolist()]
        smooth = np.stack([chain(column) for chain, column in zip(self._chains, along.T, strict=True)], axis=1)
        return np.asarray((smooth * self._sure) @ self._back)

    def moved(self, pulls: Floats) -> Floats:
        """Change of the unknowns (frames, n), without bounds, for a change of the linear terms (frames, n)."""
        return ((pulls @ self._basis) / self._sure) @ self._basis.T


class _Chain:
    """min sum (seen/2 z_t^2 - asked_t z_t) + 1/2 z'Kz, K of the process: five diagonals, factorised once."""

    def __init__(self, frames: int, seen: float, pace: float) -> None:
        self.frames = frames
        bands = _process_bands(frames, pace)
        bands[0] += seen
        self._factor, failed = lapack.dpbtrf(bands, lower=1)
        assert not failed

    def __call__(self, asked: Floats) -> Floats:
        solved, failed = lapack.dpbtrs(self._factor, asked, lower=1)
        assert not failed
        return np.asarray(solved)


def _stiffness(pace: float) -> float:
    """The factor k by which the process has the variance 1 in a frame: 1 / k is the mean of (pace^2 + L)^-2."""
    return float((pace**2 + 2) / (pace**3 * (pace**2 + 4) ** 1.5))


def _process_bands(frames: int, pace: float) -> Floats:
    """K = k (pace^2 + L)^2 of a chain with free ends: its diagonal and the two below it (3, frames)."""
    diagonal = np.full(frames, pace**2 + 2.0)
    diagonal[0] -= 1.0
    diagonal[-1] -= 1.0
    bands = np.zeros((3, frames))
    bands[0] = diagonal**2
    bands[0, 1:] += 1.0
    bands[0, :-1] += 1.0
    bands[1, :-1] = -(diagonal[:-1] + diagonal[1:])
    bands[2, :-2] = 1.0
    return np.asarray(_stiffness(pace) * bands)


def _precision_in_the_middle(seen: Floats, pace: float) -> Floats:
    """Of a frame of a long take (n,): the inverse of the mean of 1 / (seen + k (pace^2 + 2 - 2 cos)^2) over a circle.

    The mean of 1 / (c - 2 cos) is 1 / sqrt(c^2 - 4), also for the complex c by which that fraction is taken apart.
    """
    k = _stiffness(pace)
    off = pace**2 - 1j * np.sqrt(seen / k)
    return np.asarray(np.sqrt(seen * k) / np.imag(1 / np.sqrt(off * (off + 4))))


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
