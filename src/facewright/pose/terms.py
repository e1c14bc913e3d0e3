"""Wishes about a pose, each a small quadratic in the change of the sliders, and the one place that adds them up.

Everything counts from the pose at the beginning of a drag: x = weights - start. A wish about points carries lengths;
a preference about sliders is a share of the wishes, so a scene in metres gets the weights of one in centimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from facewright.arrays import Floats


class Wish(Protocol):
    """Something about the face: 1/2 x'Hx + c'x."""

    def curvature(self) -> Floats:
        """H (n, n)."""

    def slope(self) -> Floats:
        """C (n,)."""


class Preference(Protocol):
    """Something about sliders, measured by the wishes and by how much each slider moves the whole face, 0 to 1."""

    def ridge(self, curvature: float, amount: Floats) -> Floats:
        """What it adds to the diagonal of H (n,), `curvature` being the largest of the wishes."""

    def price(self, slope: float, amount: Floats) -> Floats:
        """What each unit of |x| costs (n,), `slope` being the largest of the wishes."""


@dataclass(frozen=True, eq=False)
class Reach:
    """Pins come to where they are wanted: 1/2 |B x - m|^2, rows weighted by strength."""

    B: Floats  # (k, n)
    m: Floats  # (k,)

    def curvature(self) -> Floats:
        return np.asarray(self.B.T @ self.B)

    def slope(self) -> Floats:
        return np.asarray(-self.m @ self.B)


@dataclass(frozen=True, eq=False)
class Hold:
    """Points stay where they are: alpha/2 |B x - m|^2, m undoing what has moved them already."""

    B: Floats  # (k, n)
    m: Floats  # (k,)
    alpha: float

    def curvature(self) -> Floats:
        return np.asarray(self.alpha * (self.B.T @ self.B))

    def slope(self) -> Floats:
        return np.asarray(-self.alpha * (self.m @ self.B))


@dataclass(frozen=True, eq=False)
class Follow:
    """Do what other weights do, but spare the selected points (Lewis 2005, eq. 2)."""

    P: Floats  # (n, n) over the coordinates that are not selected
    Q: Floats  # (n, n) over those that are
    alpha: float
    change: Floats  # (n,) of the other weights

    def curvature(self) -> Floats:
        return self.P + self.alpha * self.Q

    def slope(self) -> Floats:
        return np.asarray(-self.P @ self.change)


@dataclass(frozen=True)
class StayNear:
    """Prefer the pose there was, the more a slider moves the face."""

    stiffness: float = 1e-5

    def ridge(self, curvature: float, amount: Floats) -> Floats:
        return np.asarray(self.stiffness * curvature * amount**2)

    def price(self, slope: float, amount: Floats) -> Floats:
        return np.zeros(len(amount))


@dataclass(frozen=True)
class Few:
    """Prefer to move few sliders, and of those that serve alike the one that moves the rest of the face least."""

    price_of_motion: float = 1e-3

    def ridge(self, curvature: float, amount: Floats) -> Floats:
        return np.zeros(len(amount))

    def price(self, slope: float, amount: Floats) -> Floats:
        return np.asarray(self.price_of_motion * slope * amount)


@dataclass(frozen=True, eq=False)
class Curvature:
    """The part of a problem that does not change while pins move."""

    H: Floats  # (n, n) of the wishes
    ridge: Floats  # (n,) of the preferences


@dataclass(frozen=True, eq=False)
class Slope:
    """The part that does: c'x + price'|x|."""

    c: Floats  # (n,)
    price: Floats  # (n,)


@dataclass(frozen=True, eq=False)
class Wishes:
    """All that is wanted of a pose. Preferences are measured by what is asked, however strongly the rest is kept."""

    asked: tuple[Wish, ...]
    kept: tuple[Wish, ...]
    preferences: tuple[Preference, ...]
    amount: Floats  # (n,) how much each slider moves the face, the largest being 1

    def curvature(self) -> Curvature:
        """All curvatures as one."""
        n = len(self.amount)
        asked = sum((wish.curvature() for wish in self.asked), np.zeros((n, n)))
        kept = sum((wish.curvature() for wish in self.kept), np.zeros((n, n)))
        largest = _largest(asked) or _largest(kept)
        ridge = sum((one.ridge(largest, self.amount) for one in self.preferences), np.zeros(n))
        return Curvature(asked + kept, ridge)

    def slope(self) -> Slope:
        """All slopes and prices as one."""
        n = len(self.amount)
        asked = sum((wish.slope() for wish in self.asked), np.zeros(n))
        kept = sum((wish.slope() for wish in self.kept), np.zeros(n))
        steepest = float(np.abs(asked).max(initial=0.0))
        price = sum((one.price(steepest, self.amount) for one in self.preferences), np.zeros(n))
        return Slope(asked + kept, price)


def _largest(H: Floats) -> float:
    return float(np.linalg.norm(H, 2)) if H.size else 0.0
