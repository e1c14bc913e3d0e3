"""What a change of the sliders costs on a rig whose sliders bend or combine: the true cost, and its slope."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from facewright.arrays import Floats
from facewright.pose.problem import DragProblem
from facewright.rig.combine import Combine
from facewright.rig.point_motion import BentMatrix, BentPose, PointMotion


class BentCost(NamedTuple):
    """The cost of a change x of the sliders, as in DragProblem, 0 for no change.

    Half of the squares of the measures of a pose count, which are how far it is from what is aimed at.
    """

    motion: PointMotion  # of r measures
    problem: DragProblem
    start: Floats  # (n,) weights at x = 0
    goal: Floats  # (r,) what the measures are aimed at
    constant: float  # half of the squares at x = 0
    price: Floats  # (n,)

    def at_prices(self, price: Floats) -> BentCost:
        """The same for other prices (n,)."""
        return BentCost(self.motion, self.problem, self.start, self.goal, self.constant, price)

    def __call__(self, changes: Floats) -> Floats:
        """Of changes (k, n)."""
        measures = self.motion.values(self.start + changes) - self.goal
        free = [self.before_prices(*each) for each in zip(measures, changes, strict=True)]
        return np.array(free) + np.abs(changes) @ self.price

    def before_prices(self, measures: Floats, change: Floats) -> float:
        """Of a change x (n,) with known measures (r,), without its price."""
        problem = self.problem
        curved = problem.ridge * change
        if problem.H is not None:
            curved += problem.H @ change
        return float((measures @ measures + curved @ change) / 2 + problem.slope @ change - self.constant)

    def measures(self, pose: BentPose) -> Floats:
        """How far a pose is from what is aimed at (r,)."""
        return self.motion.at(pose) - self.goal

    def slope(self, pose: BentPose, measures: Floats, change: Floats) -> Floats:
        """By the sliders (n,), without the ridge and the price, at a pose with measures (r,)."""
        found = self.motion.slope(pose, measures) + self.problem.slope
        return found if self.problem.H is None else found + self.problem.H @ change


class PinRoots(NamedTuple):
    """The rows of pins, and the roots of how much each counts."""

    rows: Floats  # (q, s)
    root: Floats  # (q,)


class DragMeasures:
    """What a drag measures of a pose: the rows of its problem, of which those of the pins, (q, s), are the first.

    They are prepared for a start (n,). A hand counts more along the `ways` of its pins, which come with each update.
    """

    def __init__(
        self, combine: Combine, matrix: BentMatrix, start: Floats, problem: DragProblem, pins: PinRoots, ways: int = 0
    ) -> None:
        self._start, self._root, self._aim = start, pins.root, problem.aim
        self._motion = PointMotion.of(combine, matrix, problem.rows)
        self._before = self._motion.values(start)
        if ways:
            self._motion, self._pins = self._motion.followed_by(ways), PointMotion.of(combine, matrix, pins.rows)
            self._pins_before = self._pins.values(start)

    def cost(self, problem: DragProblem, wanted: Floats, price: Floats, ways: Floats | None = None) -> BentCost:
        """For wanted motion (q,), prices (n,) and ways (k, q), until the next update changes it."""
        aim, before = self._aim.copy(), self._before
        aim[: len(wanted)] = self._root * wanted
        if ways is not None:
            self._motion.end_with(self._pins, ways)
            aim, before = np.concatenate([aim, ways @ wanted]), np.concatenate([before, ways @ self._pins_before])
        return BentCost(self._motion, problem, self._start, before + aim, float(aim @ aim) / 2, price)
