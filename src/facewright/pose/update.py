"""The default method of a drag: within bounds, few sliders, little motion elsewhere, and by the rig's rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.bent_answer import BentAnswer
from facewright.pose.bounded import BoundedChange
from facewright.pose.descent import Descent
from facewright.pose.pin_rows import PinRows
from facewright.pose.problem import DragProblem, PinTargets, drag_problem
from facewright.rig.combine import Combine
from facewright.rig.point_motion import chords
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.exclusive import ExclusivePairs
from facewright.terms.limits import Limits
from facewright.terms.pin import HOLD
from facewright.terms.preferences import OF_DRAGS, ExactPins, Hand, Relief
from facewright.terms.rules import DistanceRules, solve_within
from facewright.terms.selection import Hold
from facewright.terms.stack import TermList

_TINY = float(np.finfo(np.float64).tiny)


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
        hand: Hand | None = None,
        relief: Relief = Relief(),  # noqa: B008 -- frozen
        exact: ExactPins | None = ExactPins(),  # noqa: B008 -- frozen
    ) -> None:
        self._start, self._relief, self._given = start, relief, limits
        self._linear = deltas.is_linear
        self._rules = DistanceRules(deltas.rig, deltas.combine, deltas.at_vertices)
        self._exclusive = ExclusivePairs(deltas, start)
        targets = PinTargets.of(pins, limits)
        self._hand = hand = hand if hand is not None and targets.points <= hand.points else None
        # The share of a slider's largest motion that each pin makes: (pins, n)
        central = targets.lengths_by_slider(pins.by_slider) / np.maximum(deltas.furthest, _TINY)
        if hand is not None and self._linear:  # what a bent slider does at the start says little of what it does later
            faint = (central.max(axis=0, initial=0.0) < hand.faint) & (deltas.furthest > 0)
            limits = limits.locked(np.flatnonzero(faint))
        self._targets = targets if hand is None else replace(targets, across=hand.across)
        kept = kept_rows(deltas, pins, held)
        every = TermList((), OF_DRAGS if hand is None else hand.preferences).more(terms)
        whole = drag_problem(deltas, start, self._targets, kept, every)
        # Sliders that move nothing that is asked for stay, and cost nothing: the problem is cut down to the others.
        self._of, shapes = _touched(deltas, whole, self._rules)  # (k,), (t,)
        self._shapes = shapes
        self._problem = problem = whole.of_parts(shapes, self._of)
        self._limits = limits.locked(np.setdiff1d(np.arange(len(start)), self._of))
        self._idle = np.flatnonzero((self._limits.low == 0) & (self._limits.high == 0))
        chosen = [deltas.rig.shapes[i] for i in shapes], [deltas.rig.sliders[i] for i in self._of]
        bounds, begin = deltas.rig.bounds[self._of], start[self._of]
        combine = Combine.of(*chosen, bounds)
        descent = Descent(combine, begin, bounds)
        slopes = combine.slopes(begin)  # (t, k)
        self._values = np.asarray(combine(begin))  # (t,)
        self._by_slider = np.asarray(self._targets.B[:, shapes] @ slopes)  # (q, k)
        reach = targets.lengths_by_slider(np.sqrt(targets.importance)[:, None] * self._by_slider)  # (pins, k)
        of, by = self._of, self._problem
        self._prices = None if hand is None else hand.prices(reach, central[:, of], by.amount, by.full)
        # A linear rig, whose answer is the start of the descent where sliders bend.
        linear = chords(combine, begin, bounds) if descent else slopes
        self._linear_rows = np.asarray(self._targets.B[:, shapes] @ linear)  # (q, k)
        self._bent = None
        if descent:
            known, ways = (exact, 0) if hand is None else (None, int(pins.pin.max()) + 1)  # a hand is not exact
            self._bent = BentAnswer(descent, problem, self._targets, shapes, self._linear_rows, known, ways)
        self._asked = self._targets.importance[:, None] * self._linear_rows
        self._constant = problem.pull @ linear + problem.slope  # (k,)
        self._moves = np.asarray(problem.rows @ linear)  # (r, k)
        self._own_limits = self._limits.of_sliders(self._of).without_idle_rows()
        self._prepared = self._bounded(self._limits)

    @property
    def by_hand(self) -> bool:
        """Whether so few points are dragged that a hand drags them."""
        return self._hand is not None

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.solve(self._given, lambda within: self.within(wanted, within))

    def within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The same within other limits, exclusive pairs left aside."""
        limits = self._limits if limits is self._given else limits.locked(self._idle)
        wanted = self._within_reach(wanted, limits)
        return solve_within(self._rules, self._start, limits, lambda within: self._two_passes(wanted, within))

    def _two_passes(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The first pass chooses the sliders; in the second those in use have a low price."""
        size, problem, ways = self._targets.size(wanted), self._problem, self._ways(wanted)
        price = size.typical * (problem.price + self._hand_price(ways, limits))
        bounded, pull = self._pulled(wanted, ways, limits)
        change, status = bounded.solve(pull, price)
        if status is Status.SOLVED and change.any():
            most, asked = (
                (problem.columns, size.length) if self._prices is None else (self._prices.furthest, size.typical)
            )
            price = price * self._relief.factors(np.abs(change) * most / (asked or 1.0))
            change, status = bounded.solve(pull, price)
        if self._bent is not None and status is not Status.INFEASIBLE:
            change, status = self._bent.solve(wanted, ways, price, self._own(limits), change, size.length)
        whole = np.zeros(len(self._start))
        whole[self._of] = change
        return whole, status

    def _within_reach(self, wanted: Floats, limits: Limits) -> Floats:
        """Wanted motion (q,) that a hand may ask for: not much more than one slider can bring along the way."""
        if self._hand is None:
            return wanted
        if self._linear:
            within = self._own(limits)
            return self._targets.within_reach(wanted, self._by_slider, (within.low, within.high), self._hand.beyond)
        # What a bent slider does at the start says little of its reach, so the shapes' own ends count.
        rows, ends = self._targets.B[:, self._shapes], (-self._values, 1.0 - self._values)
        return self._targets.within_reach(wanted, rows, ends, self._hand.beyond)

    def _ways(self, wanted: Floats) -> Floats | None:
        """The ways of a hand's pins (p, q), by what counts along them only."""
        if self._hand is None:
            return None
        return np.asarray(np.sqrt(1 - self._targets.across) * self._targets.ways(wanted))

    def _hand_price(self, ways: Floats | None, limits: Limits) -> Floats | float:
        """What the sliders of a hand pay (k,)."""
        if ways is None or self._prices is None:
            return 0.0
        within = self._own(limits)
        gain = ways @ self._by_slider / np.sqrt(1 - self._targets.across)  # (p, k)
        return self._prices.along(np.where(gain > 0, within.high > 0, within.low < 0) * np.abs(gain))

    def _pulled(self, wanted: Floats, ways: Floats | None, limits: Limits) -> tuple[BoundedChange, Floats]:
        """The problem of the linear rig, and its slope (k,)."""
        pull = self._constant - self._targets.across * wanted @ self._asked
        bounded = self._prepared if limits is self._limits else self._bounded(limits)
        if ways is None:
            return bounded, pull
        moves = ways @ self._linear_rows
        return bounded.plus(moves), pull - (ways @ wanted) @ moves

    def _own(self, limits: Limits) -> Limits:
        return self._own_limits if limits is self._limits else limits.of_sliders(self._of).without_idle_rows()

    def _bounded(self, limits: Limits) -> BoundedChange:
        return BoundedChange(self._moves, self._problem.H, self._problem.ridge, self._own(limits))


def _touched(deltas: DeltaMatrix, problem: DragProblem, rules: DistanceRules) -> tuple[Ints, Ints]:
    """The sliders (k,) that move what is asked for or what rules limit, and the shapes (t,) that their values enter."""
    moving = problem.rows.any(axis=0) | rules.touched()  # (s,)
    touched = np.asarray(moving.astype(np.int64) @ deltas.drives) > 0  # (n,)
    touched |= problem.slope != 0
    if problem.H is not None:
        touched |= problem.H.any(axis=0)
    # In-betweens that do not move the pins still shape the pieces of their slider.
    return np.flatnonzero(touched), np.flatnonzero(moving | (np.asarray(deltas.alone @ touched.astype(np.int64)) > 0))


def kept_rows(deltas: DeltaMatrix, pins: PinRows, held: Hold | None) -> list[Floats]:
    """Rows (k, s) of the pins that hold, and of the held coordinates."""
    kept, hold = [], pins.hold
    if hold.any():
        importance = np.where(pins.firm, HOLD, 1.0) * pins.strength**2
        kept.append(np.sqrt(importance)[hold, None] * pins.rows[hold])
    if held is not None:
        kept.append(np.sqrt(held.alpha) * deltas.coordinates(held.selection.coordinates))
    return kept
