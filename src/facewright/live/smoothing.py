"""The One Euro filter (Casiez 2012) for values that come one by one, at times of their own."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue

_LONGEST = 0.5  # seconds without a value after which the filter begins anew


class OneEuro:
    """Smooths rows (n,). cutoff (Hz): for values at rest. eagerness: Hz for each unit per second of speed."""

    def __init__(self, cutoff: float = 1.5, eagerness: float = 6.0, speed_cutoff: float = 1.0) -> None:
        for name, value in (("cutoff", cutoff), ("speed cutoff", speed_cutoff)):
            if not (np.isfinite(value) and value > 0):
                raise BadValue(f"the {name} is a positive number of Hz, not {value}")
        if not (np.isfinite(eagerness) and eagerness >= 0):
            raise BadValue(f"eagerness is a number from 0 up, not {eagerness}")
        self._cutoff, self._eagerness, self._speed_cutoff = cutoff, eagerness, speed_cutoff
        self._row: Floats | None = None
        self._speed: Floats | float = 0.0
        self._time = 0.0

    def __call__(self, row: Floats, time: float) -> Floats:
        """The row, smoothed with those before it. A row of another length, or after a gap, begins anew."""
        before, step = self._row, time - self._time
        self._time = time
        if before is None or before.shape != row.shape or not 0 < step <= _LONGEST:
            self._row, self._speed = np.array(row), np.zeros(row.shape)
            return self._row
        raw = (row - before) / step
        self._speed = self._speed + _share(self._speed_cutoff, step) * (raw - self._speed)
        share = _share(self._cutoff + self._eagerness * np.abs(self._speed), step)
        self._row = before + share * (row - before)
        return np.asarray(self._row)


def _share(cutoff: Floats | float, step: float) -> Floats:
    """The share of a new value that a first-order low-pass takes after a step in seconds."""
    turn = 2 * np.pi * np.asarray(cutoff) * step
    return np.asarray(turn / (turn + 1))
