"""Posing by dragging points: `PoseSolver(rig)` prepares, `solve_pose` does it once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.pose.attenuation import Attenuation, default_alpha
from facewright.pose.automatic import AutomaticUpdate
from facewright.pose.completed import CompletedUpdate
from facewright.pose.damping import Damping
from facewright.pose.drag import Drag, Update
from facewright.pose.filtered import FilteredUpdate
from facewright.pose.method import AUTOMATIC, CONVEX, NATURAL, WITH_BOUNDS, filter_of
from facewright.pose.natural import NaturalUpdate
from facewright.pose.pin_rows import PinRows
from facewright.pose.reasons import DragSetup
from facewright.pose.solution import PoseSolution
from facewright.pose.update import BoundedUpdate
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.rig.slider_sets import sliders_in
from facewright.rig.ties import ties_of
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.exclusive import ExclusivePairs
from facewright.terms.limits import Limits, limits_about, whole_face, within_ties
from facewright.terms.pin import Pin
from facewright.terms.preferences import Hand
from facewright.terms.prior_evidence import PosePrior
from facewright.terms.rules import DistanceRules, forbidden_sliders
from facewright.terms.selection import Hold, Selection
from facewright.terms.stack import TermList
from facewright.terms.term import Term
from facewright.terms.unasked import off_skin, unasked_sliders


class PoseOptions(TypedDict, total=False):
    """Keyword arguments of `PoseSolver.drag`, for functions that pass them on."""

    locked: Sequence[str]
    sliders: str | Sequence[str] | None
    held: Selection | ArrayLike | Mapping[int, str] | None
    alpha: float | None
    damped: bool
    terms: Sequence[Term]


class PoseSolver:
    """A rig prepared for posing. It never changes; a changed rig needs a new solver.

    `prior` is what the method "natural" believes of the face; not given, it goes by the names of the sliders alone.
    `terms` are wishes and preferences of your own, added to those of every drag: see `Wish` and `Preference`.
    """

    @suggests_options
    def __init__(self, rig: Rig, *, prior: Prior | None = None, terms: Sequence[Term] = ()) -> None:
        self.rig, self.prior, self._terms = rig, prior, TermList.of(terms)
        self.deltas = DeltaMatrix(rig)

    def with_prior(self, prior: Prior | None) -> PoseSolver:
        """The solver with another prior; what was prepared of the rig is shared."""
        if prior is self.prior:
            return self
        other = copy(self)
        other.prior = prior
        vars(other).pop("_pose_prior", None)
        return other

    @suggests_options
    def solve(
        self,
        pins: Sequence[Pin],
        start: Mapping[str, float] | ArrayLike | None = None,
        method: str = "bounded",
        **options: Unpack[PoseOptions],
    ) -> PoseSolution:
        """The weights that bring the pins to their targets, from the pose `start`; the options are those of `drag`."""
        drag = self.drag(pins, start, method, **options)
        return drag.to(drag.pins.targets())

    @suggests_options
    def drag(
        self,
        pins: Sequence[Pin],
        start: Mapping[str, float] | ArrayLike | None = None,
        method: str = "bounded",
        *,
        locked: Sequence[str] = (),
        sliders: str | Sequence[str] | None = None,
        held: Selection | ArrayLike | Mapping[int, str] | None = None,
        alpha: float | None = None,
        damped: bool = False,
        terms: Sequence[Term] = (),
    ) -> Drag:
        """Pins set on the pose `start`, ready to be moved.

        `locked` sliders stay. `sliders` are those that may move: `all`, `arkit`, the name of a group, or names; not
        given, all except those for gaze, pupils, visemes, the tongue and whole expressions where pins on the skin do
        not ask for them. `held` coordinates move as little as possible, `alpha` is how much that counts (default:
        unselected over selected vertices). `damped` asks less of points that the rig can hardly move along the drag.
        `terms` are added to those of the solver.
        """
        at = self.rig.pose(start)
        hold, own = self._held(held, alpha), self._terms.more(TermList.of(terms))
        filter = filter_of(method)
        rows = PinRows(self.deltas, pins, at)
        fixed = self._fixed(locked)
        # The published methods use every slider, beyond its bounds if need be.
        update: Update
        unused = self._unused("all" if sliders is None and filter is not None else sliders, rows)
        if sliders is None and method == NATURAL:  # eyes look together
            used = np.setdiff1d(np.arange(len(at)), unused)
            unused = np.setdiff1d(unused, self._pose_prior.pairs.with_partners(used))
        limits = limits_about(self.rig.bounds, at).locked(np.union1d(fixed, unused))
        if filter is None:
            update = self._bounded(
                method, rows, at, within_ties(limits, self._ties, at, self.rig.full_values), hold, own
            )
        elif hold is not None:
            raise BadValue(f"the method {method} knows no held points; use {', '.join(WITH_BOUNDS)}, or hold pins")
        elif own:
            raise BadValue(f"the method {method} knows no terms; use {', '.join(WITH_BOUNDS)}")
        else:
            free = np.setdiff1d(np.arange(len(at)), np.union1d(fixed, unused))
            update = FilteredUpdate(self.deltas, rows, at, filter, free)
        known = limits if filter is None else Limits(np.full(len(at), -np.inf), np.full(len(at), np.inf))
        setup = DragSetup(self.rig.sliders, rows.pin, rows.by_slider, known, fixed, unused)
        return Drag(rows, at, setup, update, Damping(self.deltas, rows, at) if damped else None)

    def _bounded(
        self, method: str, rows: PinRows, at: Floats, limits: Limits, held: Hold | None, terms: TermList
    ) -> Update:
        """The update of a method that knows bounds."""
        within, hand = (whole_face(limits, at), None) if method == CONVEX else (limits, Hand())
        bounded = BoundedUpdate(self.deltas, rows, at, within, held=held, terms=terms, hand=hand)
        if method not in (NATURAL, AUTOMATIC) or (method == AUTOMATIC and bounded.by_hand):
            return bounded
        natural = NaturalUpdate(self.deltas, rows, at, limits, self._pose_prior, held=held, terms=terms)
        exclusive = ExclusivePairs(self.deltas, at)
        if method == AUTOMATIC:
            return AutomaticUpdate(bounded, natural, exclusive, self.deltas.amount(at), limits)
        if bounded.by_hand:
            rules = DistanceRules(self.rig, self.deltas.combine, self.deltas.at_vertices)
            return CompletedUpdate(bounded, natural, exclusive, rules, at, limits)
        return natural

    @suggests_options
    def attenuate(
        self,
        selection: Selection | ArrayLike | Mapping[int, str],
        reference: Mapping[str, float] | ArrayLike | None = None,
        alpha: float | None = None,
        *,
        locked: Sequence[str] = (),
    ) -> Attenuation:
        """Later slider moves spare the selected points: see Attenuation. The solver's terms are of drags only."""
        return Attenuation(self.deltas, selection, reference, alpha, locked=locked, prior=self.prior)

    @cached_property
    def _pose_prior(self) -> PosePrior:
        return PosePrior(self.rig, self.prior)

    @cached_property
    def _off_skin(self) -> NDArray[np.bool_]:
        return off_skin(self.rig)

    @cached_property
    def _ties(self) -> Ints:
        """Pairs (p, 2) of a slider and the one that it goes no further than."""
        pairs = [[self.rig.slider_index(name) for name in pair] for pair in ties_of(self.rig)]
        return np.array(pairs, np.int64).reshape(-1, 2)

    def _unused(self, sliders: str | Sequence[str] | None, rows: PinRows) -> Ints:
        """Sliders (k,) that a drag of pins leaves alone."""
        if sliders is not None:
            used = [self.rig.slider_index(name) for name in sliders_in(self.rig, sliders)]
            return np.setdiff1d(np.arange(len(self.rig.sliders)), used)
        if not self._off_skin.any():
            return np.zeros(0, np.int64)
        moving = ~rows.hold
        count = int(rows.pin.max(initial=-1)) + 1
        squares = np.zeros((count, len(self.rig.sliders)))
        np.add.at(squares, rows.pin[moving], rows.by_slider[moving] ** 2)
        return unasked_sliders(self._off_skin, np.sqrt(squares))

    def _fixed(self, locked: Sequence[str]) -> Ints:
        if isinstance(locked, str):
            raise BadValue(f"locked sliders are a list of names, such as [{locked!r}], not one name")
        names = np.array([self.rig.slider_index(name) for name in locked], np.int64)
        return np.union1d(names, forbidden_sliders(self.rig, self.deltas.at_vertices))

    def _held(self, chosen: Selection | ArrayLike | Mapping[int, str] | None, alpha: float | None) -> Hold | None:
        selection = Selection.of([] if chosen is None else chosen)
        selection.check(self.rig)
        if not len(selection):
            return None
        return Hold(selection, default_alpha(self.rig, selection) if alpha is None else alpha)


@suggests_options
def solve_pose(
    rig: Rig,
    pins: Sequence[Pin],
    start: Mapping[str, float] | ArrayLike | None = None,
    method: str = "bounded",
    **options: Unpack[PoseOptions],
) -> PoseSolution:
    """The weights that bring the pins to their targets, once; the options are those of `PoseSolver.drag`."""
    return PoseSolver(rig).solve(pins, start, method, **options)
