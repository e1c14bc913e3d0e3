"""The result of a pose solve: weights, a status, and for each pin how far it is off and why."""

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
    """Slider values for a set of pins. Reasons and shares are computed when they are first read."""

    weights: Floats  # (n,)
    status: Status
    residual: Floats  # (k,) distance of each pin from its target along its axes, scene units
    details: DragDetails = field(repr=False)

    @property
    def sliders(self) -> tuple[str, ...]:
        """Names of the rig's sliders, in the order of the weights."""
        return self.details.setup.sliders

    @property
    def change(self) -> Floats:
        """Change of the sliders from the start (n,)."""
        return self.details.change

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why each pin (k,) is not met; empty where it is."""
        return reasons(self.details)

    @cached_property
    def helped(self) -> Floats:
        """Share of the wanted motion that each slider's change (n,) brought, along the slopes at the start."""
        wanted, rows = self.details.wanted, self.details.setup.rows
        asked = float(wanted @ wanted)
        return (wanted @ rows) * self.change / asked if asked else np.zeros(len(self.change))

    @property
    def moved(self) -> dict[str, float]:
        """The sliders that moved and how far, the most helpful first."""
        order = np.argsort(-np.abs(self.helped), kind="stable")
        return {self.sliders[i]: float(self.change[i]) for i in order if abs(self.change[i]) > _MOVED}

    def __repr__(self) -> str:
        moved = f"{len(self.moved)} of {len(self.weights)} sliders moved"
        return f"PoseSolution({self.status.value}; {moved}, {len(self.residual)} pins)"
