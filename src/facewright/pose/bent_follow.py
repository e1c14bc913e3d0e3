"""Attenuation on rigs whose sliders bend or combine: what the linear answer leaves is corrected by the true cost.

The cost is Lewis' (2005, eq. 2) with the rig as it is: the points that are not selected go where the animator's weights
take them, the selected ones stay. Each correction takes its slope from the true cost and its curvature from the rig
linearised about the reference, whose factorisation is there already: so it takes little longer than the linear answer.
Where the rig hardly bends between the reference and the two poses, there is nothing to correct.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from facewright.arrays import Floats
from facewright.pose.follow import Follow, FollowSolver
from facewright.rig.point_motion import ShapeMotion
from facewright.solve.solution import Status
from facewright.terms.limits import Limits

_CORRECTIONS = 4
_STRAIGHT = (
    0.2  # share of the cost: if bending changes it by less, by a rough estimate that is high, nothing is corrected
)
_GAINLESS = 0.05  # share of the cost: a correction that gains less is the last
_SHORT = 0.7  # of a correction: if the cost is lowest nearer than this, it goes there


@dataclass(frozen=True, eq=False)
class BentFollow:
    """1/2 (v - v1)' P (v - v1) + alpha/2 (v - v0)' Q (v - v0) + 1/2 (x - x1)' unlikely (x - x1).

    v are the shapes' values at a change x of the sliders, v1 those at the weights to follow, v0 those at the reference.
    """

    motion: ShapeMotion
    reference: Floats  # (n,)
    slopes: Floats  # (s, n) of the shapes' values there
    P: Floats  # (s, s) over the coordinates that are not selected
    Q: Floats  # (s, s) over those that are
    linear: Follow  # the same cost of the rig linearised about the reference
    unlikely: Floats | None = None  # (n, n)

    def solve(self, solver: FollowSolver, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) for the change (n,) of the weights to follow: never worse than the linear answer."""
        change, status = solver.solve(wanted, limits)
        if not wanted.any() or status is Status.INFEASIBLE:
            return change, status
        poses = np.array([wanted, change]) + self.reference
        bent = self.motion.bent_at_two(poses)  # (2, b)
        if self._worth(bent - self._straight.at(poses)) <= _STRAIGHT * self.linear.cost(wanted, change):
            return change, status
        values = self.motion.with_bent(poses[0], bent[0])
        return self._corrected(solver, FollowAim(self, wanted, values), change, limits)

    def _worth(self, bends: Floats) -> float:
        """About how much bends (2, b) of the shapes' values to follow, and of the answer, change the cost."""
        return float(np.vdot(bends**2, self._straight.importance)) / 2

    def _corrected(self, solver: FollowSolver, aim: FollowAim, change: Floats, limits: Limits) -> tuple[Floats, Status]:
        here, status = CostPoint(self, aim, change), Status.SOLVED
        for _ in range(_CORRECTIONS):
            goal, status = solver.corrected(here.slope, here.change, limits)
            there = here.lowest_towards(goal)
            gain, here = here.cost - there.cost, there
            if gain <= _GAINLESS * here.cost or status is not Status.SOLVED:
                break
        return here.change, status

    @cached_property
    def _straight(self) -> _StraightValues:
        shapes = self.motion.bent_shapes
        slopes = np.ascontiguousarray(self.slopes[shapes].T)
        importance = np.stack([self.P.diagonal()[shapes], self.curvature.diagonal()[shapes]])
        return _StraightValues(slopes, self._before[shapes] - self.reference @ slopes, importance)

    @cached_property
    def curvature(self) -> Floats:
        """By the shapes' values (s, s)."""
        return self.P + self.linear.alpha * self.Q

    @cached_property
    def held(self) -> Floats:
        """The pull (s,) of the selected points to where they are at the reference."""
        return np.asarray(self.linear.alpha * self.Q @ self._before)

    @cached_property
    def _before(self) -> Floats:
        return self.motion.values(self.reference)

    @cached_property
    def at_rest(self) -> float:
        """What the selected points would cost where all shapes are at 0."""
        return float(self._before @ self.held) / 2


class _StraightValues(NamedTuple):
    """What the values of the shapes that bend would be if they were straight; the others are."""

    slopes: Floats  # (n, b)
    at_rest: Floats  # (b,) where all sliders are at 0
    importance: Floats  # (2, b) of what differs, at the weights to follow and at the answer

    def at(self, poses: Floats) -> Floats:
        """At slider values (2, n): (2, b)."""
        # Two products with vectors take half of the time of one with a matrix of two rows.
        found = np.empty((2, len(self.at_rest)))
        np.matmul(poses[0], self.slopes, out=found[0])
        np.matmul(poses[1], self.slopes, out=found[1])
        found += self.at_rest
        return found


class FollowAim:
    """The cost for weights to follow: 1/2 v' curvature v - pull'v + constant, and what is unlikely."""

    def __init__(self, follow: BentFollow, wanted: Floats, values: Floats) -> None:
        self.wanted, moved = wanted, follow.P @ values  # (n,), (s,)
        self.pull = moved + follow.held  # (s,)
        self.constant = float(values @ moved) / 2 + follow.at_rest


class CostPoint:
    """A change (n,), what it costs, and the slope of the cost by the sliders (n,)."""

    def __init__(self, follow: BentFollow, aim: FollowAim, change: Floats) -> None:
        self._follow, self._aim, self.change = follow, aim, change
        values, slopes = follow.motion.both(follow.reference + change)
        curved = follow.curvature @ values
        self.cost = float(values @ (curved / 2 - aim.pull)) + aim.constant
        self.slope = follow.motion.slope(slopes, curved - aim.pull)
        if follow.unlikely is not None:
            by_sliders = follow.unlikely @ (change - aim.wanted)
            self.slope += by_sliders
            self.cost += float((change - aim.wanted) @ by_sliders) / 2

    def lowest_towards(self, goal: Floats) -> CostPoint:
        """The best place on the way to a change (n,), the cost being about a parabola on it; this one if none is."""
        there, step = CostPoint(self._follow, self._aim, goal), goal - self.change
        falls = float(self.slope @ step)
        bends = there.cost - self.cost - falls  # half of the parabola's curvature
        if -falls < 2 * _SHORT * bends:
            nearer = CostPoint(self._follow, self._aim, self.change + max(-falls / (2 * bends), 0.0) * step)
            there = nearer if nearer.cost < there.cost else there
        return there if there.cost < self.cost else self
