"""Markers that were not seen: a first guess for a fit to improve on, and a way over gaps that shows no jump."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.frame_solvers import FrameTargets, IndependentFrames

_SHORT = 1.0  # second: gaps up to this are first taken to be straight


def first_filling(
    wanted: Floats, seen: NDArray[np.bool_], rate: float, alone: IndependentFrames, price: Floats
) -> Floats:
    """Motion (frames, k, 3): straight across short gaps; across long ones what the other markers say."""
    long = long_gaps(seen, max(1, int(_SHORT * rate)))
    filling = np.where(seen[:, :, None], wanted, 0.0)
    frames = np.arange(len(seen))
    for marker in np.flatnonzero(seen.any(axis=0) & ~seen.all(axis=0)):
        at = np.flatnonzero(seen[:, marker])
        for axis in range(3):
            filling[:, marker, axis] = np.interp(frames, at, wanted[at, marker, axis])
    affected = np.flatnonzero(long.any(axis=1))
    if len(affected):
        told = alone.motion(alone(FrameTargets(filling[affected], ~long[affected], price)).x)
        filling[affected] = np.where(long[affected][:, :, None], told, filling[affected])
    return filling


def bridged(left: Floats, rate: float) -> Floats:
    """What is left at markers (frames, k, 3), NaN in gaps, passed over them: straight; long ones fade to nothing.

    A marker that is lost must not let go of the skin from one frame to the next, nor seize it when it is found again.
    """
    seen = ~np.isnan(left[:, :, 0])
    filled, frames, most = np.nan_to_num(left), np.arange(len(left)), max(1, int(_SHORT * rate))
    long = long_gaps(seen, most)
    for marker in np.flatnonzero(seen.any(axis=0) & ~seen.all(axis=0)):
        at = np.flatnonzero(seen[:, marker])
        after = np.searchsorted(at, frames)
        away = np.minimum(
            np.abs(frames - at[np.maximum(after - 1, 0)]), np.abs(at[np.minimum(after, len(at) - 1)] - frames)
        )
        hold = np.where(long[:, marker], np.maximum(1 - 2 * away / most, 0.0), 1.0)
        for axis in range(3):
            filled[:, marker, axis] = hold * np.interp(frames, at, left[at, marker, axis])
    return filled


def long_gaps(seen: NDArray[np.bool_], most: int) -> NDArray[np.bool_]:
    """Which gaps (frames, k) last more than `most` frames, or reach an end of the take."""
    found = np.zeros(seen.shape, bool)
    for marker in np.flatnonzero(~seen.all(axis=0)):
        for start, stop in runs(~seen[:, marker]):
            found[start:stop, marker] = stop - start > most or start == 0 or stop == len(seen)
    return found


def runs(on: NDArray[np.bool_]) -> Ints:
    """First frames and frames after the last (r, 2) of stretches that are on."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(np.int8)))
    return edges.reshape(-1, 2)
