"""Edits of the keys of one curve. Keys are identified by their times; a curve that loses its last key becomes None."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, floats
from facewright.errors import BadValue
from facewright.motion.curve import Curve, Interpolation

SAME_TIME = 1e-6  # seconds: keys nearer than this are the same


def with_keys(curve: Curve | None, times: ArrayLike, values: ArrayLike) -> Curve:
    """The curve with added keys; an existing key gets the new value. New keys of cubic curves are flat."""
    new = _sorted(floats("key times", times, (None,)), values)
    if curve is None:
        return Curve(*new)
    rest = _without(curve, _near(curve.times, new[0]))
    return _joined(curve.interpolation, rest, (*new, np.zeros((len(new[0]), 2))))


def without_keys(curve: Curve, times: ArrayLike) -> Curve | None:
    """The curve without some keys."""
    return _curve(curve.interpolation, _without(curve, _chosen(curve, times)))


def moved_keys(curve: Curve, times: ArrayLike, by: float, lift: float = 0.0) -> Curve:
    """The curve with some keys moved in time and value; keys at the new times are replaced."""
    chosen = _chosen(curve, times)
    rest, moved = _without(curve, chosen), _without(curve, ~chosen)
    return _landed(curve.interpolation, rest, (moved[0] + by, moved[1] + lift, moved[2]))


def copied_keys(curve: Curve, times: ArrayLike, by: float) -> Curve:
    """The curve with copies of some keys at other times; keys at those times are replaced."""
    copies = _without(curve, ~_chosen(curve, times))
    return _landed(curve.interpolation, _keys(curve), (copies[0] + by, copies[1], copies[2]))


def interpolated(curve: Curve, interpolation: Interpolation) -> Curve:
    """The same keys with another interpolation; a curve that becomes cubic eases in and out."""
    slopes = curve.slopes if interpolation == "cubic" else None
    return Curve(curve.times, curve.values, interpolation, slopes)


_Keys = tuple[Floats, Floats, Floats]  # times (k,), values (k,), slopes (k, 2)


def _keys(curve: Curve) -> _Keys:
    slopes = np.zeros((len(curve.times), 2)) if curve.slopes is None else curve.slopes
    return curve.times, curve.values, slopes


def _without(curve: Curve, which: NDArray[np.bool_]) -> _Keys:
    times, values, slopes = _keys(curve)
    return times[~which], values[~which], slopes[~which]


def _near(times: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which of the times are also among the others (increasing)."""
    if not len(others):
        return np.zeros(len(times), bool)
    right = np.clip(np.searchsorted(others, times), 0, len(others) - 1)
    left = np.maximum(right - 1, 0)
    return np.minimum(np.abs(others[left] - times), np.abs(others[right] - times)) <= SAME_TIME


def _chosen(curve: Curve, times: ArrayLike) -> NDArray[np.bool_]:
    named = np.unique(floats("key times", times, (None,)))
    missing = named[~_near(named, curve.times)]
    if len(missing):
        raise BadValue(f"there is no key at {missing[0]:g} s; this curve has keys from {curve.times[0]:g} s on")
    return _near(curve.times, named)


def _landed(interpolation: Interpolation, rest: _Keys, landed: _Keys) -> Curve:
    kept = ~_near(rest[0], landed[0])
    return _joined(interpolation, (rest[0][kept], rest[1][kept], rest[2][kept]), landed)


def _joined(interpolation: Interpolation, one: _Keys, other: _Keys) -> Curve:
    order = np.argsort(np.concatenate([one[0], other[0]]), kind="stable")
    times, values, slopes = (np.concatenate([a, b])[order] for a, b in zip(one, other, strict=True))
    found = _curve(interpolation, (times, values, slopes))
    assert found is not None
    return found


def _curve(interpolation: Interpolation, keys: _Keys) -> Curve | None:
    times, values, slopes = keys
    return Curve(times, values, interpolation, slopes if interpolation == "cubic" else None) if len(times) else None


def _sorted(times: Floats, values: ArrayLike) -> tuple[Floats, Floats]:
    if not len(times):
        raise BadValue("name at least one time to set a key at")
    given = floats("key values", values, (len(times),))
    order = np.argsort(times, kind="stable")
    return times[order], given[order]
