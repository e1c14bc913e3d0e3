"""A natural face: the pose that a face is likely to make where the pins are at their targets."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from facewright.arrays import Floats
from facewright.pose.bent_cost import PinRoots
from facewright.pose.bounded import BoundedChange
from facewright.pose.descent import Descent
from facewright.pose.pin_rows import PinRows
from facewright.pose.problem import DragProblem, PinTargets, drag_problem
from facewright.pose.update import kept_rows
from facewright.rig.point_motion import chords
from facewright.solve.active_set import ActiveSetQP
from facewright.solve.limits import RowLimits
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.exclusive import ExclusivePairs
from facewright.terms.limits import Limits
from facewright.terms.preferences import StayNear
from facewright.terms.prior_evidence import PosePrior
from facewright.terms.rules import DistanceRules, solve_within
from facewright.terms.selection import Hold
from facewright.terms.stack import TermList

_BEYOND = 2.0  # times the reach of the slider that goes furthest along a drag: more is not asked for
_DEFINITE = StayNear(1e-9)
_CHOICES = 32  # limits that problems are kept for: one for each choice among exclusive sliders


class NaturalUpdate:
    """Changes of the sliders for wanted motions of pins: the most likely one by the prior, within the limits.

    The prior counts from the start of the drag, so that a drag back to the start gives the start.
    """

    def __init__(
        self,
        deltas: DeltaMatrix,
        pins: PinRows,
        start: Floats,
        limits: Limits,
        prior: PosePrior,
        *,
        held: Hold | None = None,
        terms: TermList = TermList((), ()),  # noqa: B008 -- frozen
    ) -> None:
        self._start, self._limits, self._linear = start, limits, deltas.is_linear
        self._rules = DistanceRules(deltas.rig, deltas.combine, deltas.at_vertices)
        self._exclusive = ExclusivePairs(deltas, start)
        self._targets = targets = PinTargets.of(pins, limits)
        own = TermList((), (_DEFINITE,)).more(terms)
        problem = drag_problem(deltas, start, targets, kept_rows(deltas, pins, held), own)
        self._problem = problem
        bent = not deltas.is_linear
        if bent:
            self._descent = Descent(deltas.combine, start, deltas.rig.bounds)
            roots = PinRoots(targets.B, np.sqrt(targets.importance))
            self._measures = self._descent.measures(problem, roots)
        # A linear rig, whose answer is the start of the descent where sliders bend.
        slopes = chords(deltas.combine, start, deltas.rig.bounds) if bent else deltas.combine.slopes(start)  # (s, n)
        self._by_slider = rows = np.asarray(pins.rows @ slopes) if bent else pins.by_slider  # (q, n)
        free = np.flatnonzero((limits.low < 0) | (limits.high > 0))
        self._asking = np.flatnonzero(targets.importance > 0)
        self._root = np.sqrt(targets.importance[self._asking])
        self._evidence = prior.about(self._root[:, None] * rows[self._asking], free)
        self.sliders = free = self._evidence.sliders  # (k,) those that may move
        self._idle = np.setdiff1d(np.arange(len(start)), free)
        self._constant = (problem.pull @ slopes + problem.slope)[free]  # (k,)
        self._asked = targets.importance[:, None] * rows[:, free]  # (q, k)
        self._moves = np.asarray(problem.rows @ slopes)[:, free]  # (r, k)
        self._H = None if problem.H is None else problem.H[np.ix_(free, free)]
        self._values = np.asarray(deltas.combine(start))  # (s,)
        self._kept: dict[tuple[bytes, bytes], tuple[RowLimits | None, ActiveSetQP]] = {}  # by bounds

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.solve(self._limits, lambda within: self.within(wanted, within))

    def within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The same within other limits, exclusive pairs left aside."""
        if not wanted.any() and not self._constant.any():
            return np.zeros(len(self._start)), Status.SOLVED
        stiffness = self._evidence.stiffness(self._root * wanted[self._asking])  # (p,)
        asked = self._within_reach(wanted)
        return solve_within(self._rules, self._start, limits, lambda each: self._likely(asked, stiffness, each))

    def precision(self, wanted: Floats) -> Floats:
        """Of the prior (k, k), for wanted motion (q,)."""
        return self._evidence.precision(self._root * wanted[self._asking])

    @cached_property
    def curvature(self) -> Floats:
        """Of everything else (k, k)."""
        found = self._moves.T @ self._moves + np.diag(self._problem.ridge[self.sliders])
        return np.asarray(found if self._H is None else found + self._H)

    @property
    def reach(self) -> Floats:
        """How far each slider moves each dragged pin (pins, k)."""
        weighed = np.sqrt(self._targets.importance)[:, None] * self._by_slider[:, self.sliders]
        return self._targets.lengths_by_slider(weighed)

    def _likely(self, wanted: Floats, stiffness: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) where each moment of the prior counts with its stiffness (p,)."""
        problem, free = self._problem, self.sliders
        price = self._targets.size(wanted).typical * problem.price
        whole, c = np.zeros(len(price)), self._constant - wanted @ self._asked
        if problem.price.any():
            own = self._evidence.precision_of(stiffness)
            own = own if self._H is None else own + self._H
            bounded = BoundedChange(self._moves, own, problem.ridge[free], self._own(limits))
            whole[free], status = bounded.solve(c, price[free])
        else:
            solution = self._prepared(limits).solve(self.curvature + self._evidence.precision_of(stiffness), c)
            whole[free], status = solution.x, solution.status
        if not self._linear and status is not Status.INFEASIBLE:
            cost = self._measures.cost(self._with_prior(stiffness), wanted, price)
            return self._descent.solve(cost, limits.locked(self._idle), self._descent.at(cost, whole))
        return whole, status

    def _with_prior(self, stiffness: Floats) -> DragProblem:
        """The problem where each moment of the prior counts with its stiffness (p,)."""
        precision = np.zeros((len(self._start), len(self._start)))
        precision[np.ix_(self.sliders, self.sliders)] = self._evidence.precision_of(stiffness)
        return replace(self._problem, H=precision if self._problem.H is None else self._problem.H + precision)

    def _prepared(self, limits: Limits) -> ActiveSetQP:
        """The problem within limits; the same few come again from update to update."""
        key = (limits.low.tobytes(), limits.high.tobytes())
        rows, found = self._kept.get(key, (None, None))
        if found is None or rows is not limits.rows:
            if len(self._kept) >= _CHOICES:
                self._kept.clear()
            own = self._own(limits)
            found = ActiveSetQP(own.low, own.high, own.rows)
            self._kept[key] = limits.rows, found
        return found

    def _own(self, limits: Limits) -> Limits:
        return limits.of_sliders(self.sliders).without_idle_rows()

    def _within_reach(self, wanted: Floats) -> Floats:
        """Wanted motion (q,) of each pin, not much more than one slider can bring along the way."""
        if self._linear:
            ends = self._limits.low, self._limits.high
            return self._targets.within_reach(wanted, self._by_slider, ends, _BEYOND)
        return self._targets.within_reach(wanted, self._targets.B, (-self._values, 1.0 - self._values), _BEYOND)
