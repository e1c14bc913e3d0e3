"""Gaps of markers: a first guess of their motion for a fit, and residuals interpolated across them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.frame_solvers import FrameTargets, IndependentFrames

_SHORT = 1.0  # seconds: shorter gaps are interpolated linearly


def first_filling(
    wanted: Floats, seen: NDArray[np.bool_], rate: float, alone: IndependentFrames, price: Floats
) -> Floats:
    """Motion (frames, k, 3) of all markers: linear across short gaps, across long ones as fitted to the others."""
    long = long_gaps(seen, max(1, int(_SHORT * rate)))
    filling = interpolated(np.where(seen[:, :, None], wanted, np.nan))
    affected = np.flatnonzero(long.any(axis=1))
    if len(affected):
        fitted = alone.motion(alone(FrameTargets(filling[affected], ~long[affected], price)).x)
        filling[affected] = np.where(long[affected][:, :, None], fitted, filling[affected])
    return filling


def interpolated(motion: Floats) -> Floats:
    """Motion of markers (frames, k, 3), NaN in gaps, interpolated linearly across them; 0 of markers never seen."""
    seen, filled = ~np.isnan(motion[:, :, 0]), np.nan_to_num(motion)
    frames = np.arange(len(seen))
    for marker in np.flatnonzero(seen.any(axis=0) & ~seen.all(axis=0)):
        at = np.flatnonzero(seen[:, marker])
        for axis in range(3):
            filled[:, marker, axis] = np.interp(frames, at, motion[at, marker, axis])
    return filled


def bridged(residual: Floats, rate: float) -> Floats:
    """Residuals of markers (frames, k, 3), NaN in gaps, interpolated across them; in long gaps they fade to 0.

    Without this the skin would jump in the frame in which a marker is lost or found again.
    """
    seen = ~np.isnan(residual[:, :, 0])
    filled, frames, most = np.nan_to_num(residual), np.arange(len(residual)), max(1, int(_SHORT * rate))
    long = long_gaps(seen, most)
    for marker in np.flatnonzero(seen.any(axis=0) & ~seen.all(axis=0)):
        at = np.flatnonzero(seen[:, marker])
        after = np.searchsorted(at, frames)
        away = np.minimum(
            np.abs(frames - at[np.maximum(after - 1, 0)]), np.abs(at[np.minimum(after, len(at) - 1)] - frames)
        )
        hold = np.where(long[:, marker], np.maximum(1 - 2 * away / most, 0.0), 1.0)
        for axis in range(3):
            filled[:, marker, axis] = hold * np.interp(frames, at, residual[at, marker, axis])
    return filled


def long_gaps(seen: NDArray[np.bool_], most: int) -> NDArray[np.bool_]:
    """Which gaps (frames, k) last more than `most` frames, or reach an end of the take."""
    found = np.zeros(seen.shape, bool)
    for marker in np.flatnonzero(~seen.all(axis=0)):
        for start, stop in runs(~seen[:, marker]):
            found[start:stop, marker] = stop - start > most or start == 0 or stop == len(seen)
    return found


def runs(on: NDArray[np.bool_]) -> Ints:
    """First frame and the frame after the last (r, 2) of each run of frames that are on."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(np.int8)))
    return edges.reshape(-1, 2)
