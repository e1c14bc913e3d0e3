"""Keys between their neighbours: breakdowns, blends towards a neighbour, smoothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue
from facewright.motion.curve import Curve
from facewright.motion.key_table import KeyTable, near
from facewright.motion.keys import with_keys
from facewright.motion.tangents import Tangent


def breakdown(curve: Curve, times: ArrayLike, share: float, tangent: Tangent | None = None) -> Curve:
    """The curve with keys at the times whose values lie between those of the keys around them.

    share: 0 is the value of the key before, 1 that of the key after; beyond these it overshoots. Keys at the times are
    not their own neighbours. Where there is no key on one side the value stays.
    """
    at, before, after = _neighbours(curve, times)
    now = curve(at)
    between = np.where(np.isnan(before) | np.isnan(after), now, before + share * (after - before))
    return with_keys(curve, at, between, tangent)


def blended(curve: Curve, times: ArrayLike, share: float, tangent: Tangent | None = None) -> Curve:
    """The curve with keys at the times, brought towards a neighbour.

    share: from -1, the value of the key before, over 0, the value as it is, to 1, that of the key after.
    """
    at, before, after = _neighbours(curve, times)
    now, towards = curve(at), before if share < 0 else after
    return with_keys(curve, at, np.where(np.isnan(towards), now, now + abs(share) * (towards - now)), tangent)


def smoothed_keys(curve: Curve, times: ArrayLike, strength: float = 0.5, passes: int = 1) -> Curve:
    """The curve with some keys nearer to the straight line between the keys beside them. The ends stay.

    strength: from 0, nothing, to 1, onto the line; in every pass all keys move at once.
    """
    if not 0 <= strength <= 1 or passes < 1:
        raise BadValue(f"keys are smoothed by a strength from 0 to 1 in one pass or more, not {strength:g}, {passes}")
    keys = KeyTable.of(curve)
    which = keys.chosen(times)
    which[[0, -1]] = False
    inner = np.flatnonzero(which)
    values = keys.values.copy()
    span = keys.times[inner + 1] - keys.times[inner - 1]
    share = (keys.times[inner] - keys.times[inner - 1]) / span
    for _ in range(passes):
        line = (1 - share) * values[inner - 1] + share * values[inner + 1]
        values[inner] += strength * (line - values[inner])
    return replace(keys, values=values).curve_of_some()


def _neighbours(curve: Curve, times: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """The times (t,), increasing, and the values of the other keys before and after each; NaN where there is none."""
    at = np.unique(floats("key times", times, (None,)))
    others = ~near(curve.times, at)
    known, values = curve.times[others], np.concatenate([[np.nan], curve.values[others], [np.nan]])
    place = np.searchsorted(known, at)
    return at, values[place], values[place + 1]
