"""Reduces the number of keys within a tolerance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.key_table import KeyTable

_POINTS = 4  # at which a curve is compared from one key to the next, the first of them a key


def reduce_curve(curve: Curve, tolerance: float) -> Curve:
    """A curve on some of the keys that nowhere differs from the given one by more than the tolerance.

    Only linear curves are reduced: between linear keys the largest difference is at a key, so that checking the keys is
    enough. Others are returned as they are.
    """
    _check(tolerance)
    if curve.interpolation != "linear" or len(curve.times) < 3:
        return curve
    kept = _kept(curve.times, curve.values, tolerance)
    return Curve(curve.times[kept], curve.values[kept])


def reduce_clip(clip: Clip, tolerance: float | dict[str, float]) -> Clip:
    """A clip with each curve reduced; tolerance: one for all, or by curve (curves without one stay as they are)."""
    each = tolerance if isinstance(tolerance, dict) else dict.fromkeys(clip.curves, tolerance)
    curves = {name: reduce_curve(curve, each[name]) if name in each else curve for name, curve in clip.curves.items()}
    return replace(clip, curves=curves)


def _kept(times: Floats, values: Floats, tolerance: float) -> NDArray[np.bool_]:
    """The kept keys: each line goes as far as all keys under it allow, by a cone of slopes that
    narrows with every key.
    """
    kept = np.zeros(len(times), bool)
    kept[[0, -1]] = True
    at = 0
    while at < len(times) - 1:
        at = _furthest(times, values, at, tolerance)
        kept[at] = True
    return kept


def _furthest(times: Floats, values: Floats, start: int, tolerance: float) -> int:
    """The last key that a straight line from `start` can reach."""
    length, best = 8, start + 1
    while True:
        stop = min(start + 1 + length, len(times))
        span = times[start + 1 : stop] - times[start]
        rise = values[start + 1 : stop] - values[start]
        low = np.maximum.accumulate((rise - tolerance) / span)
        high = np.minimum.accumulate((rise + tolerance) / span)
        slope = rise / span
        fits = np.flatnonzero((slope >= low) & (slope <= high))
        best = max(best, start + 1 + int(fits[-1])) if len(fits) else best
        if stop == len(times) or low[-1] > high[-1]:
            return best
        length *= 4


def _check(tolerance: float) -> None:
    if not (np.isfinite(tolerance) and tolerance >= 0):
        raise BadValue(f"the tolerance is a number from 0 up, in the unit of the curve, not {tolerance}")


def reduced_keys(curve: Curve, times: ArrayLike, tolerance: float) -> Curve:
    """The curve without those of some keys that it can do without: it differs nowhere by more than the tolerance.

    The keys that stay keep their tangents, so that automatic ones follow from the keys that are left. Where the curve
    differs most, a key comes back, in all gaps at once. It is compared at all keys and at points between them.
    """
    _check(tolerance)
    keys = KeyTable.of(curve)
    kept = ~keys.chosen(times)
    kept[[0, -1]] = True
    at = _checked_times(curve.times)
    wanted = curve(at)
    while True:
        found = keys.where(kept).curve_of_some()
        apart = np.abs(found(at) - wanted)
        if kept.all() or apart.max() <= tolerance:
            return found
        kept |= _missed_most(keys.times, kept, at, np.where(apart > tolerance, apart, 0.0))


def _checked_times(times: Floats) -> Floats:
    """The keys, and points between them."""
    shares = np.arange(_POINTS) / _POINTS
    return np.append((times[:-1, None] + shares * np.diff(times)[:, None]).ravel(), times[-1])


def _missed_most(times: Floats, kept: NDArray[np.bool_], at: Floats, apart: Floats) -> NDArray[np.bool_]:
    """For each gap between kept keys with a difference, the left-out key that is nearest to the largest one."""
    found = np.zeros(len(times), bool)
    edges, gap = np.flatnonzero(kept), np.searchsorted(times[kept], at, side="right") - 1
    for left in np.unique(gap[apart > 0]):
        inside = np.arange(edges[left] + 1, edges[min(left + 1, len(edges) - 1)])
        if len(inside):
            worst = at[gap == left][apart[gap == left].argmax()]
            found[inside[np.abs(times[inside] - worst).argmin()]] = True
    # Where a gap has no key left, the difference comes from a neighbour's tangent: take back keys on both sides.
    if not found.any():
        missing = np.flatnonzero(~kept)
        worst = at[apart.argmax()]
        found[missing[np.abs(times[missing] - worst).argmin()]] = True
    return found
