"""Gauss-Newton, for rigs whose sliders have in-betweens or combine.

In a step every slider stays on its straight piece, so that in-betweens are met exactly; the next step continues where
two pieces meet. Each solve starts from the pose at the beginning of the drag, so that the result does not depend on the
path of the pointer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.pose.bounded import BoundedChange
from facewright.pose.inbetweens import Pieces, past_a_knot
from facewright.pose.problem import DragCost, DragProblem
from facewright.rig.combine import Combine
from facewright.solve.solution import Status
from facewright.terms.limits import Limits

_STEPS = 60
_DOUBLINGS = 4
_SETTLED = 1e-9  # the search ends when no weight changes by more
_GAINLESS = 1e-10  # share of the cost: the search ends when the gain is smaller
_PAST_KNOTS = 20


class Descent:
    """Changes of the sliders, of full values (n,), from `start` (n,) that make the cost of a problem small."""

    def __init__(self, combine: Combine, pieces: Pieces, start: Floats, full: Floats) -> None:
        self._combine, self._pieces, self._start, self._full = combine, pieces, start, full
        self._values = combine(start)  # (s,)

    def solve(
        self, problem: DragProblem, c: Floats, price: Floats, limits: Limits, change: Floats
    ) -> tuple[Floats, Status]:
        """The change (n,) for the slope c (s,) at the start and prices (n,), within limits, from a change (n,) on."""
        cost = DragCost(self._combine, problem, self._start, self._values, c, price)
        change, status = self._descend(cost, change, limits)
        for _ in range(_PAST_KNOTS if limits.rows is None else 0):
            past = past_a_knot(cost, self._pieces, change, limits)
            if past is None:
                break
            change, status = self._descend(cost, past, limits)
        return change, status

    def _descend(self, cost: DragCost, change: Floats, limits: Limits) -> tuple[Floats, Status]:
        for _ in range(_STEPS):
            goal, status = self._goal(cost, change, limits)
            if status is Status.INFEASIBLE:
                return change, status
            step, gain = _downhill(cost, change, goal - change, limits)
            change = change + step
            if np.abs(step).max(initial=0.0) <= _SETTLED or gain <= _GAINLESS:
                return change, status
        return change, Status.OUT_OF_STEPS

    def _goal(self, cost: DragCost, change: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The best change for the rig linearised about this one."""
        weights, at_knot = self._pieces.snapped(self._start + change)
        slope, slopes = cost.slope_by_shapes(weights), self._combine.jacobian(weights)  # (s,), (s, n)
        if len(self._pieces):
            leftward = np.zeros(len(weights), bool)
            if at_knot:
                below = self._combine.jacobian(np.nextafter(weights, -np.inf))
                leftward = _leftward(cost, change, (below.T @ slope, slopes.T @ slope), limits)
                slopes = np.where(leftward, below, slopes)
            limits = self._on_pieces(weights, leftward, limits)
        problem = cost.problem
        moves = problem.rows @ slopes  # (r, n)
        H = _convex(self._combine.bending(weights, slope), self._full)
        H = H if problem.H is None else H + problem.H
        c = slopes.T @ slope + cost.slope_by_sliders(change) - H @ change - moves.T @ (moves @ change)
        return BoundedChange(moves, H, problem.ridge, limits).solve(c, cost.price)

    def _on_pieces(self, weights: Floats, leftward: NDArray[np.bool_], limits: Limits) -> Limits:
        low, high = self._pieces.ends(weights, leftward)
        low, high = np.maximum(limits.low, low - self._start), np.minimum(limits.high, high - self._start)
        return replace(limits, low=np.minimum(low, high), high=high)


def _leftward(cost: DragCost, change: Floats, slope: tuple[Floats, Floats], limits: Limits) -> NDArray[np.bool_]:
    """Which sliders (n,) gain more by going down than by going up, by the slopes on either side of them."""
    own, price = cost.problem.ridge * change + cost.slope_by_sliders(change), cost.price
    down, up = slope
    gain_up = np.where(change < limits.high, -(up + own + np.where(change >= 0, price, -price)), 0.0)
    gain_down = np.where(change > limits.low, down + own + np.where(change <= 0, -price, price), 0.0)
    return np.asarray(gain_down > np.maximum(gain_up, 0.0))


def _convex(bending: Floats, full: Floats) -> Floats:
    """A symmetric matrix without a diagonal, with one that makes it convex.

    For sliders in shares of their full values (n,) it is diagonally dominant.
    """
    return bending + np.diag(np.abs(bending) @ full / full)


def _downhill(cost: DragCost, change: Floats, step: Floats, limits: Limits) -> tuple[Floats, float]:
    """The step halved until the cost falls, or doubled while it falls further, and the gain."""
    before, after = float(cost(change)), float(cost(change + step))
    taken = step
    while after > before and np.abs(taken).max() > _SETTLED:
        taken = taken / 2
        after = float(cost(change + taken))
    if taken is step and limits.rows is None:
        taken, after = _lengthened(cost, change, step, after, limits)
    return (taken, (before - after) / (abs(after) or 1.0)) if after <= before else (0 * step, 0.0)


def _lengthened(cost: DragCost, change: Floats, step: Floats, after: float, limits: Limits) -> tuple[Floats, float]:
    for _ in range(_DOUBLINGS):
        longer = np.clip(change + 2 * step, limits.low, limits.high) - change
        there = float(cost(change + longer))
        if there >= after:
            break
        step, after = longer, there
    return step, after
