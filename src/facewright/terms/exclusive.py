"""Pairs of sliders that are never both on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.limits import Limits

_ON = 1e-9  # a weight above this is on


class Exclusive:
    """The exclusive pairs of a rig, and who of them gives way. A pair that is both on at the start is left alone."""

    def __init__(self, motion: DeltaMatrix, start: Floats) -> None:
        rig = motion.rig
        pairs = [[rig.slider_index(name) for name in pair] for pair in rig.exclusive]
        self._pairs = np.array(pairs, np.int64).reshape(-1, 2)
        self._start = start
        was_on = np.abs(start[self._pairs]) > _ON  # (p, 2)
        self._pairs = self._pairs[~was_on.all(axis=1)]
        self._amount = motion.amount(start) if len(self._pairs) else np.zeros(len(start))

    def settled(self, limits: Limits, answer: Callable[[Limits], tuple[Floats, Status]]) -> tuple[Floats, Status]:
        """The answer (n,), a change from the start, with those that give way kept where they were."""
        change, status = answer(limits)
        while len(losers := self.losers(change, limits)):
            limits = limits.locked(losers)
            change, status = answer(limits)
        return change, status

    def losers(self, change: Floats, limits: Limits) -> Ints:
        """Sliders that have to stay as they were: their partner was on before, or now moves the face more."""
        if not len(self._pairs):
            return self._pairs[:, 0]
        after = np.abs(self._start + change)
        both = self._pairs[(after[self._pairs] > _ON).all(axis=1)]
        was_on = np.abs(self._start[both]) > _ON
        loses = np.where(was_on.any(axis=1), was_on.argmin(axis=1), (after * self._amount)[both].argmin(axis=1))
        losers = both[np.arange(len(both)), loses]
        return np.asarray(losers[(limits.low[losers] < 0) | (limits.high[losers] > 0)])
