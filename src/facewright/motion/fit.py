"""Keys for values that are known at every time: cubic segments between few keys, or straight lines between fewer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from facewright.arrays import Floats
from facewright.motion.curve import Curve
from facewright.motion.reduce import reduce_curve

CLOSE = 2e-5  # how far a value is off at most, in weights
_SHORTEST = 1e-4  # seconds of a segment that is not halved any more
_JUMP = 1e-5  # seconds: a shorter segment is a step, and straight
_ROUNDS = 16
_MOST_KEYS = 200_000
_AT = np.arange(7) / 6  # where a segment is looked at: its ends, thirds, and between them


def cubic_keys(values: Callable[[Floats], Floats], times: Floats) -> tuple[Floats, Floats]:
    """Times (k,) and rows (k, 3, s) of arriving slopes, values and leaving slopes that follow values (k, s) of times.

    times: at least two, among them all at which the values bend. The cubic of a segment is the one through its ends and
    thirds, so that values which are cubic there are met exactly; other segments are halved until they are.
    """
    found = _segments(values, times)
    for _ in range(_ROUNDS):
        span = np.diff(times)
        apart = np.abs(found.true - found.cubic).max(axis=(1, 2), initial=0.0)
        halved = (apart > CLOSE) & (span > _SHORTEST)
        if not halved.any() or len(times) + halved.sum() > _MOST_KEYS:
            break
        times = np.sort(np.concatenate([times, times[:-1][halved] + span[halved] / 2]))
        found = _segments(values, times)
    rows = np.zeros((len(times), 3, found.start.shape[1]))
    rows[:-1, 1], rows[-1, 1] = found.start, found.end[-1]
    rows[:-1, 2], rows[1:, 0] = found.leaving, found.arriving
    return times, rows


def straight_keys(times: Floats, values: Floats) -> Floats:
    """Which of some keys (k,) are left where straight lines through them stay close to all values (k, s)."""
    kept = np.zeros(len(times), bool)
    kept[[0, -1]] = True
    for column in values.T:
        if column.any():
            # Lines to keys that another column needs are off by twice as much at most.
            kept[np.searchsorted(times, reduce_curve(Curve(times, column), CLOSE / 2).times)] = True
    return np.asarray(kept)


class _Segments:
    """Segments (k) of values (s): ends, slopes in value per second, and how they are in between."""

    def __init__(self, at: Floats, span: Floats) -> None:
        """At (k, 7, s): the values along each segment."""
        self.start, self.end = at[:, 0], at[:, 6]
        rise = self.end - self.start
        leaving = (-11 * at[:, 0] + 18 * at[:, 2] - 9 * at[:, 4] + 2 * at[:, 6]) / 2
        arriving = (-2 * at[:, 0] + 9 * at[:, 2] - 18 * at[:, 4] + 11 * at[:, 6]) / 2
        is_jump = (span < _JUMP)[:, None]
        leaving, arriving = np.where(is_jump, rise, leaving), np.where(is_jump, rise, arriving)
        self.leaving, self.arriving = leaving / span[:, None], arriving / span[:, None]
        u = _AT[1::2, None]
        self.true = np.where(is_jump[:, None], 0.0, at[:, 1::2])
        cubic = (
            self.start[:, None]
            + u * leaving[:, None]
            + u**2 * (3 * rise - 2 * leaving - arriving)[:, None]
            + u**3 * (leaving + arriving - 2 * rise)[:, None]
        )
        self.cubic = np.where(is_jump[:, None], 0.0, cubic)


def _segments(values: Callable[[Floats], Floats], times: Floats) -> _Segments:
    span = np.diff(times)
    at = times[:-1, None] + span[:, None] * _AT
    at[:, 6] = times[1:]
    return _Segments(values(at.ravel()).reshape(len(span), 7, -1), span)
