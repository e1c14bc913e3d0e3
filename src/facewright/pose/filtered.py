"""The published updates: spectral filters, which know no bounds."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.pin_rows import PinRows
from facewright.solve.filters import Filter, Spectrum
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.exclusive import Exclusive
from facewright.terms.limits import Limits
from facewright.terms.rules import Distances, stopped_within

_HOLD = 10.0  # a hold row counts that many times one of strength 1


class FilteredUpdate:
    """Changes of the free sliders by one filter, the rig linear about the start, up to where a rule ends it.

    Bounds are not known here; of an exclusive pair one slider is left out.
    """

    def __init__(self, motion: DeltaMatrix, pinned: PinRows, start: Floats, filter: Filter, free: Ints) -> None:
        self._filter, self._start = filter, start
        self._distances, self._exclusive = Distances(motion), Exclusive(motion, start)
        self._weight = pinned.strength * np.where(pinned.hold, _HOLD, 1.0)
        self._rows = self._weight[:, None] * pinned.by_slider  # (q, n)
        anywhere = np.full(len(start), np.inf)
        self._limits = Limits(-anywhere, anywhere).locked(np.setdiff1d(np.arange(len(start)), free))
        self._spectrum = Spectrum(self._rows[:, free])

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.settled(self._limits, lambda within: self._answer(wanted, within))

    def _answer(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        free = np.flatnonzero(limits.high > 0)
        spectrum = self._spectrum if limits is self._limits else Spectrum(self._rows[:, free])
        change = np.zeros(len(self._start))
        change[free] = spectrum.apply(self._filter, self._weight * wanted)
        return stopped_within(self._distances, self._start, change), Status.SOLVED
