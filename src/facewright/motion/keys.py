"""Edits of the keys of one curve. Keys are identified by their times; a curve that loses its last key becomes None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue, UnknownName
from facewright.motion.curve import Curve, Outside
from facewright.motion.key_table import SAME_TIME, KeyTable, near
from facewright.motion.tangents import AUTO, BROKEN, FREE, LINEAR, STEP, TANGENTS, Tangent

__all__ = [
    "SAME_TIME",
    "copied_keys",
    "moved_keys",
    "pasted_keys",
    "scaled_keys",
    "snapped_keys",
    "with_handle",
    "with_keys",
    "with_outside",
    "with_tangents",
    "without_keys",
]


def with_keys(curve: Curve | None, times: ArrayLike, values: ArrayLike, tangent: Tangent | None = None) -> Curve:
    """The curve with added keys; an existing key gets the new value and keeps its tangent.

    tangent: of the new keys; by default as the curve is, auto where it is cubic, linear where there is none.
    """
    at, given = _sorted(floats("key times", times, (None,)), values)
    before = None if curve is None else KeyTable.of(curve)
    usual = {"linear": LINEAR, "step": STEP, "cubic": AUTO}["linear" if curve is None else curve.interpolation]
    codes = np.full(len(at), usual if tangent is None else _code(tangent))
    slopes = np.zeros((len(at), 2))
    if before is None:
        return KeyTable(at, given, slopes, codes).curve_of_some()
    known = near(at, before.times)
    same = np.array([int(np.abs(before.times - t).argmin()) for t in at[known]], np.int64)
    codes[known], slopes[known] = before.codes[same], before.slopes[same]
    return before.with_landed(KeyTable(at, given, slopes, codes)).curve_of_some()


def without_keys(curve: Curve, times: ArrayLike) -> Curve | None:
    """The curve without some keys."""
    keys = KeyTable.of(curve)
    return keys.where(~keys.chosen(times)).curve()


def moved_keys(
    curve: Curve, times: ArrayLike, by: float, lift: float = 0.0, bounds: tuple[float, float] | None = None
) -> Curve:
    """The curve with some keys moved in time and value; keys at the new times are replaced.

    bounds: the values stay within these, and those that are outside already go no further.
    """
    return _replaced(
        curve, times, lambda keys: replace(keys, times=keys.times + by, values=_lifted(keys, lift, bounds))
    )


def scaled_keys(
    curve: Curve, times: ArrayLike, about: float, factor: float, *, level: float = 0.0, gain: float = 1.0
) -> Curve:
    """The curve with some keys further from, or nearer to, a moment in time, and their values to a level."""
    if not (np.isfinite(factor) and factor > 0 and np.isfinite(gain)):
        raise BadValue(f"keys are scaled by a positive number in time, not by {factor:g}")
    return _replaced(
        curve,
        times,
        lambda keys: replace(
            keys,
            times=about + factor * (keys.times - about),
            values=level + gain * (keys.values - level),
            slopes=keys.slopes * (gain / factor),
        ),
    )


def snapped_keys(curve: Curve, times: ArrayLike, rate: float) -> Curve:
    """The curve with some keys on whole frames; of several on one frame the one that was nearest stays."""

    def snapped(keys: KeyTable) -> KeyTable:
        frames = np.round(keys.times * rate)
        order = np.lexsort([np.abs(keys.times * rate - frames), frames])
        first = np.concatenate([[True], np.diff(frames[order]) > 0])
        return replace(keys, times=frames / rate).where(order[first])

    return _replaced(curve, times, snapped)


def copied_keys(curve: Curve, times: ArrayLike, by: float) -> Curve:
    """The curve with copies of some keys at other times; keys at those times are replaced."""
    keys = KeyTable.of(curve)
    copies = keys.where(keys.chosen(times))
    return keys.with_landed(replace(copies, times=copies.times + by)).curve_of_some()


def pasted_keys(curve: Curve | None, keys: Curve, by: float) -> Curve:
    """The curve with the keys of another one at other times; keys at those times are replaced."""
    given = KeyTable.of(keys)
    landed = replace(given, times=given.times + by)
    return (landed if curve is None else KeyTable.of(curve).with_landed(landed)).curve_of_some()


def with_tangents(curve: Curve, times: ArrayLike | None, tangent: Tangent) -> Curve:
    """The curve with tangents of another kind at some keys, or at all (None).

    Free and broken ones begin with the slopes that the curve has there.
    """
    keys, code = KeyTable.of(curve), _code(tangent)
    which = np.ones(len(keys.times), bool) if times is None else keys.chosen(times)
    codes = np.where(which, code, keys.codes)
    slopes = keys.slopes
    if code == FREE:  # one slope for both sides, which is that of neither where the key was a corner
        slopes = np.where(which[:, None], slopes.mean(axis=1, keepdims=True), slopes)
    elif code == STEP:
        slopes = np.where(which[:, None], 0.0, slopes)
    return replace(keys, codes=codes, slopes=slopes).curve_of_some()


def with_handle(curve: Curve, time: float, slope: float, *, leaving: bool, broken: bool = False) -> Curve:
    """The curve with a key whose tangent was turned: free, or broken where it was or is to be."""
    if not np.isfinite(slope):
        raise BadValue(f"a slope is a finite number of units a second, not {slope}")
    keys = KeyTable.of(curve)
    which = keys.chosen([time])
    broken = broken or bool((keys.codes[which] == BROKEN).any())
    slopes = keys.slopes.copy()
    slopes[which, 1 if leaving else 0] = slope
    if not broken:
        slopes[which] = slope
    codes = np.where(which, BROKEN if broken else FREE, keys.codes)
    return replace(keys, slopes=slopes, codes=codes).curve_of_some()


def with_outside(curve: Curve, outside: Outside) -> Curve:
    """The same keys, held, repeated or continued before the first and after the last one."""
    return replace(curve, outside=outside)


def _replaced(curve: Curve, times: ArrayLike, change: Callable[[KeyTable], KeyTable]) -> Curve:
    """The curve with some keys changed; what they land on gives way."""
    keys = KeyTable.of(curve)
    chosen = keys.chosen(times)
    return keys.where(~chosen).with_landed(change(keys.where(chosen))).curve_of_some()


def _lifted(keys: KeyTable, lift: float, bounds: tuple[float, float] | None) -> Floats:
    if bounds is None or lift == 0:
        return keys.values + lift
    low, high = np.minimum(keys.values, bounds[0]), np.maximum(keys.values, bounds[1])
    return np.asarray(np.clip(keys.values + lift, low, high))


def _code(tangent: Tangent) -> int:
    if tangent not in TANGENTS:
        raise UnknownName("tangent", str(tangent), TANGENTS)
    return TANGENTS.index(tangent)


def _sorted(times: Floats, values: ArrayLike) -> tuple[Floats, Floats]:
    if not len(times):
        raise BadValue("name at least one time to set a key at")
    given = floats("key values", values, (len(times),))
    order = np.argsort(times, kind="stable")
    return times[order], given[order]
