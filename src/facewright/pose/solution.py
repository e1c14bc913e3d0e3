"""What a pose solve returns: weights, and in words why a pin is not where it was wanted."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from facewright.arrays import Floats
from facewright.pose.reasons import DragDetails, reasons
from facewright.solve.solution import Status

_MOVED = 1e-6


@dataclass(frozen=True, eq=False)
class PoseSolution:
    """Slider values that answer a set of pins. What explains them is worked out when it is asked for."""

    weights: Floats  # (n,)
    status: Status
    residual: Floats  # (k,) distance of each pin from its target along its axes, scene units
    outcome: DragDetails = field(repr=False)

    @property
    def sliders(self) -> tuple[str, ...]:
        return self.outcome.setting.sliders

    @property
    def change(self) -> Floats:
        """From the start (n,)."""
        return self.outcome.change

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why each pin (k,) is not met; empty where it is."""
        return reasons(self.outcome)

    @cached_property
    def helped(self) -> Floats:
        """Share of the wanted motion that each slider's change (n,) brought, along the slopes at the start."""
        wanted, rows = self.outcome.wanted, self.outcome.setting.rows
        asked = float(wanted @ wanted)
        return (wanted @ rows) * self.change / asked if asked else np.zeros(len(self.change))

    @property
    def moved(self) -> dict[str, float]:
        """The sliders that moved and how far, the most helpful first."""
        order = np.argsort(-np.abs(self.helped), kind="stable")
        return {self.sliders[i]: float(self.change[i]) for i in order if abs(self.change[i]) > _MOVED}
