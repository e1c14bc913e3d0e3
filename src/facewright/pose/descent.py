"""Gauss-Newton, for rigs whose sliders have in-betweens or combine.

It starts from the answer of a linear rig. Each step minimises the cost of the rig linearised about the last one, a
small convex problem, exactly. In a step every slider stays on its straight piece, so that in-betweens are met exactly;
the next step continues where two pieces meet. A step that does not lower the true cost is shortened, so that the result
never costs more than what it started from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.pose.bent_cost import BentCost
from facewright.pose.pieces import Pieces
from facewright.pose.problem import DragProblem
from facewright.rig.combine import Combine
from facewright.rig.point_motion import BentMatrix, PointMotion
from facewright.solve.dual import solve_definite
from facewright.solve.limits import RowLimits
from facewright.solve.solution import Status
from facewright.terms.limits import Limits

_STEPS = 40
_KNOTS = 10  # times that a slider is taken beyond a knot
_SETTLED = 1e-9  # of a slider's full value: the search ends when no weight changes by more
_GAINLESS = 1e-7  # share of the cost: the search ends when the next step would gain less
_ROUGH = 1e-2  # the same where the pose need only be about right
_FAR_OFF = 0.05  # share of the cost: if the linear answer costs so much more, there may be a better one elsewhere
_SHORTER = np.array([0.5, 0.25, 0.1, 0.03, 0.01, 1e-3])  # of a step that does not lower the cost


class Descent:
    """Finds changes of the sliders, of bounds (n, 2), from `start` (n,) that make the cost of a problem small."""

    def __init__(self, combine: Combine, start: Floats, bounds: Floats) -> None:
        self._combine, self._start, self._values = combine, start, combine(start)
        self._matrix, self._pieces = BentMatrix(combine), Pieces(combine, start, bounds)

    def __bool__(self) -> bool:
        """Whether anything bends at all."""
        return len(self._combine.bent_shapes) > 0

    def motion(self, rows: Floats) -> PointMotion:
        """How the sliders move measures, rows (r, s) over the shapes."""
        return PointMotion.of(self._combine, self._matrix, rows)

    def cost(self, problem: DragProblem, motion: PointMotion, more: Floats, price: Floats) -> BentCost:
        """Of changes, for the motion of the problem's rows, more rows (k, s), and prices (n,).

        The last one of the rows is the slope at the start, which counts as it is.
        """
        before = np.concatenate([problem.rows @ self._values, more @ self._values])
        return BentCost(motion.plus(more), problem, self._start, before, price)

    def solve(self, cost: BentCost, limits: Limits, linear: Linearised, *starts: Linearised) -> tuple[Floats, Status]:
        """A change (n,) that costs no more than any that it may start from, one of which is that of a linear rig.

        Where that one is far off, half of it is a start, too.
        """
        begin, *others = (each.paying(cost) for each in (linear, *starts))
        best = min([begin, *others], key=lambda each: each.cost)
        here, status = self._settled(cost, limits, best, gained=begin.cost - best.cost)
        if is_far_off(begin, here):
            other, other_status = self._settled(cost, limits, self.about(cost, linear.change / 2))
            if other.cost < here.cost:
                return other.change, other_status
        return here.change, status

    def roughly(self, cost: BentCost, limits: Limits, linear: Linearised) -> Linearised:
        """About where the cost is low, from the answer of a linear rig: mostly one step."""
        return self._descend(cost, limits, linear.paying(cost), gainless=_ROUGH)[0]

    def about(self, cost: BentCost, change: Floats) -> Linearised:
        """The rig linearised about a change (n,)."""
        weights, at_knot = self._pieces.snapped(cost.start + change)
        measures, moves = cost.both(weights)
        return Linearised(change, weights, at_knot, measures, moves, cost.of(measures, change))

    def _settled(
        self, cost: BentCost, limits: Limits, here: Linearised, gained: float = 0.0
    ) -> tuple[Linearised, Status]:
        """Where no step from a pose costs less, nor one to the other side of a knot nearby."""
        here, status = self._descend(cost, limits, here, gained)
        for _ in range(_KNOTS if limits.rows is None else 0):
            # A bend may stop a slider just before a piece on which the cost is lower.
            beyond = self._pieces.beyond(here.change, limits)
            if not len(beyond) or (costs := cost(beyond)).min() >= here.cost:
                break
            here, status = self._descend(cost, limits, self.about(cost, beyond[int(costs.argmin())]))
        return here, status

    def _descend(
        self,
        cost: BentCost,
        limits: Limits,
        here: Linearised,
        gained: float = 0.0,
        *,
        gainless: float = _GAINLESS,
    ) -> tuple[Linearised, Status]:
        """Steps from a pose, which a step that gained so much led to, until the next one would gain next to nothing."""
        for _ in range(_STEPS):
            goal, status = self._goal(cost, here, limits)
            step = goal - here.change
            if status is Status.INFEASIBLE or (np.abs(step) <= _SETTLED * cost.problem.full).all():
                return here, status
            there = self.about(cost, goal)
            if there.cost >= here.cost:
                shorter = here.change + _SHORTER[:, None] * step
                there = self.about(cost, shorter[int(cost(shorter).argmin())])
            if there.cost >= here.cost:
                return here, status
            gain, here = here.cost - there.cost, there
            # Where steps gain less and less, the next one gains about this much.
            if gain * min(gain / (gained or gain), 1.0) <= gainless * abs(here.cost):
                return here, status
            gained = gain
        return here, Status.OUT_OF_STEPS

    def _goal(self, cost: BentCost, here: Linearised, limits: Limits) -> tuple[Floats, Status]:
        """The best change (n,) for the rig linearised about a pose, each slider on its piece."""
        change, weights, leftward, moves = here.change, here.weights, here.at_knot, here.moves
        slope = cost.slope(here.measures, moves, change)
        if leftward is not None:
            below = cost.both(np.where(leftward, np.nextafter(weights, -np.inf), weights))[1]
            down = cost.slope(here.measures, below, change)
            leftward = leftward & _leftward(cost, change, (down, slope), limits)
            moves, slope = np.where(leftward, below, moves), np.where(leftward, down, slope)
        return _linear_goal(cost, moves[:-1], slope, change, self._pieces.limited(weights, leftward, limits))


class Linearised(NamedTuple):
    """A rig about a pose."""

    change: Floats  # (n,) from the start
    weights: Floats  # (n,)
    at_knot: NDArray[np.bool_] | None  # (n,) None: no slider is at a knot
    measures: Floats  # (r + 1,)
    moves: Floats  # (r + 1, n)
    cost: float

    def paying(self, cost: BentCost) -> Linearised:
        """The same where the cost has other prices."""
        return self._replace(cost=cost.of(self.measures, self.change))


def is_far_off(linear: Linearised, found: Linearised) -> bool:
    """Whether the answer of a linear rig costs so much more than what was found from it."""
    return linear.cost - found.cost > _FAR_OFF * abs(found.cost)


def _linear_goal(cost: BentCost, moves: Floats, slope: Floats, change: Floats, limits: Limits) -> tuple[Floats, Status]:
    """The best change (n,) for rows that move so (r, n), and the slope (n,) at a change (n,).

    |x| has a kink at 0, so a slider that may go up and down is two unknowns. Sliders that stay, and would not gain by
    a change, are left out; the next step has them where that turns out wrong.
    """
    problem, price = cost.problem, cost.price
    up, down = limits.high > 0, limits.low < 0
    if limits.rows is None:
        up &= (change > 0) | (slope < -price)
        down &= (change < 0) | (slope > price)
    ups, downs = up.nonzero()[0], down.nonzero()[0]
    of, split = np.concatenate([ups, downs]), len(ups)
    columns, c, begin = moves.take(of, axis=1), slope.take(of), change.take(of)
    low, high, rows = limits.low.take(of), limits.high.take(of), limits.rows
    if problem.H is not None:
        c -= problem.H[of] @ change
    if len(downs):  # their unknowns are how far they go down
        for each in (columns.T, c, begin):
            each[split:] *= -1
        low[split:], high[split:] = -limits.high[downs], -limits.low[downs]
    H = columns.T @ columns
    c += price.take(of) - (moves @ change) @ columns
    if problem.H is not None:
        sign = np.where(np.arange(len(of)) < split, 1.0, -1.0)
        H += sign[:, None] * problem.H[of[:, None], of] * sign
    H.ravel()[:: len(of) + 1] += problem.ridge.take(of)
    if rows is not None:
        matrix = rows.matrix.take(of, axis=1)
        matrix[:, split:] *= -1
        rows = RowLimits(matrix, rows.low, rows.high)
    near = np.maximum(low, 0.0)
    found, status = solve_definite(H, c, near, high, rows, start=np.maximum(begin, near))
    goal = np.zeros(len(change))
    goal[ups] = found[:split]
    goal[downs] -= found[split:]
    return goal, status


def _leftward(cost: BentCost, change: Floats, slopes: tuple[Floats, Floats], limits: Limits) -> NDArray[np.bool_]:
    """Which sliders (n,) gain more by going down than by going up, by the slopes on either side of them."""
    own, price = cost.problem.ridge * change, cost.price
    down, up = slopes
    gain_up = np.where(change < limits.high, -(up + own + np.where(change >= 0, price, -price)), 0.0)
    gain_down = np.where(change > limits.low, down + own + np.where(change <= 0, -price, price), 0.0)
    return np.asarray(gain_down > np.maximum(gain_up, 0.0))
