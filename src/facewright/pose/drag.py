"""A drag: pins set at a pose, then moved.

Everything counts from the pose at the beginning, never from the last frame, so that a drag back to the start restores
the pose at the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from numpy.typing import ArrayLike

from facewright.arrays import Floats, frozen
from facewright.pose.damping import Damping
from facewright.pose.pin_rows import PinRows
from facewright.pose.reasons import DragDetails, DragSetup
from facewright.pose.solution import PoseSolution
from facewright.solve.solution import Status


class Update(Protocol):
    """A method of a drag, prepared for one start and one set of pins."""

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change of the sliders (n,) for motion (q,) along the pins' axes."""


@dataclass(frozen=True, eq=False)
class Drag:
    """Pins on a posed face, ready to be moved. Only `to` runs while dragging; its time does not grow with vertices."""

    pins: PinRows
    start: Floats  # (n,)
    setup: DragSetup
    update: Update
    damping: Damping | None = None

    @property
    def places(self) -> Floats:
        """Where the pins are at the beginning (k, 3)."""
        return self.pins.places

    def to(self, targets: ArrayLike) -> PoseSolution:
        """The weights for pins at the targets (k, 3); the targets of hold pins are ignored."""
        wanted = self.pins.wanted(targets)
        if self.damping is not None:
            wanted = wanted * self.damping.factors(wanted)
        change, status = self.update.solve(wanted)
        missing = wanted - self.pins.moved(change)
        return PoseSolution(
            weights=frozen(self.start + change),
            status=status,
            residual=self.pins.lengths(missing),
            details=DragDetails(self.setup, wanted, missing, change),
        )
