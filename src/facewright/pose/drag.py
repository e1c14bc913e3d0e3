"""A drag: pins set at a pose, then moved.

Everything counts from the pose at the beginning, never from the last frame, so that a drag back to the start gives the
start back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats
from facewright.pose.limits import Limits
from facewright.pose.pinned import Pinned
from facewright.pose.reasons import Outcome, reasons
from facewright.pose.solution import PoseSolution
from facewright.rig.rig import Rig
from facewright.solve.solution import Status


class Update(Protocol):
    """A way to answer wanted motion."""

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change of the sliders (n,) for motion (q,) along the pins' axes."""


@dataclass(frozen=True, eq=False)
class Drag:
    """Pins on a posed face, ready to be moved. Only `to` runs while dragging; its time does not grow with vertices."""

    rig: Rig
    pinned: Pinned
    start: Floats  # (n,)
    slopes: Floats  # (s, n) of the shape values by the sliders at the start
    limits: Limits
    locked: Ints  # sliders that may not move
    factors: Floats  # (k,) share of its motion that a pin asks for
    update: Update

    @property
    def places(self) -> Floats:
        """Where the pins are at the beginning (k, 3)."""
        return self.pinned.places

    def to(self, targets: ArrayLike) -> PoseSolution:
        """The weights for pins at the targets (k, 3); those of hold pins are not looked at."""
        places = floats("targets", targets, (len(self.pinned.pins), 3))
        wanted = self.pinned.wanted(places) * self.factors[self.pinned.pin]
        change, status = self.update.solve(wanted)
        return self._solution(wanted, change, status)

    def _solution(self, wanted: Floats, change: Floats, status: Status) -> PoseSolution:
        """What was found, as the pins see it: what each slider brought counts along the slopes at the start."""
        rows = self.pinned.rows @ self.slopes  # (q, n)
        missing = wanted - self.pinned.moved(self.start, change)
        brought = (wanted @ rows) * change
        asked = float(wanted @ wanted)
        outcome = Outcome(self.rig.sliders, self.pinned.pin, rows, wanted, missing, change, self.limits, self.locked)
        return PoseSolution(
            weights=self.start + change,
            status=status,
            residual=self.pinned.lengths(missing),
            reasons=reasons(outcome),
            change=change,
            helped=brought / asked if asked else np.zeros(len(change)),
            sliders=self.rig.sliders,
        )
