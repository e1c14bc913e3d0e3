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

_WEAK = 1e-3  # of the strongest direction of what is held: a weaker one is free


class FilteredUpdate:
    """Changes of the free sliders by one filter, the rig taken as linear about the start.

    Hold pins stay, unless softly: only changes that leave them are used. A change ends where it reaches a rule's
    distance; of an exclusive pair one slider is left out; bounds are ignored.
    """

    def __init__(self, deltas: DeltaMatrix, pins: PinRows, start: Floats, filter: Filter, free: Ints) -> None:
        self._filter, self._start = filter, start
        self._rules = DistanceRules(deltas.rig, deltas.combine, deltas.at_vertices)
        self._exclusive = ExclusivePairs(deltas, start)
        self._weight = pins.strength[~pins.firm]  # (m,)
        self._asked = self._weight[:, None] * pins.by_slider[~pins.firm]  # (m, n)
        self._held, self._moving = pins.by_slider[pins.firm], np.flatnonzero(~pins.firm)
        anywhere = np.full(len(start), np.inf)
        self._limits = Limits(-anywhere, anywhere).locked(np.setdiff1d(np.arange(len(start)), free))
        self._prepared = self._spectrum(free)

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.solve(self._limits, lambda within: self._within(wanted, within))

    def _within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        free = np.flatnonzero(limits.high > 0)
        ways, spectrum = self._prepared if limits is self._limits else self._spectrum(free)
        change = np.zeros(len(self._start))
        change[free] = ways @ spectrum.apply(self._filter, self._weight * wanted[self._moving])
        return stopped_within(self._rules, self._start, change), Status.SOLVED

    def _spectrum(self, free: Ints) -> tuple[Floats, Spectrum]:
        """Changes of the free sliders (k, w) that leave the hold pins where they are, and how they move the others."""
        ways = np.eye(len(free))
        if len(self._held):
            _, s, Vt = np.linalg.svd(self._held[:, free])
            ways = Vt[int((s > _WEAK * s.max(initial=0.0)).sum()) :].T
        return ways, Spectrum(self._asked[:, free] @ ways)
