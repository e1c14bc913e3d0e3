"""Gauss-Newton, for rigs whose sliders have in-betweens or combine.

It starts from the answer of a linear rig. Each step minimises the cost of the rig linearised about the last one, a
small convex problem, exactly. In a step every slider stays on its straight piece, so that in-betweens are met exactly;
the next step continues where two pieces meet. A step that does not lower the true cost is shortened, so that the result
never costs more than what it started from.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.pose.bent_cost import BentCost, DragMeasures, PinRoots
from facewright.pose.pieces import Pieces
from facewright.pose.problem import DragProblem
from facewright.rig.combine import Combine
from facewright.rig.point_motion import BentMatrix, BentPose
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
        self._combine, self._start = combine, start
        self._matrix, self._pieces = BentMatrix(combine), Pieces(combine, start, bounds)
        self._settled_within = _SETTLED * np.abs(bounds).max(axis=1, initial=0.0)  # (n,)

    def __bool__(self) -> bool:
        """Whether anything bends at all."""
        return len(self._combine.bent_shapes) > 0

    def measures(self, problem: DragProblem, pins: PinRoots, ways: int = 0) -> DragMeasures:
        """What a problem measures of a pose, with a number of ways of pins that count more."""
        return DragMeasures(self._combine, self._matrix, self._start, problem, pins, ways)

    def solve(self, cost: BentCost, limits: Limits, linear: PosedRig, *starts: PosedRig) -> tuple[Floats, Status]:
        """A change (n,) that costs no more than any that it may start from, one of which is that of a linear rig.

        Starts have the prices of the cost.
        Where that one is far off, half of it is a start, too.
        """
        best = min([linear, *starts], key=lambda each: each.cost)
        here, status = self._settled(cost, limits, best, gained=linear.cost - best.cost)
        if is_far_off(linear, here):
            other, other_status = self._settled(cost, limits, self.at(cost, linear.change / 2))
            if other.cost < here.cost:
                return other.change, other_status
        return here.change, status

    def roughly(self, cost: BentCost, limits: Limits, linear: PosedRig) -> PosedRig:
        """About where the cost is low, from the answer of a linear rig at these prices: mostly one step."""
        return self._descend(cost, limits, linear, gainless=_ROUGH)[0]

    def within(self, cost: BentCost, limits: Limits, *changes: Floats) -> PosedRig | None:
        """The best place within narrow limits that steps lead to, from the nearest ones to changes (n,).

        None if these are not within the rows of the limits.
        """
        inside = (np.minimum(np.maximum(change, limits.low), limits.high) for change in changes)
        starts = [self.at(cost, change) for change in inside if limits.rows is None or limits.rows.met(change)]
        found = (self._descend(cost, limits, start)[0] for start in starts)
        return min(found, key=lambda each: each.cost, default=None)

    def at(self, cost: BentCost, change: Floats) -> PosedRig:
        """The rig at a change (n,)."""
        weights, at_knot = self._pieces.snapped(cost.start + change)
        pose = self._matrix.at(weights)
        return PosedRig(cost, change, pose, at_knot)

    def _settled(self, cost: BentCost, limits: Limits, here: PosedRig, gained: float = 0.0) -> tuple[PosedRig, Status]:
        """Where no step from a pose costs less, nor one to the other side of a knot nearby."""
        here, status = self._descend(cost, limits, here, gained)
        for _ in range(_KNOTS if limits.rows is None else 0):
            # A bend may stop a slider just before a piece on which the cost is lower.
            beyond = self._pieces.beyond(here.change, limits)
            if not len(beyond) or (costs := cost(beyond)).min() >= here.cost:
                break
            here, status = self._descend(cost, limits, self.at(cost, beyond[int(costs.argmin())]))
        return here, status

    def _descend(
        self,
        cost: BentCost,
        limits: Limits,
        here: PosedRig,
        gained: float = 0.0,
        *,
        gainless: float = _GAINLESS,
    ) -> tuple[PosedRig, Status]:
        """Steps from a pose, which a step that gained so much led to, until the next one would gain next to nothing."""
        for _ in range(_STEPS):
            goal, status = self._goal(cost, here, limits)
            step = goal - here.change
            if status is Status.INFEASIBLE or not np.count_nonzero(np.abs(step) > self._settled_within):
                return here, status
            there = self.at(cost, goal)
            if there.cost >= here.cost:
                shorter = here.change + _SHORTER[:, None] * step
                there = self.at(cost, shorter[int(cost(shorter).argmin())])
            if there.cost >= here.cost:
                return here, status
            gain, here = here.cost - there.cost, there
            # Where steps gain less and less, the next one gains about this much.
            if gain * min(gain / (gained or gain), 1.0) <= gainless * abs(here.cost):
                return here, status
            gained = gain
        return here, Status.OUT_OF_STEPS

    def _goal(self, cost: BentCost, here: PosedRig, limits: Limits) -> tuple[Floats, Status]:
        """The best change (n,) for the rig linearised about a pose, each slider on its piece."""
        change, pose, leftward, below = here.change, here.pose, here.at_knot, here.pose
        slope = cost.slope(pose, here.measures, change)
        if leftward is not None:
            below = self._matrix.at(np.where(leftward, np.nextafter(pose.weights, -np.inf), pose.weights))
            down = cost.slope(below, here.measures, change)
            leftward = leftward & _leftward(cost, change, (down, slope), limits)
            slope = np.where(leftward, down, slope)

        def moves(of: Ints) -> Floats:
            right = cost.motion.slopes(pose, of)
            return right if leftward is None else np.where(leftward[of, None], cost.motion.slopes(below, of), right)

        return _linear_goal(cost, moves, slope, change, self._pieces.limited(pose.weights, leftward, limits))


class PosedRig:
    """A rig at a change (n,) from the start, and what it costs.

    `at_knot` (n,) tells which sliders are at a knot; None: none is.
    """

    def __init__(self, cost: BentCost, change: Floats, pose: BentPose, at_knot: NDArray[np.bool_] | None) -> None:
        self.change, self.pose, self.at_knot = change, pose, at_knot
        self.measures, self.size = cost.measures(pose), np.abs(change)  # (r,), (n,)
        self._before_prices = cost.before_prices(self.measures, change)
        self.cost = self._before_prices + float(cost.price @ self.size)

    def at_prices(self, price: Floats) -> PosedRig:
        """The same where the cost has other prices (n,)."""
        other = object.__new__(PosedRig)  # a quarter of the time of `copy`
        vars(other).update(vars(self))
        other.cost = self._before_prices + float(price @ self.size)
        return other


def is_far_off(linear: PosedRig, found: PosedRig) -> bool:
    """Whether the answer of a linear rig costs so much more than what was found from it."""
    return linear.cost - found.cost > _FAR_OFF * abs(found.cost)


def _linear_goal(
    cost: BentCost, moves: Callable[[Ints], Floats], slope: Floats, change: Floats, limits: Limits
) -> tuple[Floats, Status]:
    """The best change (n,) for rows that some sliders (k,) move so (k, r), and the slope (n,) at a change (n,).

    |x| has a kink at 0, so a slider that may go up and down is two unknowns. Sliders that stay, and would not gain by
    a change, are left out; the next step has them where that turns out wrong.
    """
    problem, price = cost.problem, cost.price
    up, down = limits.high > 0, limits.low < 0
    if limits.rows is None:
        up &= (change > 0) | (slope < -price)
        down &= (change < 0) | (slope > price)
    ups, downs = up.nonzero()[0], down.nonzero()[0]
    of, split = np.concatenate([ups, downs]) if len(downs) else ups, len(ups)
    columns, c, begin = moves(of), slope.take(of), change.take(of)
    low, high, rows = limits.low.take(of), limits.high.take(of), limits.rows
    if problem.H is not None:
        c -= problem.H[of] @ change
    if len(downs):  # their unknowns are how far they go down
        for each in (columns, c, begin):
            each[split:] *= -1
        low[split:], high[split:] = -limits.high[downs], -limits.low[downs]
    if len(downs):
        begin = np.maximum(begin, 0.0)  # of the two unknowns of a slider one is 0
    H = columns @ columns.T
    c += price.take(of)
    c -= H @ begin
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
    if len(downs):
        goal[downs] -= found[split:]
    return goal, status


def _leftward(cost: BentCost, change: Floats, slopes: tuple[Floats, Floats], limits: Limits) -> NDArray[np.bool_]:
    """Which sliders (n,) gain more by going down than by going up, by the slopes on either side of them."""
    own, price = cost.problem.ridge * change, cost.price
    down, up = slopes
    gain_up = np.where(change < limits.high, -(up + own + np.where(change >= 0, price, -price)), 0.0)
    gain_down = np.where(change > limits.low, down + own + np.where(change <= 0, -price, price), 0.0)
    return np.asarray(gain_down > np.maximum(gain_up, 0.0))
