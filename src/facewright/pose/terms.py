"""What is wanted of a pose, each wish a small quadratic, and the one place that adds them up.

Wishes about points count in the change of the shapes' values, v; there they are exact even where sliders combine.
Preferences are about sliders, and everything counts from the pose at the beginning of a drag: x = weights - start. A
preference is a share of what the pins ask, so that a scene in metres gets the weights of one in centimetres, and
measures sliders at their full value, so that one which counts to 100 is treated like one which counts to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from facewright.arrays import Floats, Ints


class Wish(Protocol):
    """Something about the face: 1/2 |rows v|^2 and perhaps a slope."""

    def rows(self) -> Floats:
        """(k, s)."""


class Size(NamedTuple):
    """How much motion is wanted of all pins together, and of a typical one: their mean, each weighted by itself."""

    length: float
    typical: float


@dataclass(frozen=True, eq=False)
class Reach:
    """Pins come to where they are wanted: 1/2 |B v - m|^2, each row by its importance."""

    B: Floats  # (q, s)
    importance: Floats  # (q,)
    pin: Ints  # (q,) which pin a row is of
    most: Floats  # (q,) how far the sliders could move each row at all

    def rows(self) -> Floats:
        return np.asarray(np.sqrt(self.importance)[:, None] * self.B)

    def slope(self, m: Floats) -> Floats:
        """At v = 0 (s,), for wanted motion m (q,)."""
        return np.asarray(-(self.importance * m) @ self.B)

    def size(self, m: Floats) -> Size:
        """Of the wanted motion (q,), or of as much of it as could be: a pin far out of reach must not drown others."""
        squares = np.bincount(self.pin, self.importance * np.minimum(np.abs(m), self.most) ** 2)
        total, lengths = float(squares.sum()), float(np.sqrt(squares).sum())
        return Size(total**0.5, total / (lengths or 1.0))


@dataclass(frozen=True, eq=False)
class Hold:
    """Points stay where they are: alpha/2 |B v|^2."""

    B: Floats  # (c, s)
    alpha: float

    def rows(self) -> Floats:
        return np.asarray(np.sqrt(self.alpha) * self.B)


@dataclass(frozen=True, eq=False)
class Follow:
    """Do what other weights do, but spare the selected points (Lewis 2005, eq. 2); in slider values."""

    P: Floats  # (n, n) over the coordinates that are not selected
    Q: Floats  # (n, n) over those that are
    alpha: float

    def curvature(self) -> Floats:
        return self.P + self.alpha * self.Q

    def slope(self, change: Floats) -> Floats:
        """At x = 0 (n,), for a change (n,) of the other weights."""
        return np.asarray(-self.P @ change)


@dataclass(frozen=True, eq=False)
class Asked:
    """What preferences are measured by: how sliders at their full value move what the pins ask for, and the face."""

    curvature: float  # largest of the pins' wishes
    columns: Floats  # (n,) how far each slider moves the pins
    amount: Floats  # (n,) how far each slider moves the face, the liveliest being 1


class Preference(Protocol):
    """Something about sliders: 1/2 ridge'x^2 + typical price'|x|, x in shares of their full values."""

    def ridge(self, asked: Asked) -> Floats:
        """(n,)."""

    def price(self, asked: Asked) -> Floats:
        """(n,) of moving each slider, for a typical wanted motion of 1.

        A hand that slips does so at every pin, and the pins' slips cancel: one pin is trusted less than many.
        """


@dataclass(frozen=True)
class StayNear:
    """Prefer the pose there was, the more a slider moves the face."""

    stiffness: float = 1e-5

    def ridge(self, asked: Asked) -> Floats:
        return self.stiffness * asked.curvature * asked.amount**2

    def price(self, asked: Asked) -> Floats:
        return np.zeros(len(asked.amount))


@dataclass(frozen=True)
class Few:
    """Move few sliders: one that explains no more than this share of what a typical pin asks stays."""

    share: float = 0.1

    def ridge(self, asked: Asked) -> Floats:
        return np.zeros(len(asked.amount))

    def price(self, asked: Asked) -> Floats:
        return self.share * asked.columns


@dataclass(frozen=True)
class Quiet:
    """Of sliders that serve alike, move the one that moves the rest of the face least."""

    price_of_motion: float = 0.02

    def ridge(self, asked: Asked) -> Floats:
        return np.zeros(len(asked.amount))

    def price(self, asked: Asked) -> Floats:
        return np.asarray(self.price_of_motion * asked.columns.max(initial=0.0) * asked.amount)


PREFERENCES: tuple[Preference, ...] = (StayNear(), Few(), Quiet())


@dataclass(frozen=True)
class Relief:
    """Sliders in use pay less in a second pass (Candes, Wakin and Boyd 2008).

    Prices are there to choose who moves; without relief they would also keep pins short of their targets.
    """

    knee: float = 0.05  # share of what is asked at which a slider that brings it pays half

    def factors(self, brought: Floats) -> Floats:
        """What is left of each price (n,), by the share of what is asked that each slider's change moves the pins."""
        return self.knee / (brought + self.knee)


@dataclass(frozen=True, eq=False)
class Wishes:
    """All that is wanted of a pose. Preferences are measured by what is asked, however strongly the rest is kept."""

    asked: Reach
    kept: tuple[Wish, ...]
    preferences: tuple[Preference, ...]

    def assemble(self, slopes: Floats, amount: Floats, full: Floats) -> Problem:
        """All of them as one.

        `slopes` (s, n) are the shapes' by the sliders, `full` (n,) the sliders' full values, `amount` as in Asked.
        """
        asked = self.asked.rows()
        rows = _fewest(np.concatenate([asked, *(wish.rows() for wish in self.kept)]))
        moves = asked @ slopes * full  # (q, n)
        largest = _largest(moves) or _largest(rows @ slopes * full)
        scale = Asked(largest**2, np.linalg.norm(moves, axis=0), amount)
        ridge = sum((one.ridge(scale) for one in self.preferences), np.zeros(len(amount)))
        price = sum((one.price(scale) for one in self.preferences), np.zeros(len(amount)))
        return Problem(rows, ridge / full**2, price / full, scale.columns / full)


@dataclass(frozen=True, eq=False)
class Problem:
    """1/2 |rows v|^2 + c'v + 1/2 ridge'x^2 + typical price'|x|, c and the typical coming with each wanted motion."""

    rows: Floats  # (r, s)
    ridge: Floats  # (n,)
    price: Floats  # (n,)
    columns: Floats  # (n,) how far each slider moves the pins, about the start


def _largest(rows: Floats) -> float:
    return float(np.linalg.norm(rows, 2)) if rows.size else 0.0


def _fewest(rows: Floats) -> Floats:
    """Rows of the same length for every v, at most as many as v has elements."""
    return np.asarray(np.linalg.qr(rows, mode="r")) if rows.shape[0] > rows.shape[1] else rows
