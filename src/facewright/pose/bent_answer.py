"""A drag on a rig whose sliders bend or combine: from the answer of a linear rig to that of the rig as it is."""

from __future__ import annotations

from math import sqrt

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.bent_cost import BentCost, PinRoots
from facewright.pose.descent import Descent, PosedRig, is_far_off
from facewright.pose.drag_path import DragPath
from facewright.pose.problem import DragProblem, PinTargets
from facewright.solve.solution import Status
from facewright.terms.limits import Limits
from facewright.terms.preferences import ExactPins


class BentAnswer:
    """The answers of the rig as it is, for the problem of some shapes (t,) and k sliders.

    `linear` (q, k) is how the sliders of the linear rig move the pins. Where it is given, `exact` tells whether the
    pins are exact, which lowers the prices. `ways` is how many pins are dragged along a way of their own.
    """

    def __init__(
        self,
        descent: Descent,
        problem: DragProblem,
        targets: PinTargets,
        shapes: Ints,
        linear: Floats,
        exact: ExactPins | None,
        ways: int,
    ) -> None:
        self._descent, self._problem, self._exact = descent, problem, exact
        self._targets, self._linear = targets, linear
        root = np.sqrt(targets.across * targets.importance)
        self._measures = descent.measures(problem, PinRoots(targets.B[:, shapes], root), ways)
        self._path = DragPath(targets.importance, problem.full)
        self._rows = int((targets.importance > 0).sum())

    def solve(
        self, wanted: Floats, ways: Floats | None, price: Floats, limits: Limits, linear: Floats, length: float
    ) -> tuple[Floats, Status]:
        """The change (k,) for wanted motion (q,) of some length, by prices (k,).

        It costs no more than the linear answer (k,).

        Whether pins are exact is told by about what the lowest prices give.
        """
        cost, exact = self._measures.cost(self._problem, wanted, price, ways), self._exact
        starts = [self._descent.at(cost, linear)]
        if exact is not None and linear.any():
            starts.append(self._sharper(cost, exact.lowest * price, limits, starts[0]))
            cost = cost.at_prices(self._left_of_prices(exact, wanted, length or 1.0, *starts) * price)
        starts = [each.at_prices(cost.price) for each in starts]
        found, status = self._descent.solve(cost, limits, *starts)
        return self._continued(wanted, cost, limits, found, most=starts[0].cost), status

    def _continued(self, wanted: Floats, cost: BentCost, limits: Limits, found: Floats, most: float) -> Floats:
        """The change found (k,), or one nearer to the last answer that costs no more than `most`."""
        for near in self._path.boxes(wanted, found, limits):
            there = self._descent.within(cost, near, found, self._path.last)
            if there is not None and there.cost <= most:
                found = there.change
                break
        self._path.went(wanted, found)
        return found

    def _sharper(self, cost: BentCost, price: Floats, limits: Limits, linear: PosedRig) -> PosedRig:
        """About the answer at low prices (k,), from that of the linear rig; where that is far off, also by full prices.

        Steps at low prices go far, and where much bends, they lead elsewhere.
        """
        low, begin = cost.at_prices(price), linear.at_prices(price)
        found = self._descent.roughly(low, limits, begin)
        if not is_far_off(begin, found):
            return found
        full, _ = self._descent.solve(cost, limits, linear)
        other, _ = self._descent.solve(low, limits, self._descent.at(low, full))
        return min(found, self._descent.at(low, other), key=lambda each: each.cost)

    def _left_of_prices(
        self, exact: ExactPins, wanted: Floats, length: float, linear: PosedRig, sharper: PosedRig
    ) -> float:
        """The share of the prices that pins pay, for the linear answer and one at the lowest prices.

        What full prices leave missing is told by the linear rig: the prices are the cause, not what bends.
        """
        columns = self._problem.columns / length
        off, still_off = wanted - self._linear @ linear.change, sharper.measures[: len(wanted)]
        before = exact.criterion(sqrt(off * self._targets.importance @ off) / length, linear.size * columns, self._rows)
        after = exact.criterion(sqrt(still_off @ still_off) / length, sharper.size * columns, self._rows)
        return exact.factor(before - after)
