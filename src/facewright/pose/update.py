"""The default method of a drag: within bounds, few sliders, little motion elsewhere, and by the rig's rules."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from facewright.arrays import Floats
from facewright.pose.bounded import BoundedChange
from facewright.pose.descent import Descent
from facewright.pose.pin_rows import PinRows
from facewright.pose.problem import PinTargets, drag_problem
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.exclusive import ExclusivePairs
from facewright.terms.limits import Limits
from facewright.terms.pin import HOLD
from facewright.terms.preferences import OF_DRAGS, Relief
from facewright.terms.rules import DistanceRules, solve_within
from facewright.terms.selection import Hold
from facewright.terms.stack import TermList
from facewright.terms.term import Preference


class BoundedUpdate:
    """Changes of the sliders for wanted motions of pins, by the terms and within the limits."""

    def __init__(
        self,
        deltas: DeltaMatrix,
        pins: PinRows,
        start: Floats,
        limits: Limits,
        *,
        held: Hold | None = None,
        terms: TermList = TermList((), ()),  # noqa: B008 -- frozen
        preferences: tuple[Preference, ...] = OF_DRAGS,
        relief: Relief = Relief(),  # noqa: B008 -- frozen
    ) -> None:
        self._start, self._relief = start, relief
        self._linear = deltas.is_linear
        self._rules = DistanceRules(deltas.rig, deltas.combine, deltas.at_vertices)
        self._exclusive = ExclusivePairs(deltas, start)
        most = np.abs(pins.by_slider) @ np.maximum(limits.high, -limits.low)  # (q,)
        importance = pins.strength**2
        self._targets = PinTargets(pins.rows, np.where(pins.hold, 0.0, importance), pins.pin, most)
        kept, every = _kept(deltas, pins, held), TermList((), preferences).more(terms)
        self._problem = problem = drag_problem(deltas, start, self._targets, kept, every)
        # Lock sliders that move nothing that is asked for: the problem gets smaller.
        touched = (problem.rows.any(axis=0) | self._rules.touched()) @ deltas.drives  # (n,)
        touched |= problem.H.any(axis=0) | (problem.slope != 0)
        self._limits = limits.locked(np.flatnonzero(~touched))
        self._descent = Descent(deltas, problem, start)
        slopes = deltas.combine.jacobian(start)  # (s, n)
        self._pull = -self._targets.importance[:, None] * (self._targets.B @ slopes)  # (q, n)
        self._constant = problem.pull @ slopes + problem.slope  # (n,)
        rows = problem.rows @ slopes
        self._H = rows.T @ rows + problem.H
        self._prepared = BoundedChange(self._H, problem.ridge, self._limits)

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.solve(self._limits, lambda within: self._within(wanted, within))

    def _within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        return solve_within(self._rules, self._start, limits, lambda within: self._two_passes(wanted, within))

    def _two_passes(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The first pass chooses the sliders; in the second those in use have a low price."""
        size, problem = self._targets.size(wanted), self._problem
        priced, price = self._priced(wanted, limits), size.typical * problem.price
        change, status = priced(price, np.zeros(len(self._start)))
        if status is not Status.SOLVED or not change.any():
            return change, status
        brought = np.abs(change) * problem.columns / (size.length or 1.0)
        return priced(price * self._relief.factors(brought), change)

    def _priced(self, wanted: Floats, limits: Limits) -> Callable[[Floats, Floats], tuple[Floats, Status]]:
        """A solve for prices (n,) that begins at a change (n,)."""
        if not self._linear:
            slope = self._targets.slope(wanted) + self._problem.pull
            return lambda price, change: self._descent.solve(slope, price, limits, change)
        prepared = limits is self._limits
        bounded = self._prepared if prepared else BoundedChange(self._H, self._problem.ridge, limits)
        pull = wanted @ self._pull + self._constant
        return lambda price, change: bounded.solve(pull, price)


def _kept(deltas: DeltaMatrix, pins: PinRows, held: Hold | None) -> list[Floats]:
    """Rows (k, s) of the pins that hold, and of the held coordinates."""
    kept, hold = [], pins.hold
    if hold.any():
        kept.append(np.sqrt(HOLD) * pins.strength[hold, None] * pins.rows[hold])
    if held is not None:
        kept.append(np.sqrt(held.alpha) * deltas.coordinates(held.selection.coordinates))
    return kept
