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
_GAINLESS = 1e-9  # share of the cost: the search ends when the next step would gain less
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

    def cost(self, problem: DragProblem, c: Floats, price: Floats) -> BentCost:
        """Of changes, for the slope c (s,) at the start and prices (n,)."""
        rows = np.concatenate([problem.rows, c[None]])
        return BentCost(self.motion(rows), problem, self._start, rows @ self._values, price)

    def motion(self, rows: Floats) -> PointMotion:
        """How the sliders move measures, rows (r, s) over the shapes."""
        return PointMotion(self._combine, self._matrix, rows)

    def from_linear(self, cost: BentCost, limits: Limits, linear: Floats) -> tuple[Floats, Status]:
        """The change (n,) from the answer (n,) of a linear rig, or where that is far off, also from half of it."""
        begin = self._linearised(cost, linear)
        here, status = self._settled(cost, limits, begin)
        if begin.cost - here.cost > _FAR_OFF * abs(here.cost):
            other, other_status = self._settled(cost, limits, self._linearised(cost, linear / 2))
            if other.cost < here.cost:
                return other.change, other_status
        return here.change, status

    def solve(self, cost: BentCost, limits: Limits, *starts: Floats) -> tuple[Floats, Status]:
        """A change (n,) within limits that costs no more than any of those (n,) that it may start from."""
        begin = starts[int(cost(np.array(starts)).argmin())]
        here, status = self._settled(cost, limits, self._linearised(cost, begin))
        return here.change, status

    def _settled(self, cost: BentCost, limits: Limits, here: _Linearised) -> tuple[_Linearised, Status]:
        """Where no step from a pose costs less, nor one to the other side of a knot nearby."""
        here, status = self._descend(cost, limits, here)
        for _ in range(_KNOTS if limits.rows is None else 0):
            # A bend may stop a slider just before a piece on which the cost is lower.
            beyond = self._pieces.beyond(here.change, limits)
            if not len(beyond) or (costs := cost(beyond)).min() >= here.cost:
                break
            here, status = self._descend(cost, limits, self._linearised(cost, beyond[int(costs.argmin())]))
        return here, status

    def _descend(self, cost: BentCost, limits: Limits, here: _Linearised) -> tuple[_Linearised, Status]:
        last = 0.0
        for _ in range(_STEPS):
            goal, status = self._goal(cost, here, limits)
            step = goal - here.change
            if status is Status.INFEASIBLE or (np.abs(step) <= _SETTLED * cost.problem.full).all():
                return here, status
            there = self._linearised(cost, goal)
            if there.cost >= here.cost:
                shorter = here.change + _SHORTER[:, None] * step
                there = self._linearised(cost, shorter[int(cost(shorter).argmin())])
            if there.cost >= here.cost:
                return here, status
            gain, here = here.cost - there.cost, there
            # Where steps gain less and less, the next one gains about this much.
            if gain * min(gain / (last or gain), 1.0) <= _GAINLESS * abs(here.cost):
                return here, status
            last = gain
        return here, Status.OUT_OF_STEPS

    def _linearised(self, cost: BentCost, change: Floats) -> _Linearised:
        weights, at_knot = self._pieces.snapped(cost.start + change)
        measures, moves = cost.both(weights)
        return _Linearised(change, weights, at_knot, measures, moves, float(cost.of(measures, change)))

    def _goal(self, cost: BentCost, here: _Linearised, limits: Limits) -> tuple[Floats, Status]:
        """The best change (n,) for the rig linearised about a pose, each slider on its piece."""
        change, weights, leftward, moves = here.change, here.weights, here.at_knot, here.moves
        slope = cost.slope(here.measures, moves, change)
        if leftward is not None:
            below = cost.both(np.where(leftward, np.nextafter(weights, -np.inf), weights))[1]
            down = cost.slope(here.measures, below, change)
            leftward = leftward & _leftward(cost, change, (down, slope), limits)
            moves, slope = np.where(leftward, below, moves), np.where(leftward, down, slope)
        return _linear_goal(cost, moves[:-1], slope, change, self._pieces.limited(weights, leftward, limits))


class _Linearised(NamedTuple):
    """A rig about a pose."""

    change: Floats  # (n,) from the start
    weights: Floats  # (n,)
    at_knot: NDArray[np.bool_] | None  # (n,) None: no slider is at a knot
    measures: Floats  # (r + 1,)
    moves: Floats  # (r + 1, n)
    cost: float


def _linear_goal(cost: BentCost, moves: Floats, slope: Floats, change: Floats, limits: Limits) -> tuple[Floats, Status]:
    """The best change (n,) for rows that move so (r, n), and the slope (n,) at a change (n,).

    |x| has a kink at 0, so a slider that may go up and down is two unknowns. Sliders that stay, and would not gain by
    a change, are left out; the next step has them where that turns out wrong.
    """
    up, down = limits.high > 0, limits.low < 0
    if limits.rows is None:
        up &= (change > 0) | (-slope > cost.price)
        down &= (change < 0) | (slope > cost.price)
    ups, downs = np.flatnonzero(up), np.flatnonzero(down)
    of = np.concatenate([ups, downs])
    sign = np.ones(len(of))
    sign[len(ups) :] = -1.0
    columns, bound = moves[:, of] * sign, np.concatenate([limits.low[ups], -limits.high[downs]])
    H = columns.T @ columns
    c = sign * slope[of] + cost.price[of] - columns.T @ (moves @ change)
    if cost.problem.H is not None:
        H += sign[:, None] * cost.problem.H[of[:, None], of] * sign
        c -= sign * (cost.problem.H[of] @ change)
    H.ravel()[:: len(of) + 1] += cost.problem.ridge[of]
    far = np.concatenate([limits.high[ups], -limits.low[downs]])
    rows = limits.rows and RowLimits(limits.rows.matrix[:, of] * sign, limits.rows.low, limits.rows.high)
    near = np.maximum(bound, 0.0)
    found, status = solve_definite(H, c, near, far, rows, start=np.maximum(sign * change[of], near))
    goal = np.zeros(len(change))
    goal[ups] = found[: len(ups)]
    goal[downs] -= found[len(ups) :]
    return goal, status


def _leftward(cost: BentCost, change: Floats, slopes: tuple[Floats, Floats], limits: Limits) -> NDArray[np.bool_]:
    """Which sliders (n,) gain more by going down than by going up, by the slopes on either side of them."""
    own, price = cost.problem.ridge * change, cost.price
    down, up = slopes
    gain_up = np.where(change < limits.high, -(up + own + np.where(change >= 0, price, -price)), 0.0)
    gain_down = np.where(change > limits.low, down + own + np.where(change <= 0, -price, price), 0.0)
    return np.asarray(gain_down > np.maximum(gain_up, 0.0))
