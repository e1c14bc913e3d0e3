"""The default answer to a drag: within bounds, few sliders, little motion elsewhere, and by the rig's rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.pose.bounded import BoundedChange
from facewright.pose.descent import Descent
from facewright.pose.pin_rows import PinRows
from facewright.pose.terms import PREFERENCES, Hold, Preference, Reach, Relief, Wishes
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.exclusive import Exclusive
from facewright.terms.limits import Limits
from facewright.terms.rules import Distances, kept_within
from facewright.terms.selection import Selection

_HOLD = 1e3  # a hold pin counts that many times a pin of strength 1
_STILL = 1e-2  # a slider that moves the face less than this share of the liveliest one is not cheaper for it


@dataclass(frozen=True, eq=False)
class Held:
    """Coordinates that stay as still as they can, and how much that counts."""

    selection: Selection
    alpha: float


class BoundedUpdate:
    """Changes of the sliders for wanted motions of pins, by the wishes and within the limits."""

    def __init__(
        self,
        motion: DeltaMatrix,
        pinned: PinRows,
        start: Floats,
        limits: Limits,
        *,
        held: Held | None = None,
        preferences: tuple[Preference, ...] = PREFERENCES,
        relief: Relief = Relief(),  # noqa: B008 -- frozen
    ) -> None:
        self._start, self._relief = start, relief
        self._linear = motion.is_linear
        self._distances, self._exclusive = Distances(motion), Exclusive(motion, start)
        slopes = motion.combine.jacobian(start)  # (s, n)
        most = np.abs(pinned.by_slider) @ np.maximum(limits.high, -limits.low)  # (q,)
        self._wishes = _wishes(motion, pinned, held, preferences, most)
        full = _full(motion)
        self._problem = self._wishes.assemble(slopes, _amount(motion, start, full), full)
        # A slider that moves neither pins nor what is kept would only cost: without it the problem is smaller.
        touched = self._problem.rows.any(axis=0) | self._distances.touched()  # (s,)
        self._limits = limits.locked(np.flatnonzero(~(touched @ motion.drives)))
        self._descent = Descent(motion, self._problem, start)
        asked = self._wishes.asked
        self._pull = -asked.importance[:, None] * (asked.B @ slopes)  # (q, n)
        rows = self._problem.rows @ slopes
        self._H = rows.T @ rows
        self._prepared = BoundedChange(self._H, self._problem.ridge, self._limits)

    def solve(self, wanted: Floats) -> tuple[Floats, Status]:
        """The change (n,) for wanted motion (q,) along the pins' axes."""
        return self._exclusive.settled(self._limits, lambda within: self._within(wanted, within))

    def _within(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        return kept_within(self._distances, self._start, limits, lambda within: self._answer(wanted, within))

    def _answer(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """Two passes: one that chooses the sliders, one in which they hardly pay."""
        size, problem = self._wishes.asked.size(wanted), self._problem
        priced, price = self._priced(wanted, limits), size.typical * problem.price
        change, status = priced(price, np.zeros(len(self._start)))
        if status is not Status.SOLVED or not change.any():
            return change, status
        brought = np.abs(change) * problem.columns / (size.length or 1.0)
        return priced(price * self._relief.factors(brought), change)

    def _priced(self, wanted: Floats, limits: Limits) -> Callable[[Floats, Floats], tuple[Floats, Status]]:
        """The answer for prices (n,), looked for from a change (n,)."""
        if not self._linear:
            slope = self._wishes.asked.slope(wanted)
            return lambda price, change: self._descent.solve(slope, price, limits, change)
        prepared = limits is self._limits
        bounded = self._prepared if prepared else BoundedChange(self._H, self._problem.ridge, limits)
        pull = wanted @ self._pull
        return lambda price, change: bounded.solve(pull, price)


def _wishes(
    motion: DeltaMatrix, pinned: PinRows, held: Held | None, preferences: tuple[Preference, ...], most: Floats
) -> Wishes:
    importance, hold = pinned.strength**2, pinned.hold
    asked = Reach(pinned.rows, np.where(hold, 0.0, importance), pinned.pin, most)
    kept = [Hold(np.sqrt(importance[hold])[:, None] * pinned.rows[hold], _HOLD)] if hold.any() else []
    if held is not None:
        kept.append(Hold(motion.coordinates(held.selection.coordinates), held.alpha))
    return Wishes(asked, tuple(kept), preferences)


def _full(motion: DeltaMatrix) -> Floats:
    """The size of each slider's (n,) bound that is further from 0; 1 for one that cannot leave 0."""
    full = np.abs(motion.rig.bounds).max(axis=1, initial=0.0)
    return np.where(full > 0.0, full, 1.0)


def _amount(motion: DeltaMatrix, start: Floats, full: Floats) -> Floats:
    """How far each slider (n,) at its full value moves the face, the liveliest being 1."""
    amount = motion.amount(start) * full
    return np.maximum(amount / (amount.max(initial=0.0) or 1.0), _STILL)
