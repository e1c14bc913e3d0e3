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
_HALVINGS = 30
_SETTLED = 1e-9  # the largest change of a weight that ends it


class Descent:
    """Changes of the sliders from `start` (n,) that make a problem's cost small."""

    def __init__(self, motion: Motion, problem: Problem, start: Floats) -> None:
        self._combine, self._problem, self._start = motion.combine, problem, start
        self._values = motion.combine(start)  # (s,)
        self._pieces = Pieces(motion.rig)

    def solve(self, c: Floats, price: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) for the slope c (s,) at the start and prices (n,), within limits."""
        change = np.zeros(len(self._start))
        for _ in range(_STEPS):
            goal, status = self._goal(change, c, price, limits)
            if status is Status.INFEASIBLE:
                return change, status
            step = self._downhill(change, goal - change, c, price)
            change = change + step
            if np.abs(step).max(initial=0.0) <= _SETTLED:
                return change, status
        return change, Status.OUT_OF_STEPS

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
        H = moves.T @ moves
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

    def _downhill(self, change: Floats, step: Floats, c: Floats, price: Floats) -> Floats:
        """The longest of the step, its half, its quarter ... that does not make things worse."""
        before = self._cost(change, c, price)
        for _ in range(_HALVINGS):
            if self._cost(change + step, c, price) <= before:
                return step
            step = step / 2
        return np.zeros(len(step))

    def _cost(self, change: Floats, c: Floats, price: Floats) -> float:
        v = self._combine(self._start + change) - self._values
        moved = self._problem.rows @ v
        return float(moved @ moved / 2 + c @ v + self._problem.ridge @ change**2 / 2 + price @ np.abs(change))
