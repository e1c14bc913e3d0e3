"""Gauss-Newton, for rigs whose sliders bend (in-betweens) or combine (products).

In a step every slider keeps to the straight piece it is on, so that in-betweens are met exactly; the next step goes on
from where two pieces meet. Each answer starts anew from the pose at the beginning of the drag: no drag depends on its
way.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.pose.bounded import BoundedChange
from facewright.pose.limits import Limits
from facewright.pose.motion import Motion
from facewright.pose.pieces import Pieces
from facewright.pose.terms import Problem
from facewright.solve.solution import Status

_STEPS = 60
_DOUBLINGS = 4
_SETTLED = 1e-9  # the largest change of a weight that ends it
_GAINLESS = 1e-11  # share of the cost: a smaller gain ends it too
_LEAPS = 20  # over bends
_WORTH = 1e-6  # share of the cost by which a leap must lower it
_TINY = 1e-300


class Descent:
    """Changes of the sliders from `start` (n,) that make a problem's cost small."""

    def __init__(self, motion: Motion, problem: Problem, start: Floats) -> None:
        self._combine, self._problem, self._start = motion.combine, problem, start
        self._values = motion.combine(start)  # (s,)
        self._pieces = Pieces(motion.rig)

    def solve(self, c: Floats, price: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) for the slope c (s,) at the start and prices (n,), within limits."""
        change, status = self._descend(np.zeros(len(self._start)), c, price, limits)
        for _ in range(_LEAPS):
            beyond = self._beyond_a_bend(change, c, price, limits)
            if beyond is None or status is Status.INFEASIBLE:
                break
            change, status = self._descend(beyond, c, price, limits)
        return change, status

    def _descend(self, change: Floats, c: Floats, price: Floats, limits: Limits) -> tuple[Floats, Status]:
        for _ in range(_STEPS):
            goal, status = self._goal(change, c, price, limits)
            if status is Status.INFEASIBLE:
                return change, status
            step, gain = self._downhill(change, goal - change, c, price, limits)
            change = change + step
            if np.abs(step).max(initial=0.0) <= _SETTLED or gain <= _GAINLESS * abs(self._cost(change, c, price)):
                return change, status
        return change, Status.OUT_OF_STEPS

    def _beyond_a_bend(self, change: Floats, c: Floats, price: Floats, limits: Limits) -> Floats | None:
        """A better change (n,) by one slider alone, which a bend kept from being found; None where there is none."""
        if limits.rows is not None:
            return None
        best, least = None, self._cost(change, c, price)
        least -= _WORTH * abs(least)
        for slider, knots in self._pieces.knots:
            ends = limits.low[slider], limits.high[slider]
            stops = np.unique(np.clip([*ends, 0.0, *(knots - self._start[slider])], *ends))
            for place in self._lowest(change, slider, stops, c, price):
                other = change.copy()
                other[slider] = place
                if (cost := self._cost(other, c, price)) < least:
                    best, least = other, cost
        return best

    def _lowest(self, change: Floats, slider: int, stops: Floats, c: Floats, price: Floats) -> Floats:
        """Where along one slider the cost is lowest between each stop and the next (k - 1,): there it is a parabola."""
        changes = np.repeat(change[None], len(stops), axis=0)
        changes[:, slider] = stops
        v = self._combine(self._start + changes) - self._values  # (k, s)
        moved, wide = v @ self._problem.rows.T, np.diff(stops)
        turn = np.diff(moved, axis=0) / wide[:, None]
        ridge = self._problem.ridge[slider]
        curvature = (turn**2).sum(axis=1) + ridge
        slope = (turn * moved[:-1]).sum(axis=1) + np.diff(v, axis=0) @ c / wide + ridge * stops[:-1]
        slope += price[slider] * np.where(stops[1:] > 0, 1, -1)
        return np.asarray(stops[:-1] + np.clip(-slope / (curvature + _TINY), 0.0, wide))

    def _goal(self, change: Floats, c: Floats, price: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The best change if the rig were everywhere as it is about this one."""
        weights, at_knot = self._pieces.snapped(self._start + change)
        rows = self._problem.rows
        slope = rows.T @ (rows @ (self._combine(weights) - self._values)) + c  # (s,)
        slopes = self._combine.jacobian(weights)  # (s, n)
        if len(self._pieces):
            leftward = np.zeros(len(weights), bool)
            if at_knot:
                below = self._combine.jacobian(np.nextafter(weights, -np.inf))
                leftward = self._leftward(change, (below.T @ slope, slopes.T @ slope), price, limits)
                slopes = np.where(leftward, below, slopes)
            limits = self._on_pieces(weights, leftward, limits)
        moves = rows @ slopes  # (r, n)
        H = moves.T @ moves + _convex(self._combine.bending(weights, slope))
        return BoundedChange(H, self._problem.ridge, limits).solve(slopes.T @ slope - H @ change, price)

    def _leftward(
        self, change: Floats, slope: tuple[Floats, Floats], price: Floats, limits: Limits
    ) -> NDArray[np.bool_]:
        """Which sliders (n,) gain more by going down than by going up, by the slopes on either side of them."""
        down, up = slope
        ridge = self._problem.ridge * change
        gain_up = np.where(change < limits.high, -(up + ridge + np.where(change >= 0, price, -price)), 0.0)
        gain_down = np.where(change > limits.low, down + ridge + np.where(change <= 0, -price, price), 0.0)
        return np.asarray(gain_down > np.maximum(gain_up, 0.0))

    def _on_pieces(self, weights: Floats, leftward: NDArray[np.bool_], limits: Limits) -> Limits:
        low, high = self._pieces.ends(weights, leftward)
        low, high = np.maximum(limits.low, low - self._start), np.minimum(limits.high, high - self._start)
        return replace(limits, low=np.minimum(low, high), high=high)

    def _downhill(self, change: Floats, step: Floats, c: Floats, price: Floats, limits: Limits) -> tuple[Floats, float]:
        """The step, or its half, its quarter ... until it helps, or its double ... while that helps more; the gain."""
        before = self._cost(change, c, price)
        best, least = step, self._cost(change + step, c, price)
        while least > before and np.abs(best).max() > _SETTLED:
            best = best / 2
            least = self._cost(change + best, c, price)
        if best is step and limits.rows is None:
            for _ in range(_DOUBLINGS):
                longer = np.clip(change + 2 * best, limits.low, limits.high) - change
                cost = self._cost(change + longer, c, price)
                if cost >= least:
                    break
                best, least = longer, cost
        return (best, before - least) if least <= before else (0 * step, 0.0)

    def _cost(self, change: Floats, c: Floats, price: Floats) -> float:
        v = self._combine(self._start + change) - self._values
        moved = self._problem.rows @ v
        return float(moved @ moved / 2 + c @ v + self._problem.ridge @ change**2 / 2 + price @ np.abs(change))


def _convex(bending: Floats) -> Floats:
    """The least diagonal by which a symmetric matrix without one is sure to become convex, added."""
    return bending + np.diag(np.abs(bending).sum(axis=1))
