"""A drag: pins set at a pose, then moved.

Everything counts from the pose at the beginning, never from the last frame, so that a drag back to the start gives the
start back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from numpy.typing import ArrayLike

from facewright.arrays import Floats, frozen
from facewright.pose.pin_rows import PinRows
from facewright.pose.reasons import DragDetails, DragSetup
from facewright.pose.solution import PoseSolution
from facewright.solve.solution import Status


class Update(Protocol):
    """A way to answer wanted motion."""

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change of the sliders (n,) for motion (q,) along the pins' axes."""


@dataclass(frozen=True, eq=False)
class Drag:
    """Pins on a posed face, ready to be moved. Only `to` runs while dragging; its time does not grow with vertices."""

    pinned: PinRows
    start: Floats  # (n,)
    setting: DragSetup
    factors: Floats  # (q,) share of its motion that a pin asks for, along each of its axes
    update: Update

    @property
    def places(self) -> Floats:
        """Where the pins are at the beginning (k, 3)."""
        return self.pinned.places

    def to(self, targets: ArrayLike) -> PoseSolution:
        """The weights for pins at the targets (k, 3); those of hold pins are not looked at."""
        wanted = self.pinned.wanted(targets) * self.factors
        change, status = self.update.solve(wanted)
        missing = wanted - self.pinned.moved(change)
        return PoseSolution(
            weights=frozen(self.start + change),
            status=status,
            residual=self.pinned.lengths(missing),
            outcome=DragDetails(self.setting, wanted, missing, change),
        )
