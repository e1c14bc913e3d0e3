"""The published methods of a drag: spectral filters, without bounds."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.pin_rows import PinRows
from facewright.solve.filters import Filter, Spectrum
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.exclusive import ExclusivePairs
from facewright.terms.limits import Limits
from facewright.terms.rules import DistanceRules, stopped_within

_HOLD = 10.0  # a hold row counts that many times one of strength 1


class FilteredUpdate:
    """Changes of the free sliders by one filter, the rig taken as linear about the start.

    A change ends where it reaches a rule's distance; of an exclusive pair one slider is left out; bounds are ignored.
    """

    def __init__(self, deltas: DeltaMatrix, pins: PinRows, start: Floats, filter: Filter, free: Ints) -> None:
        self._filter, self._start = filter, start
        self._rules = DistanceRules(deltas.rig, deltas.combine, deltas.at_vertices)
        self._exclusive = ExclusivePairs(deltas, start)
        self._weight = pins.strength * np.where(pins.hold, _HOLD, 1.0)
        self._rows = self._weight[:, None] * pins.by_slider  # (q, n)
        anywhere = np.full(len(start), np.inf)
        self._limits = Limits(-anywhere, anywhere).locked(np.setdiff1d(np.arange(len(start)), free))
        self._spectrum = Spectrum(self._rows[:, free])

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.solve(self._limits, lambda within: self._within(wanted, within))

    def _within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        free = np.flatnonzero(limits.high > 0)
        spectrum = self._spectrum if limits is self._limits else Spectrum(self._rows[:, free])
        change = np.zeros(len(self._start))
        change[free] = spectrum.apply(self._filter, self._weight * wanted)
        return stopped_within(self._rules, self._start, change), Status.SOLVED
