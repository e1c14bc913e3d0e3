"""The published updates: spectral filters, which know no bounds."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.pinned import Pinned
from facewright.solve.filters import Filter, Spectrum
from facewright.solve.solution import Status

_HOLD = 10.0  # a hold row counts that many times one of strength 1


class FilteredUpdate:
    """Changes of the free sliders by one filter, the rig taken as linear about the start."""

    def __init__(self, pinned: Pinned, slopes: Floats, filter: Filter, free: Ints) -> None:
        self._filter, self._free, self._n = filter, free, slopes.shape[1]
        self._weight = pinned.strength * np.where(pinned.hold, _HOLD, 1.0)
        self._spectrum = Spectrum(self._weight[:, None] * (pinned.rows @ slopes[:, free]))

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        change = np.zeros(self._n)
        change[self._free] = self._spectrum.apply(self._filter, self._weight * wanted)
        return change, Status.SOLVED
