"""The default method of a drag: within bounds, few sliders, little motion elsewhere, and by the rig's rules."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.bounded import BoundedChange
from facewright.pose.descent import Descent
from facewright.pose.inbetweens import Pieces
from facewright.pose.pin_rows import PinRows
from facewright.pose.problem import DragProblem, PinTargets, drag_problem
from facewright.rig.combine import Combine
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
        whole = drag_problem(deltas, start, self._targets, kept, every)
        # Sliders that move nothing that is asked for stay, and cost nothing: the problem is cut down to the others.
        self._of, shapes = _touched(deltas, whole, self._rules)  # (k,), (t,)
        self._shapes = shapes
        self._problem = problem = whole.of_parts(shapes, self._of)
        self._limits = limits.locked(np.setdiff1d(np.arange(len(start)), self._of))
        chosen = [deltas.rig.shapes[i] for i in shapes], [deltas.rig.sliders[i] for i in self._of]
        combine, begin = Combine.of(*chosen), start[self._of]
        self._descent = Descent(combine, Pieces(*chosen), problem, begin)
        slopes = combine.slopes(begin)  # (t, k)
        self._pull = -self._targets.importance[:, None] * np.asarray(self._targets.B[:, shapes] @ slopes)  # (q, k)
        self._constant = problem.pull @ slopes + problem.slope  # (k,)
        self._moves = np.asarray(problem.rows @ slopes)  # (r, k)
        self._prepared = self._bounded(self._limits)

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.solve(self._limits, lambda within: self._within(wanted, within))

    def _within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        return solve_within(self._rules, self._start, limits, lambda within: self._two_passes(wanted, within))

    def _two_passes(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The first pass chooses the sliders; in the second those in use have a low price."""
        size, problem = self._targets.size(wanted), self._problem
        priced, price = self._priced(wanted, limits), size.typical * problem.price
        change, status = priced(price, np.zeros(len(self._of)))
        if status is Status.SOLVED and change.any():
            brought = np.abs(change) * problem.columns / (size.length or 1.0)
            change, status = priced(price * self._relief.factors(brought), change)
        whole = np.zeros(len(self._start))
        whole[self._of] = change
        return whole, status

    def _priced(self, wanted: Floats, limits: Limits) -> Callable[[Floats, Floats], tuple[Floats, Status]]:
        """A solve for prices (k,) that begins at a change (k,)."""
        if not self._linear:
            slope, within = self._targets.slope(wanted)[self._shapes] + self._problem.pull, limits.of_sliders(self._of)
            return lambda price, change: self._descent.solve(slope, price, within, change)
        bounded = self._prepared if limits is self._limits else self._bounded(limits)
        pull = wanted @ self._pull + self._constant
        return lambda price, change: bounded.solve(pull, price)

    def _bounded(self, limits: Limits) -> BoundedChange:
        return BoundedChange(self._moves, self._problem.H, self._problem.ridge, limits.of_sliders(self._of))


def _touched(deltas: DeltaMatrix, problem: DragProblem, rules: DistanceRules) -> tuple[Ints, Ints]:
    """The sliders (k,) that move what is asked for or what rules limit, and the shapes (t,) that their values enter."""
    moving = problem.rows.any(axis=0) | rules.touched()  # (s,)
    touched = np.asarray(moving.astype(np.int64) @ deltas.drives) > 0  # (n,)
    touched |= problem.slope != 0
    if problem.H is not None:
        touched |= problem.H.any(axis=0)
    # In-betweens that do not move the pins still shape the pieces of their slider.
    return np.flatnonzero(touched), np.flatnonzero(moving | (np.asarray(deltas.alone @ touched.astype(np.int64)) > 0))


def _kept(deltas: DeltaMatrix, pins: PinRows, held: Hold | None) -> list[Floats]:
    """Rows (k, s) of the pins that hold, and of the held coordinates."""
    kept, hold = [], pins.hold
    if hold.any():
        kept.append(np.sqrt(HOLD) * pins.strength[hold, None] * pins.rows[hold])
    if held is not None:
        kept.append(np.sqrt(held.alpha) * deltas.coordinates(held.selection.coordinates))
    return kept
