"""A drag on a rig whose sliders bend or combine: from the answer of a linear rig to that of the rig as it is."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.bent_cost import BentCost
from facewright.pose.descent import Descent, Linearised, is_far_off
from facewright.pose.problem import DragProblem, PinTargets
from facewright.solve.solution import Status
from facewright.terms.limits import Limits
from facewright.terms.preferences import ExactPins


class BentAnswer:
    """The answers of the rig as it is, for the problem of some shapes (t,) and k sliders from a start (k,).

    `linear` (q, k) is how the sliders of the linear rig move the pins. Where it is given, `exact` tells whether the
    pins are exact, which lowers the prices.
    """

    def __init__(
        self,
        descent: Descent,
        problem: DragProblem,
        targets: PinTargets,
        shapes: Ints,
        start: Floats,
        linear: Floats,
        exact: ExactPins | None,
    ) -> None:
        self._descent, self._problem, self._exact = descent, problem, exact
        self._targets, self._shapes, self._start, self._linear = targets, shapes, start, linear
        self._B = targets.B[:, shapes]  # (q, t)
        self._motion, self._pins = descent.motion(problem.rows), descent.motion(self._B)
        self._before = self._pins.values(start)  # (q,)
        self._rows = int((targets.importance > 0).sum())

    def solve(
        self, wanted: Floats, ways: Floats | None, price: Floats, limits: Limits, linear: Floats
    ) -> tuple[Floats, Status]:
        """The change (k,) for wanted motion (q,), by prices (k,), which costs no more than the linear answer (k,).

        Whether pins are exact is told by about what the lowest prices give.
        """
        cost, exact = self._cost(wanted, ways, price), self._exact
        begin = self._descent.about(cost, linear)
        if exact is None or not linear.any():
            return self._descent.solve(cost, limits, begin)
        sharper = self._sharper(cost, exact.lowest * price, limits, begin)
        factor = self._left_of_prices(exact, wanted, linear, sharper.change)
        return self._descent.solve(cost.at_prices(factor * price), limits, begin, sharper)

    def _sharper(self, cost: BentCost, price: Floats, limits: Limits, linear: Linearised) -> Linearised:
        """About the answer at low prices (k,), from that of the linear rig; where that is far off, also by full prices.

        Steps at low prices go far, and where much bends, they lead elsewhere.
        """
        low = cost.at_prices(price)
        found = self._descent.roughly(low, limits, linear)
        if not is_far_off(linear.paying(low), found):
            return found
        full, _ = self._descent.solve(cost, limits, linear)
        other, _ = self._descent.solve(low, limits, self._descent.about(low, full))
        return min(found, self._descent.about(low, other), key=lambda each: each.cost)

    def _cost(self, wanted: Floats, ways: Floats | None, price: Floats) -> BentCost:
        """What changes cost, for prices (k,)."""
        problem, slope = self._problem, self._targets.slope(wanted)[self._shapes] + self._problem.pull
        more = slope[None]
        if ways is not None:
            rows = ways @ self._B
            more = np.concatenate([rows, (slope - (ways @ wanted) @ rows)[None]])
        return self._descent.cost(problem, self._motion, more, price)

    def _left_of_prices(self, exact: ExactPins, wanted: Floats, linear: Floats, sharper: Floats) -> float:
        """The share of the prices that pins pay, for the linear answer (k,) and one at the lowest prices (k,).

        What full prices leave missing is told by the linear rig: the prices are the cause, not what bends.
        """
        found = []
        length = self._targets.size(wanted).length or 1.0
        for change, moved in (
            (linear, self._linear @ linear),
            (sharper, self._pins.values(self._start + sharper) - self._before),
        ):
            missing = float(np.sqrt((wanted - moved) ** 2 @ self._targets.importance)) / length
            found.append(exact.criterion(missing, np.abs(change) * self._problem.columns / length, self._rows))
        return exact.factor(found[0] - found[1])
