"""Drags on rigs whose sliders bend are continuous: how far sliders may go from one update to the next.

Where sliders bend the cost has several minima, often of nearly the same cost, since the pins do not say which of two
sliders moves. The best one changes suddenly along a drag. So sliders go no further in an update than in proportion to
how far the pins went, and come to another minimum within several updates. Near the start answers come back to what
they would be without a path, in proportion to how far the pins are from it, so that the way back gives the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np

from facewright.arrays import Floats
from facewright.terms.limits import Limits

# Full values that a slider may go while the pins go as far as they have been from the start.
_PACE = 3.0
_WIDER = (1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0)  # times the pace


class _Update(NamedTuple):
    wanted: Floats  # (q,)
    change: Floats  # (k,)
    furthest: float  # that pins were from the start so far


class DragPath:
    """The last update of a drag of pins of some importance (q,), by sliders of full values (k,).

    The same wanted motion twice gives the same answer: it begins where the update before both was.
    """

    def __init__(self, importance: Floats, full: Floats) -> None:
        self._importance, self._full = importance, full
        self._before = self._now = _Update(np.zeros(len(importance)), np.zeros(len(full)), 0.0)

    def boxes(self, wanted: Floats, found: Floats, limits: Limits) -> Iterator[Limits]:
        """Limits near the last answer, increasing, for wanted motion (q,); none if the change found (k,) is near."""
        if np.count_nonzero(wanted != self._now.wanted):
            self._before = self._now
        last, far = self._before, self._length(wanted)
        pace = _PACE / (max(last.furthest, far) or 1.0)
        room = pace * self._length(wanted - last.wanted) * self._full  # (k,)
        if not np.count_nonzero(np.abs(found - last.change) > room):
            return
        away = pace * far * self._full  # (k,)
        least, most = found - away, found + away
        for wider in _WIDER:
            low = np.minimum(np.maximum(last.change - wider * room, least), most)
            high = np.maximum(np.minimum(last.change + wider * room, most), least)
            # Within the limits, also where these exclude the last answer.
            low, high = (np.minimum(np.maximum(each, limits.low), limits.high) for each in (low, high))
            yield Limits(low, high, limits.rows)

    @property
    def last(self) -> Floats:
        """The change (k,) of the last update."""
        return self._before.change

    def went(self, wanted: Floats, change: Floats) -> None:
        """Remember the change (k,) for wanted motion (q,)."""
        self._now = _Update(wanted, change, max(self._before.furthest, self._length(wanted)))

    def _length(self, wanted: Floats) -> float:
        return sqrt(wanted * self._importance @ wanted)
