"""A natural face for a hand that drags one or two points.

Such a hand shows about where to, which is too little to ask a prior for all sliders: it would use many of them to
follow the hand's slips. So the sliders that move the dragged points do what they do for a hand, and the others follow
as they go together with those: a corner of the mouth that is dragged up takes the other one along.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.pose.natural import NaturalUpdate
from facewright.pose.update import BoundedUpdate
from facewright.solve.active_set import ActiveSetQP
from facewright.solve.limits import RowLimits
from facewright.solve.solution import Solution, Status
from facewright.terms.exclusive import ExclusivePairs
from facewright.terms.limits import Limits
from facewright.terms.rules import DistanceRules, solve_within

_TOUCHED = 0.05  # of how far the fastest slider moves a dragged point: one that moves it less may follow


class CompletedUpdate:
    """The change of a hand, completed by what is likely to come with it."""

    def __init__(
        self,
        bounded: BoundedUpdate,
        natural: NaturalUpdate,
        exclusive: ExclusivePairs,
        rules: DistanceRules,
        start: Floats,
        limits: Limits,
    ) -> None:
        self._bounded, self._natural, self._exclusive = bounded, natural, exclusive
        self._rules, self._start, self._limits = rules, start, limits
        reach = natural.reach * (limits.high - limits.low)[natural.sliders]  # (pins, k)
        fastest = reach.max(axis=1, initial=0.0)[:, None]
        touched = (reach > _TOUCHED * fastest).any(axis=0)
        self._follow = np.flatnonzero(~touched)  # of the sliders of the prior
        self._followers = natural.sliders[self._follow]
        self._last: Solution | None = None

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.solve(self._limits, lambda within: self._within(wanted, within))

    def _within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        change, status = self._bounded.within(wanted, limits)
        if not change.any() or not len(self._followers):
            return change, status
        led = change.copy()
        led[self._followers] = 0.0
        found, other = solve_within(self._rules, self._start, limits, lambda each: self._completed(wanted, led, each))
        return found, status if other is Status.SOLVED else other

    def _completed(self, wanted: Floats, led: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) with what follows the sliders of the hand (n,), which stay as they are."""
        natural, follow, followers = self._natural, self._follow, self._followers
        precision = natural.precision(wanted)  # (k, k)
        curvature = natural.curvature[np.ix_(follow, follow)] + precision[np.ix_(follow, follow)]
        c = precision[follow] @ led[natural.sliders]
        own = limits.of_sliders(followers)
        rows = own.rows
        if rows is not None and limits.rows is not None:
            taken = limits.rows.matrix @ led
            rows = RowLimits(rows.matrix, np.minimum(rows.low - taken, 0.0), np.maximum(rows.high - taken, 0.0))
        solution = self._last = ActiveSetQP(own.low, own.high, rows, start=self._last).solve(curvature, c)
        change = led.copy()
        change[followers] = solution.x
        return change, solution.status
