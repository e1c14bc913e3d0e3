"""The default answer to a drag: within bounds, few sliders, little motion elsewhere, and by the rig's rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.bounded import BoundedChange
from facewright.pose.limits import Limits
from facewright.pose.motion import Motion
from facewright.pose.pinned import Pinned
from facewright.pose.rules import Distances
from facewright.pose.selection import Selection
from facewright.pose.terms import Few, Hold, Preference, Reach, StayNear, Wishes
from facewright.solve.solution import Status

_HOLD = 1e3  # a hold pin counts that many times a pin of strength 1
_STEPS = 30  # of Gauss-Newton, where sliders combine
_HALVINGS = 12
_SETTLED = 1e-9  # the largest change of a weight that ends it
_CUTS = 40  # half-spaces that a rule's ball may need
_OVER = 1e-6  # share by which a rule's distance may be exceeded
_STILL = 1e-2  # a slider that moves the face less than this share of the liveliest one is not cheaper for it
_ON = 1e-9  # a weight above this is on


@dataclass(frozen=True, eq=False)
class Held:
    """Coordinates that stay as still as they can, and how much that counts."""

    selection: Selection
    alpha: float


class BoundedUpdate:
    """Changes of the sliders for wanted motions of pins, by the terms and within the limits."""

    def __init__(
        self,
        motion: Motion,
        pinned: Pinned,
        start: Floats,
        limits: Limits,
        *,
        held: Held | None = None,
        preferences: tuple[Preference, ...] = (StayNear(), Few()),
    ) -> None:
        self._motion, self._pinned, self._start, self._limits = motion, pinned, start, limits
        self._preferences = preferences
        self._alpha = 0.0 if held is None else held.alpha
        self._held = motion.coordinates(np.zeros(0, np.int64) if held is None else held.selection.coordinates)  # (c, s)
        amount = motion.amount(start)
        self._amount = np.maximum(amount / (amount.max(initial=0.0) or 1.0), _STILL)
        self._distances = Distances(motion)
        self._values = motion.combine(start)  # (s,)
        self._slopes = motion.combine.jacobian(start)  # (s, n)
        self._rows = pinned.rows @ self._slopes  # (q, n)
        self._curvature = self._wishes(np.zeros(len(pinned.rows)), np.zeros(len(start))).curvature()
        self._prepared = BoundedChange(self._curvature, limits.low, limits.high, limits.rows)

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        change, status = self._within(wanted, self._limits)
        losers = self._losers(change)
        return self._within(wanted, self._limits.locked(losers)) if len(losers) else (change, status)

    def _within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change within limits and, by half-spaces added where it is outside, within the rules' distances."""
        change, status = self._descend(wanted, limits)
        for _ in range(_CUTS):
            outside = self._distances.outside(self._start + change, _OVER)
            if not len(outside) or status is Status.INFEASIBLE:
                return change, status
            limits = limits.cut(self._distances.tangents(outside, self._start + change, self._start))
            change, status = self._descend(wanted, limits)
        return change, Status.OUT_OF_STEPS

    def _descend(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """One step where the rig is linear, else Gauss-Newton from the start."""
        if self._motion.is_linear and limits is self._limits:
            return self._prepared.solve(self._wishes(wanted, np.zeros(len(self._start))).slope())
        change = np.zeros(len(self._start))
        for _ in range(_STEPS):
            wishes = self._wishes(wanted, change)
            goal, status = BoundedChange(wishes.curvature(), limits.low, limits.high, limits.rows).solve(wishes.slope())
            if self._motion.is_linear or status is Status.INFEASIBLE:
                return goal, status
            step = self._downhill(wanted, change, goal - change)
            change = change + step
            if np.abs(step).max(initial=0.0) <= _SETTLED:
                return change, status
        return change, Status.OUT_OF_STEPS

    def _wishes(self, wanted: Floats, change: Floats) -> Wishes:
        """All terms, the rig taken as linear about a change (n,) from the start."""
        slopes, rows, left, moved = self._slopes, self._rows, wanted, np.zeros(len(self._values))
        if change.any():
            moved = self._motion.combine(self._start + change) - self._values
            slopes = self._motion.combine.jacobian(self._start + change)
            rows = self._pinned.rows @ slopes
            left = wanted - self._pinned.rows @ moved + rows @ change
        pins, hold, weight = ~self._pinned.hold, self._pinned.hold, self._pinned.strength
        kept = []
        if hold.any():
            kept.append(Hold(weight[hold, None] * rows[hold], weight[hold] * left[hold], _HOLD))
        if len(self._held):
            still = self._held @ slopes
            kept.append(Hold(still, still @ change - self._held @ moved, self._alpha))
        asked = Reach(weight[pins, None] * rows[pins], weight[pins] * left[pins])
        return Wishes((asked,), tuple(kept), self._preferences, self._amount)

    def _downhill(self, wanted: Floats, change: Floats, step: Floats) -> Floats:
        """The longest of the step, its half, its quarter ... that does not make things worse."""
        price = self._wishes(wanted, np.zeros(len(change))).slope().price
        before = self._cost(wanted, change, price)
        for _ in range(_HALVINGS):
            if self._cost(wanted, change + step, price) <= before:
                return step
            step = step / 2
        return np.zeros(len(step))

    def _cost(self, wanted: Floats, change: Floats, price: Floats) -> float:
        moved = self._motion.combine(self._start + change) - self._values
        weight = self._pinned.strength * np.where(self._pinned.hold, np.sqrt(_HOLD), 1.0)
        error, still = weight * (self._pinned.rows @ moved - wanted), self._held @ moved
        near = self._curvature.ridge @ change**2
        return float(error @ error + self._alpha * (still @ still) + near) / 2 + float(price @ np.abs(change))

    def _losers(self, change: Floats) -> Ints:
        """Sliders that must stay off because their exclusive partner is on: the partner was on before, or does more."""
        rig, after = self._motion.rig, self._start + change
        lost = []
        for pair in rig.exclusive:
            i, j = sorted((rig.slider_index(name) for name in pair), key=lambda k: -abs(after[k] * self._amount[k]))
            was_on = abs(self._start[[i, j]]) > _ON
            if (abs(after[[i, j]]) > _ON).all() and not was_on.all():
                lost.append(i if was_on[1] else j)
        return np.array(lost, np.int64)
