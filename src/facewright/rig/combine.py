"""From slider values to shape values: in-betweens along a slider, products of sliders, and the derivatives of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Rig
from facewright.rig.shape import Factor, Shape


class Combine:
    """Maps slider values (frames, n) to shape values (frames, s); prepared once for a rig."""

    def __init__(self, rig: Rig) -> None:
        self._prepare(rig.shapes, rig.sliders, rig.bounds)

    @classmethod
    def of(cls, shapes: Sequence[Shape], sliders: Sequence[str], bounds: Floats) -> Combine:
        """The map of some shapes of a rig; `sliders`, of bounds (n, 2), are at least all that drive them."""
        found = cls.__new__(cls)
        found._prepare(shapes, sliders, bounds)
        return found

    def _prepare(self, shapes: Sequence[Shape], sliders: Sequence[str], bounds: Floats) -> None:
        column = {name: i for i, name in enumerate(sliders)}
        self.sliders, self.shapes = len(sliders), len(shapes)
        targets: dict[str, set[float]] = {}
        for shape in shapes:
            if not shape.additive:
                targets.setdefault(shape.sliders[0], {0.0}).add(shape.at[0])
        straight: list[tuple[int, int, float]] = []
        hats: list[tuple[int, Hat]] = []
        for i, shape in enumerate(shapes):
            if shape.is_combination:
                continue
            slider = column[shape.sliders[0]]
            one = (
                _between(targets[shape.sliders[0]], shape.at[0])
                if not shape.additive
                else _factor(shape.factors[0], bounds[slider])
            )
            if isinstance(one, float):
                straight.append((i, slider, one))
            else:
                hats.append((i, one._replace(slider=slider)))
        self._straight = np.array([row[:2] for row in straight], np.int64).reshape(-1, 2)  # shape, slider
        self._gain = np.array([row[2] for row in straight])
        self._bent = np.array([i for i, _ in hats], np.int64)
        self._hats = _Hats.of([hat for _, hat in hats])
        self._products = _Products.of(shapes, column, bounds)

    def parts(self) -> CombineParts:
        """The tables that the map is made of."""
        return CombineParts(self._straight, self._gain, self._bent, self._hats, self._products)

    @property
    def bent(self) -> Ints:
        """The shapes (b,), increasing, whose values are not in proportion to that of one slider."""
        return np.sort(np.concatenate([self._bent, self._products.shapes]))

    def knots(self) -> list[tuple[int, Floats]]:
        """The sliders whose shapes have bent values, and where these bend, increasing."""
        found: dict[int, set[float]] = {}
        for hats in (self._hats, self._products.hats):
            for slider, *at in zip(hats.sliders.tolist(), *(x.tolist() for x in hats.bends()), strict=True):
                found.setdefault(slider, set()).update(value for value in at if np.isfinite(value))
        return [(slider, np.array(sorted(at))) for slider, at in sorted(found.items())]

    def __call__(self, weights: Floats) -> Floats:
        """Shape values (..., s) for slider values (..., n)."""
        values = np.zeros((*weights.shape[:-1], self.shapes))
        values[..., self._straight[:, 0]] = weights[..., self._straight[:, 1]] * self._gain
        if len(self._bent):
            values[..., self._bent] = self._hats.values(weights)
        if len(self._products.shapes):
            values[..., self._products.shapes] = self._products.values(weights)
        return values

    def jacobian(self, weights: Floats) -> Floats:
        """Derivative (s, n) of shape values by slider values at one pose (n,); at a knot, the slope to its right."""
        return np.asarray(self.slopes(weights).toarray())

    def slopes(self, weights: Floats) -> sp.csr_array:
        """The same derivative, stored sparsely: a shape depends on few sliders."""
        straight = self._straight.T
        rows, columns, values = self.bent_slopes(weights)
        rows, columns = np.concatenate([straight[0], rows]), np.concatenate([straight[1], columns])
        return sp.csr_array((np.concatenate([self._gain, values]), (rows, columns)), shape=(self.shapes, self.sliders))

    def bent_slopes(self, weights: Floats) -> tuple[Ints, Ints, Floats]:
        """Derivatives of the bent shapes at slider values (..., n): shapes (e,), sliders (e,) and values (..., e).

        A shape and a slider are together once at most. At a knot the slope is that to its right.
        """
        parts = [(self._bent, self._hats.sliders, self._hats.slopes(weights)), *self._products.slopes(weights)]
        shapes, sliders, values = zip(*parts, strict=True)
        return np.concatenate(shapes), np.concatenate(sliders), np.concatenate(values, axis=-1)

    @property
    def straight_slopes(self) -> Floats:
        """The derivative (s, n) of the shapes whose values are in proportion to that of one slider; 0 for others."""
        slopes = np.zeros((self.shapes, self.sliders))
        slopes[self._straight[:, 0], self._straight[:, 1]] = self._gain
        return slopes

    def bending(self, weights: Floats, along: Floats) -> Floats:
        """Second derivative (n, n) of the sum of shape values times `along` (s,) by slider values, at one pose (n,)."""
        bends = np.zeros((self.sliders, self.sliders))
        if len(self._products.shapes):
            self._products.add_bending(bends, weights, along[self._products.shapes])
        return bends


class Hat(NamedTuple):
    """A function of a slider: 1 at a knot, straight to both sides, and 0 outside of a range."""

    at: float
    rise: float  # slope to the left of `at`
    fall: float  # slope to the right
    low: float = -np.inf  # the function is 0 below this
    high: float = np.inf  # the function is 0 from here on
    slider: int = -1


def _between(knots: set[float], at: float) -> Hat | float:
    """The function of the target of a slider at one of its knots; a number where it is straight.

    Beyond the outer knots it continues linearly, as a plain slider does.
    """
    if len(knots) == 2:
        return 1 / at
    listed = sorted(knots)
    i = listed.index(at)
    rise = 1 / (at - listed[i - 1]) if i > 0 else None
    fall = -1 / (listed[i + 1] - at) if i + 1 < len(listed) else None
    low = listed[i - 1] if i > 1 else -np.inf
    high = listed[i + 1] if i + 2 < len(listed) else np.inf
    return Hat(at, (fall or 0.0) if rise is None else rise, (rise or 0.0) if fall is None else fall, low, high)


def factor_ends(factor: Factor, bounds: Floats) -> tuple[float, float] | None:
    """Where a factor falls to 0 on both sides of its value; infinite where it does not; None where it is straight."""
    at, span = factor.at, factor.span
    if span is None and at == 1:
        return None
    if span is None:
        end = float(bounds[1] if at > 0 else bounds[0])
        beyond = end if abs(end) > abs(at) and end * at > 0 else np.copysign(np.inf, at)
        span = (0.0, beyond) if at > 0 else (beyond, 0.0)
    return span


def _factor(factor: Factor, bounds: Floats) -> Hat | float:
    """The function of a factor of a combination, by the bounds (2,) of its slider; a number where it is straight."""
    at, span = factor.at, factor_ends(factor, bounds)
    if span is None:
        return 1.0
    low, high = span
    rise = 1 / (at - low) if np.isfinite(low) else 1 / (at - high)
    fall = -1 / (high - at) if np.isfinite(high) else rise
    return Hat(at, rise, fall, low, high)


def factor_values(factor: Factor, bounds: Floats, values: Floats) -> Floats:
    """What a factor is worth for values (...) of its slider, which has bounds (2,)."""
    one = _factor(factor, bounds)
    if isinstance(one, float):
        return np.asarray(values * one)
    return np.asarray(_Hats.of([one._replace(slider=0)]).values(values[..., None])[..., 0])


@dataclass(frozen=True, eq=False)
class _Hats:
    """Some hats, as arrays."""

    sliders: Ints  # (h,)
    at: Floats  # (h,)
    rise: Floats  # (h,)
    fall: Floats  # (h,)
    low: Floats  # (h,)
    high: Floats  # (h,)

    @classmethod
    def of(cls, hats: Sequence[Hat]) -> _Hats:
        columns = np.array([hat[:5] for hat in hats], np.float64).reshape(-1, 5).T
        return cls(np.array([hat.slider for hat in hats], np.int64), *columns)

    def values(self, weights: Floats) -> Floats:
        """Values (..., h) of the functions."""
        x = weights[..., self.sliders]
        return np.asarray(self._inside(x) * (1 + np.where(x < self.at, self.rise, self.fall) * (x - self.at)))

    def slopes(self, weights: Floats) -> Floats:
        """Slopes (..., h) of the functions."""
        x = weights[..., self.sliders]
        return np.asarray(self._inside(x) * np.where(x < self.at, self.rise, self.fall))

    def bends(self) -> tuple[Floats, Floats, Floats]:
        """Where the functions bend: (h,) each, infinite where they do not."""
        return self.low, np.where(self.rise == self.fall, np.inf, self.at), self.high

    def _inside(self, x: Floats) -> np.ndarray:
        return (x >= self.low) & (x < self.high)


@dataclass(frozen=True, eq=False)
class _Products:
    """Shapes whose value is the product of two or more factors.

    A factor is a column of the slider values, of the hats, and of a 1, side by side: (n + h + 1).
    """

    shapes: Ints  # (p,)
    factors: Ints  # (p, most); the last column where a shape has fewer
    hats: _Hats

    @classmethod
    def of(cls, shapes: Sequence[Shape], column: dict[str, int], bounds: Floats) -> _Products:
        """The products of some combination shapes."""
        found = [i for i, shape in enumerate(shapes) if shape.is_combination]
        hats: dict[Hat, int] = {}
        rows = [[_column(factor, column, bounds, hats) for factor in shapes[i].factors] for i in found]
        factors = np.full((len(found), max(map(len, rows), default=0)), len(column) + len(hats))
        for row, columns in zip(factors, rows, strict=True):
            row[: len(columns)] = columns
        return cls(np.array(found, np.int64), factors, _Hats.of(list(hats)))

    def values(self, weights: Floats) -> Floats:
        """Values (..., p) of the products."""
        return np.asarray(self._taken(weights).prod(axis=-1))

    def slopes(self, weights: Floats) -> Iterator[tuple[Ints, Ints, Floats]]:
        """The derivatives of the products: shapes, sliders and values, for one factor of each product at a time."""
        taken, slopes, sliders = self._taken(weights), self._slopes(weights), self._sliders(weights.shape[-1])
        for place in range(taken.shape[-1]):
            real = sliders[:, place] >= 0
            others = taken[..., :place].prod(axis=-1) * taken[..., place + 1 :].prod(axis=-1)
            yield self.shapes[real], sliders[real, place], (others * slopes[..., place])[..., real]

    def add_bending(self, bends: Floats, weights: Floats, along: Floats) -> None:
        """Add the second derivatives of the products, times `along` (s,), to bends (n, n), in place."""
        taken, slopes, sliders = self._taken(weights), self._slopes(weights), self._sliders(len(weights))
        for i, j in combinations(range(taken.shape[1]), 2):
            real = np.minimum(sliders[:, i], sliders[:, j]) >= 0
            others = np.delete(taken, (i, j), axis=1).prod(axis=1) * slopes[:, i] * slopes[:, j] * along
            pair = sliders[real, i], sliders[real, j]
            np.add.at(bends, pair, others[real])
            np.add.at(bends, pair[::-1], others[real])

    def _taken(self, weights: Floats) -> Floats:
        """The values (..., p, most) of the factors."""
        parts = [weights, self.hats.values(weights), np.ones((*weights.shape[:-1], 1))]
        return np.asarray(np.concatenate(parts, axis=-1)[..., self.factors])

    def _slopes(self, weights: Floats) -> Floats:
        """The slopes (..., p, most) of the factors."""
        parts = [np.ones_like(weights), self.hats.slopes(weights), np.zeros((*weights.shape[:-1], 1))]
        return np.asarray(np.concatenate(parts, axis=-1)[..., self.factors])

    def _sliders(self, count: int) -> Ints:
        """The slider of each factor (p, most); -1 for those that are not there."""
        return np.asarray(np.concatenate([np.arange(count), self.hats.sliders, [-1]])[self.factors])


class CombineParts(NamedTuple):
    """Shapes in proportion to one slider, shapes that are a hat of one slider, and products."""

    straight: Ints  # (a, 2) shape and slider
    gain: Floats  # (a,)
    bent: Ints  # (b,) shapes
    hats: _Hats  # b of them
    products: _Products


def _column(factor: Factor, column: dict[str, int], bounds: Floats, hats: dict[Hat, int]) -> int:
    """The column of a factor; a hat that is not there yet is added."""
    slider = column[factor.slider]
    one = _factor(factor, bounds[slider])
    return slider if isinstance(one, float) else len(column) + hats.setdefault(one._replace(slider=slider), len(hats))
