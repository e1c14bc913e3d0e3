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

    def at_prices(self, price: Floats) -> BentCost:
        """The same for other prices (n,)."""
        return BentCost(self.motion, self.problem, self.start, self.before, price)

    def __call__(self, changes: Floats) -> Floats:
        """Of changes (k, n)."""
        measures = self.motion.values(self.start + changes) - self.before
        return np.array([self.of(*each) for each in zip(measures, changes, strict=True)])

    def of(self, measures: Floats, change: Floats) -> float:
        """Of a change x (n,) with known measures (r + 1,)."""
        problem, rows = self.problem, measures[:-1]
        by_slider = problem.ridge * change / 2 + problem.slope
        if problem.H is not None:
            by_slider += problem.H @ change / 2
        return float(rows @ rows / 2 + measures[-1] + by_slider @ change + self.price @ np.abs(change))

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """Measures (r + 1,) at weights (n,), from the start on, and their slopes (r + 1, n)."""
        measures, slopes = self.motion.both(weights)
        return measures - self.before, slopes

    def slope(self, measures: Floats, slopes: Floats, change: Floats) -> Floats:
        """By the sliders (n,), without the ridge and the price, for what `both` gives at a change (n,)."""
        own = self.problem.slope if self.problem.H is None else self.problem.slope + self.problem.H @ change
        return np.asarray(measures[:-1] @ slopes[:-1] + slopes[-1] + own)
