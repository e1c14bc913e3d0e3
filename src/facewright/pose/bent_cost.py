"""What a change of the sliders costs on a rig whose sliders bend or combine: the true cost, and its slope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
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

    def slope(self, pose: BentPose, measures: Floats, change: Floats) -> Floats:
        """By the sliders (n,), without the ridge and the price, at a pose with measures (r + 1,)."""
        by_measures = measures.copy()
        by_measures[-1] = 1.0
        found = self.motion.slope(pose, by_measures) + self.problem.slope
        return found if self.problem.H is None else found + self.problem.H @ change

    def moves(self, pose: BentPose, sliders: Ints) -> Floats:
        """How some sliders (k,) move the problem's rows at a pose: (k, r)."""
        return self.motion.slopes(pose, sliders)[:, :-1]


class DragMeasures:
    """What a drag measures of a pose: the rows of its problem, its pins, rows (q, s), and the pull of wishes.

    They are prepared for a start (n,) and for costs with `own` measures of an update, which are sums of the pins'.
    """

    def __init__(
        self, combine: Combine, matrix: BentMatrix, start: Floats, problem: DragProblem, pins: Floats, own: int = 1
    ) -> None:
        self._start = start
        rows = PointMotion.of(combine, matrix, problem.rows)
        self._pins = PointMotion.of(combine, matrix, np.concatenate([pins, problem.pull[None]]))  # the pull is the last
        self._motion, self._own = rows.followed_by(own), np.zeros((own, len(pins) + 1))
        self._own[-1, -1] = 1.0
        self._before = np.concatenate([rows.values(start), np.zeros(own)])
        self._pins_before = self._pins.values(start)

    def cost(self, problem: DragProblem, by_pins: Floats, price: Floats) -> BentCost:
        """For prices (n,), and weights of the pins (own, q): the last row of them counts as it is, the others squared.

        It is that of the present update: the next one overwrites its measures.
        """
        self._own[:, :-1] = by_pins
        self._motion.end_with(self._pins, self._own)
        self._before[-len(by_pins) :] = self._own @ self._pins_before
        return BentCost(self._motion, problem, self._start, self._before, price)

    def pins(self, pose: BentPose) -> Floats:
        """How far the pins are moved at a pose (q,)."""
        return np.asarray((self._pins.at(pose) - self._pins_before)[:-1])
