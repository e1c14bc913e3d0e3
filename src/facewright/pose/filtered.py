"""The published updates: spectral filters, which know no bounds."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.motion import Motion
from facewright.pose.pinned import Pinned
from facewright.pose.rules import Distances, stopped_within
from facewright.solve.filters import Filter, Spectrum
from facewright.solve.solution import Status

_HOLD = 10.0  # a hold row counts that many times one of strength 1


class FilteredUpdate:
    """Changes of the free sliders by one filter, the rig linear about the start, up to where a rule ends it."""

    def __init__(self, motion: Motion, pinned: Pinned, start: Floats, filter: Filter, free: Ints) -> None:
        self._filter, self._free, self._start = filter, free, start
        self._distances = Distances(motion)
        self._weight = pinned.strength * np.where(pinned.hold, _HOLD, 1.0)
        slopes = motion.combine.jacobian(start)[:, free]
        self._spectrum = Spectrum(self._weight[:, None] * (pinned.rows @ slopes))

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        change = np.zeros(len(self._start))
        change[self._free] = self._spectrum.apply(self._filter, self._weight * wanted)
        return stopped_within(self._distances, self._start, change), Status.SOLVED
