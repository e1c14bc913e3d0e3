"""A drag on a rig whose sliders bend or combine: from the answer of a linear rig to that of the rig as it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.bent_cost import BentCost
from facewright.pose.descent import Descent
from facewright.pose.problem import DragProblem, MotionSize, PinTargets
from facewright.solve.solution import Status
from facewright.terms.limits import Limits
from facewright.terms.preferences import ExactPins


class BentAnswer:
    """The answers of the rig as it is, for the problem of some shapes (t,) and k sliders from a start (k,).

    Where it is given, `exact` tells whether the pins are exact, which lowers the prices.
    """

    def __init__(
        self,
        descent: Descent,
        problem: DragProblem,
        targets: PinTargets,
        shapes: Ints,
        start: Floats,
        exact: ExactPins | None,
    ) -> None:
        self._descent, self._problem, self._exact = descent, problem, exact
        self._targets, self._shapes, self._start = targets, shapes, start
        self._B = targets.B[:, shapes]  # (q, t)
        self._pins = descent.motion(self._B)
        self._before = self._pins.values(start)  # (q,)
        self._rows = int((targets.importance > 0).sum())

    def solve(
        self, wanted: Floats, ways: Floats | None, price: Floats, limits: Limits, linear: Floats
    ) -> tuple[Floats, Status]:
        """The change (k,) for wanted motion (q,), by prices (k,), which costs no more than the linear answer (k,)."""
        cost, exact = self._cost(wanted, ways, price), self._exact
        change, status = self._descent.from_linear(cost, limits, linear)
        if exact is None or not change.any() or status is not Status.SOLVED:
            return change, status
        sharper, _ = self._descent.solve(replace(cost, price=exact.lowest * price), limits, change, linear)
        size = self._targets.size(wanted)
        one, other = (self._criterion(exact, wanted, size, each) for each in (change, sharper))
        factor = exact.factor(one - other)
        if factor in (1.0, exact.lowest):
            return (change if factor == 1.0 else sharper), status
        return self._descent.solve(replace(cost, price=factor * price), limits, change, linear)

    def _cost(self, wanted: Floats, ways: Floats | None, price: Floats) -> BentCost:
        """What changes cost, for prices (k,)."""
        problem, slope = self._problem, self._targets.slope(wanted)[self._shapes] + self._problem.pull
        if ways is not None:
            rows = ways @ self._B
            slope = slope - (ways @ wanted) @ rows
            problem = replace(problem, rows=np.concatenate([problem.rows, rows]))
        return self._descent.cost(problem, slope, price)

    def _criterion(self, exact: ExactPins, wanted: Floats, size: MotionSize, change: Floats) -> float:
        """How well a change (k,) explains the wanted motion (q,); lower is better."""
        missing = wanted - self._pins.values(self._start + change) + self._before
        share = float(np.sqrt(missing**2 @ self._targets.importance)) / (size.length or 1.0)
        return exact.criterion(share, np.abs(change) * self._problem.columns / (size.length or 1.0), self._rows)
