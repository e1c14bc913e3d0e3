"""What a pose solve returns: weights, and in words why a pin is not where it was wanted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.solve.solution import Status


@dataclass(frozen=True, eq=False)
class PoseSolution:
    """Slider values that answer a set of pins."""

    weights: Floats  # (n,)
    status: Status
    residual: Floats  # (k,) distance of each pin from its target along its axes, scene units
    reasons: tuple[str, ...]  # (k,) why a pin is not met, empty where it is
    change: Floats  # (n,) from the start
    helped: Floats  # (n,) share of the wanted motion that each slider's change brought; they sum to what was reached
    sliders: tuple[str, ...]

    @property
    def moved(self) -> dict[str, float]:
        """The sliders that moved and how far, the most helpful first."""
        order = np.argsort(-np.abs(self.helped), kind="stable")
        return {self.sliders[i]: float(self.change[i]) for i in order if abs(self.change[i]) > 1e-6}
