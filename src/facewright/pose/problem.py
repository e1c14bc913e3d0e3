"""The problem of a drag: pins, points that stay, the terms of the user and the library's preferences, added up.

Wishes are quadratic in the change v of the shapes' values, where they are exact even if sliders combine. Preferences
are in the change x of the sliders from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.pin_rows import PinRows
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.limits import Limits
from facewright.terms.stack import TermList, stacked_points, stacked_sliders, term_context, term_scale

_TINY = float(np.finfo(np.float64).tiny)
_NOTHING = 1e-3  # of how far one shape moves a pin


class MotionSize(NamedTuple):
    """Wanted motion of all pins together, and of a typical one: the mean of their motions, each weighted by itself."""

    length: float
    typical: float


@dataclass(frozen=True, eq=False)
class PinTargets:
    """Pins come to where they are wanted: 1/2 |B v - m|^2, each row by its importance; m comes with each update.

    With `across` below 1, what is missing across the motion of a pin counts so much of what is missing along it.
    """

    B: Floats  # (q, s)
    importance: Floats  # (q,) 0 for pins that hold
    pin: Ints  # (q,) which pin a row is of
    most: Floats  # (q,) how far the sliders could move each row at all
    across: float = 1.0

    @classmethod
    def of(cls, pins: PinRows, limits: Limits) -> PinTargets:
        """The pins that are dragged, of sliders within limits."""
        most = np.abs(pins.by_slider) @ np.maximum(limits.high, -limits.low)
        return cls(pins.rows, np.where(pins.hold, 0.0, pins.strength**2), pins.pin, most)

    def rows(self) -> Floats:
        """(q, s)."""
        return np.asarray(np.sqrt(self.importance)[:, None] * self.B)

    def within_reach(self, m: Floats, rows: Floats, limits: tuple[Floats, Floats], beyond: float) -> Floats:
        """Wanted motion m (q,) of each pin up to `beyond` times what one column of rows (q, n) can bring along it.

        The limits are how far each column may go (n,), (n,).
        """
        length = np.maximum(np.sqrt(self._rows_of @ m**2), _TINY)  # (k,)
        gains = (self._rows_of * m) @ rows / length[:, None]
        reach = np.maximum(gains * limits[0], gains * limits[1]).max(axis=1, initial=0.0)
        return np.asarray(m * np.minimum(1.0, beyond * reach / length)[self.pin])

    def lengths_by_slider(self, rows: Floats) -> Floats:
        """How far each column of rows (q, n) moves each pin: (k, n)."""
        return np.asarray(np.sqrt(self._rows_of @ rows**2))

    def ways(self, m: Floats) -> Floats:
        """How much of each row (k, q) is along the wanted motion m (q,) of each pin, by the pin's importance."""
        way = self._at_points(m)  # pins on one point have one direction, the mean
        length = np.sqrt(self._rows_of @ way**2)
        # No motion has no direction: close to it, all directions count alike.
        share = way / np.maximum(np.hypot(length, _NOTHING * self._fastest), _TINY)[self.pin]
        return np.asarray(self._rows_of * (share * np.sqrt(self.importance)))

    def _at_points(self, m: Floats) -> Floats:
        """Wanted motion (q,), that of pins on one point being their mean."""
        return m if len(self._alike) == len(m) else (np.bincount(self._same, m) / self._alike)[self._same]

    @cached_property
    def _rows_of(self) -> Floats:
        """1 for the rows (k, q) of each pin."""
        return np.asarray(self.pin == np.arange(int(self.pin.max(initial=-1)) + 1)[:, None], np.float64)

    @cached_property
    def _alike(self) -> Floats:
        """How many rows are of each point and axis."""
        return np.bincount(self._same).astype(np.float64)

    @cached_property
    def _fastest(self) -> Floats:
        """How far the fastest shape moves each pin (k,)."""
        return np.asarray(self.lengths_by_slider(self.B).max(axis=1, initial=0.0))

    @cached_property
    def _same(self) -> Ints:
        """A number for each row (q,), the same for rows of one point and axis."""
        return np.asarray(np.unique(self.B, axis=0, return_inverse=True)[1].reshape(-1), np.int64)

    @property
    def points(self) -> int:
        """How many points are dragged; pins on one point count once."""
        moving = self.importance > 0
        return len({tuple(self._same[moving & (self.pin == pin)]) for pin in np.unique(self.pin[moving])})

    def size(self, m: Floats) -> MotionSize:
        """Of the wanted motion (q,), of each pin no more than it could move at all; pins on one point want the mean."""
        asked = np.minimum(np.abs(self._at_points(m)), self.most)
        squares = np.bincount(self.pin, self.importance * asked**2)
        total, lengths = float(squares.sum()), float(np.sqrt(squares).sum())
        return MotionSize(total**0.5, total / (lengths or 1.0))


@dataclass(frozen=True, eq=False)
class DragProblem:
    """1/2 |rows v - aim|^2 + 1/2 x'Hx + slope'x + 1/2 ridge'x^2 + typical price'|x|.

    The aim of the pins and the typical wanted motion come with each update.
    """

    rows: Floats  # (r, s) of pins, and then of points that stay and of wishes
    aim: Floats  # (r,) of wishes; 0 for pins and points that stay
    H: Floats | None  # (n, n) of the user's preferences; None: 0
    slope: Floats  # (n,) of the user's preferences, at x = 0
    ridge: Floats  # (n,)
    price: Floats  # (n,)
    columns: Floats  # (n,) how far each slider moves the pins, about the start
    amount: Floats  # (n,) how far each slider moves the whole face, in any unit
    full: Floats  # (n,) full value of each slider

    def of_parts(self, shapes: Ints, sliders: Ints) -> DragProblem:
        """The problem of some shapes and sliders, where all others stay."""
        return DragProblem(
            self.rows[:, shapes],
            self.aim,
            None if self.H is None else self.H[np.ix_(sliders, sliders)],
            self.slope[sliders],
            self.ridge[sliders],
            self.price[sliders],
            self.columns[sliders],
            self.amount[sliders],
            self.full[sliders],
        )

    @property
    def pull(self) -> Floats:
        """Of wishes, by the shapes' values (s,)."""
        return np.asarray(-self.aim @ self.rows)


def drag_problem(
    deltas: DeltaMatrix, start: Floats, pins: PinTargets, kept: Sequence[Floats], terms: TermList
) -> DragProblem:
    """Everything that is wanted of a pose, as one problem; `kept` are rows (k, s) of points that stay."""
    values, slopes = deltas.combine(start), deltas.combine.slopes(start)  # (s,), (s, n)
    asked = pins.rows()
    by_slider = np.asarray(asked @ slopes)
    context = term_context(deltas.rig, start, deltas.amount(start), by_slider)
    wishes = stacked_points(terms.wishes, context, deltas.at_vertices)
    others, missing = np.concatenate([*kept, wishes.rows]), wishes.targets - wishes.rows @ values  # (k, s), (w,)
    others, aim = _fewest(others, np.concatenate([np.zeros(len(others) - len(missing)), missing]))
    rows = np.concatenate([np.sqrt(pins.across) * asked, others])
    scale = term_scale(context.full, by_slider, np.asarray(rows @ slopes))
    sliders = stacked_sliders(terms.preferences, context, scale)
    return DragProblem(
        rows,
        np.concatenate([np.zeros(len(asked)), aim]),
        sliders.H,
        sliders.c if sliders.H is None else sliders.H @ start + sliders.c,
        sliders.ridge,
        sliders.price,
        np.linalg.norm(by_slider, axis=0),
        context.amount / context.full,
        context.full,
    )


def _fewest(rows: Floats, aim: Floats) -> tuple[Floats, Floats]:
    """At most s rows, and their aim, with the same 1/2 |rows v - aim|^2 for every v, up to a constant."""
    if rows.shape[0] <= rows.shape[1]:
        return rows, aim
    Q, R = np.linalg.qr(rows)
    return R, aim @ Q
