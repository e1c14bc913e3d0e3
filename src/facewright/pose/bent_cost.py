"""What a change of the sliders costs on a rig whose sliders bend or combine: the true cost, and its slope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.pose.problem import DragProblem
from facewright.rig.point_motion import PointMotion


@dataclass(frozen=True, eq=False)
class BentCost:
    """The cost of a change x of the sliders, as in DragProblem.

    The measures of a pose are the problem's rows, half of whose squares count, and one more, which counts as it is.
    """

    motion: PointMotion  # of r + 1 measures
    problem: DragProblem
    start: Floats  # (n,) weights at x = 0
    before: Floats  # (r + 1,) measures there
    price: Floats  # (n,)

    def __call__(self, changes: Floats) -> Floats:
        """Of changes x (..., n)."""
        return self.of(self.motion.values(self.start + changes) - self.before, changes)

    def of(self, measures: Floats, changes: Floats) -> Floats:
        """The same where the measures (..., r + 1) are known."""
        problem, rows = self.problem, measures[..., :-1]
        total = np.einsum("...r,...r", rows, rows) / 2 + measures[..., -1]
        total = total + changes**2 @ problem.ridge / 2 + changes @ problem.slope + np.abs(changes) @ self.price
        if problem.H is not None:
            total = total + ((changes @ problem.H) * changes).sum(axis=-1) / 2
        return np.asarray(total)

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """Measures (r + 1,) at weights (n,), from the start on, and their slopes (r + 1, n)."""
        measures, slopes = self.motion.both(weights)
        return measures - self.before, slopes

    def slope(self, measures: Floats, slopes: Floats, change: Floats) -> Floats:
        """By the sliders (n,), without the ridge and the price, for what `both` gives at a change (n,)."""
        own = self.problem.slope if self.problem.H is None else self.problem.slope + self.problem.H @ change
        return np.asarray(measures[:-1] @ slopes[:-1] + slopes[-1] + own)
