"""A curve as another program plays it: with keys at more times, without steps, with its repeats as keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.motion.curve import Curve
from facewright.motion.key_table import SAME_TIME, KeyTable
from facewright.motion.tangents import BROKEN, LINEAR, STEP

_MOST_KEYS = 1_000_000  # of a curve whose repeats are keys
_JUMP = 1e-3  # seconds that the jump of a step takes where the result is no step


def slopes_at(curve: Curve, times: Floats) -> Floats:
    """Slopes (k, 2) of a curve, arriving at some times and leaving them; 0 outside of the keys and on steps."""
    if len(curve.times) == 1 or curve.interpolation == "step":
        return np.zeros((len(times), 2))
    last = len(curve.times) - 2
    arriving = np.searchsorted(curve.times, times, side="left") - 1
    leaving = np.searchsorted(curve.times, times, side="right") - 1
    segments = np.stack([arriving, leaving], axis=1)
    left = np.clip(segments, 0, last)
    moves = (segments >= 0) & (segments <= last)
    if curve.tangents is not None:
        moves &= curve.tangents[left] != STEP
    span = curve.times[left + 1] - curve.times[left]
    u = (times[:, None] - curve.times[left]) / span
    rise = curve.values[left + 1] - curve.values[left]
    if curve.slopes is None:
        return np.asarray(np.where(moves, rise / span, 0.0))
    leave, arrive = curve.slopes[left, 1] * span, curve.slopes[left + 1, 0] * span
    slope = leave + 2 * u * (3 * rise - 2 * leave - arrive) + 3 * u**2 * (-2 * rise + leave + arrive)
    return np.asarray(np.where(moves, slope / span, 0.0))


def divided(curve: Curve, times: Floats) -> Curve:
    """The same curve as a cubic one with keys at these times and no others; they contain those of its own keys.

    Each piece of a cubic segment is a cubic segment. A step needs two of the times, of which one is just before it.
    """
    return Curve(times, curve(times), "cubic", slopes_at(curve, times))


def steps_of(curve: Curve) -> Floats:
    """The times of the keys at which a step ends."""
    return np.asarray(curve.times[1:][KeyTable.of(curve).codes[:-1] == STEP])


def without_steps(curve: Curve) -> Curve:
    """A curve whose steps are ramps of a millisecond at most, with a second key shortly before each jump."""
    keys = KeyTable.of(curve)
    held = np.flatnonzero(keys.codes[:-1] == STEP)
    if not len(held):
        return curve
    ends = keys.times[held + 1]
    before = ends - np.minimum(_JUMP, (ends - keys.times[held]) / 2)
    if curve.interpolation == "step":
        pieces = KeyTable(before, keys.values[held], np.zeros((len(held), 2)), np.full(len(held), LINEAR))
        return replace(keys, codes=np.full(len(keys.times), LINEAR)).with_landed(pieces).curve_of_some()
    split = divided(replace(curve, outside="hold"), np.union1d(curve.times, before))
    assert split.slopes is not None
    slopes = split.slopes.copy()  # a ramp is straight
    at = np.searchsorted(split.times, ends)
    ramp = (split.values[at] - split.values[at - 1]) / (split.times[at] - split.times[at - 1])
    slopes[at - 1, 1] = slopes[at, 0] = ramp
    return Curve(split.times, split.values, "cubic", slopes, np.full(len(split.times), BROKEN), curve.outside)


def unrolled(curve: Curve, start: float, end: float) -> Curve:
    """The curve from one time to another with its repeats as keys; where a repeat jumps, a key is just before it."""
    if curve.outside == "hold" or len(curve.times) == 1:
        return curve
    keys = KeyTable.of(curve)
    period, rise = keys.times[-1] - keys.times[0], keys.values[-1] - keys.values[0]
    first = min(np.floor((start - keys.times[0]) / period), 0)
    last = max(np.ceil((end - keys.times[-1]) / period), 0)
    if (last - first + 1) * len(keys.times) > _MOST_KEYS:
        raise BadValue(f"a cycle of {period:g} s from {start:g} to {end:g} s has more than {_MOST_KEYS:,} keys")
    turns = np.arange(first, last + 1)[:, None]
    times = keys.times + turns * period  # (t, k)
    values = keys.values + turns * (rise if curve.outside == "offset" else 0.0)
    slopes = np.tile(keys.slopes, (len(turns), 1, 1))
    codes = keys.codes if curve.interpolation != "cubic" else np.where(keys.codes == STEP, STEP, BROKEN)
    kept = np.ones(times.shape, bool)
    if curve.outside == "cycle" and rise != 0:
        times[:-1, -1] -= 2 * SAME_TIME
    else:  # the last key of a turn is the first one of the next
        kept[:-1, -1] = False
        slopes[1:, 0, 0] = keys.slopes[-1, 0]
    every = KeyTable(times[kept], values[kept], slopes[kept], np.broadcast_to(codes, times.shape)[kept])
    return every.curve_of_some()
