"""What a change of the sliders costs on a rig whose sliders bend or combine: the true cost, and its slope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.pose.problem import DragProblem
from facewright.rig.combine import Combine
from facewright.rig.point_motion import BentMatrix, BentPose, PointMotion


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
        free = [self.before_prices(*each) for each in zip(measures, changes, strict=True)]
        return np.array(free) + np.abs(changes) @ self.price

    def before_prices(self, measures: Floats, change: Floats) -> float:
        """Of a change x (n,) with known measures (r + 1,), without its price."""
        problem, rows = self.problem, measures[:-1]
        by_slider = problem.ridge * change / 2 + problem.slope
        if problem.H is not None:
            by_slider += problem.H @ change / 2
        return float(rows @ rows / 2 + measures[-1] + by_slider @ change)

    def measures(self, pose: BentPose) -> Floats:
        """Measures (r + 1,) at a pose, from the start on."""
        return self.motion.at(pose) - self.before

    def slope(self, measures: Floats, moves: Floats, change: Floats) -> Floats:
        """By the sliders (n,), without the ridge and the price, for measures (r + 1,) that move so (n, r + 1)."""
        by_measures = measures.copy()
        by_measures[-1] = 1.0
        found = np.asarray(moves @ by_measures + self.problem.slope)
        return found if self.problem.H is None else found + self.problem.H @ change


class DragMeasures:
    """What a drag measures of a pose: the rows of its problem, its pins, rows (q, s), and the pull of wishes.

    They are prepared for a start (n,); the cost of an update takes a few products of small matrices.
    """

    def __init__(self, combine: Combine, matrix: BentMatrix, start: Floats, problem: DragProblem, pins: Floats) -> None:
        self._start, self._count = start, len(pins)
        self._rows = PointMotion.of(combine, matrix, problem.rows)
        self._pins = PointMotion.of(combine, matrix, np.concatenate([pins, problem.pull[None]]))  # the pull is the last
        self._rows_before, self._pins_before = self._rows.values(start), self._pins.values(start)

    def cost(self, problem: DragProblem, by_pins: Floats, price: Floats) -> BentCost:
        """For prices (n,), and weights of the pins (k, q): the last row of them counts as it is, the others squared."""
        by = np.zeros((len(by_pins), self._count + 1))
        by[:, :-1], by[-1, -1] = by_pins, 1.0
        before = np.concatenate([self._rows_before, by @ self._pins_before])
        return BentCost(self._rows.plus(self._pins.weighed(by)), problem, self._start, before, price)

    def pins(self, pose: BentPose) -> Floats:
        """How far the pins are moved at a pose (q,)."""
        return np.asarray((self._pins.at(pose) - self._pins_before)[:-1])
