"""Shapes whose values are not in proportion to that of one slider: hats of a slider, and products of factors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from facewright.arrays import Floats, Ints

_ONE = np.ones(1)


class Hat(NamedTuple):
    """A function of a slider: 1 at a knot, straight to both sides, and 0 outside of a range."""

    at: float
    rise: float  # slope to the left of `at`
    fall: float  # slope to the right
    low: float = -np.inf  # the function is 0 below this
    high: float = np.inf  # the function is 0 from here on
    slider: int = -1


class _FactorTable(NamedTuple):
    """Factors of b values and of their e slopes: columns of slider values, hats, and a 1."""

    factors: Ints  # (k, b + e) padded by the 1; of a slope all factors but the one that it is by
    own: Ints  # (e,) the factor that the slope is by
    straight: Floats  # (n,) slopes of sliders by themselves


class BentShapes:
    """Values (..., b) of bent shapes at slider values (..., n), and their slopes (..., e), by table look-ups.

    A slope is that of one shape by one slider, which are together once at most. At a knot it is the slope to the right.
    """

    def __init__(
        self, hats: Sequence[tuple[int, Hat]], products: Sequence[tuple[int, Sequence[Hat | int]]], sliders: int
    ) -> None:
        """hats, products: a shape, and its hat or the factors of its product, each a hat or a slider itself."""
        self._hat_shapes, self._products = hats, products
        shared = list(dict.fromkeys(one for _, factors in products for one in factors if isinstance(one, Hat)))
        every = [*(hat for _, hat in hats), *shared]
        self._at, self._rise, self._fall, self._low, self._high = np.array([hat[:5] for hat in every]).reshape(-1, 5).T
        self._of = np.array([hat.slider for hat in every], np.int64)  # (h,)
        self._alone = len(hats)
        # With the longest products first, those that have a k-th factor are the first ones.
        longest = sorted(products, key=lambda one: -len(one[1]))
        self.shapes = np.array([shape for shape, _ in (*hats, *longest)], np.int64)  # (b,)
        column = {hat: sliders + i for i, hat in enumerate(shared)}
        by_place = zip_longest(
            *([one if isinstance(one, int) else column[one] for one in factors] for _, factors in longest)
        )
        # The k-th factors, as columns of the slider values and the shared hats, side by side.
        self._factors = [np.array([one for one in place if one is not None], np.int64) for place in by_place]
        self._factors = self._factors or [np.zeros(0, np.int64)]  # there are no products
        self._sliders = sliders
        of = np.concatenate([np.arange(sliders), self._of[self._alone :]])
        rows = [np.arange(self._alone), *(self._alone + np.arange(len(place)) for place in self._factors)]
        self.slope_rows = np.concatenate(rows)  # (e,) places in `shapes`
        self.slope_shapes = self.shapes[self.slope_rows]  # (e,)
        self.slope_sliders = np.concatenate([self._of[: self._alone], *(of[place] for place in self._factors)])  # (e,)

    def __len__(self) -> int:
        return len(self.shapes)

    @property
    def factors(self) -> list[tuple[int, Sequence[Hat | int]]]:
        """Each shape with the factors of its value: hats, and sliders themselves."""
        return [*((shape, [hat]) for shape, hat in self._hat_shapes), *self._products]

    def values(self, weights: Floats) -> Floats:
        """Values (..., b) at slider values (..., n)."""
        hats = self._hats(weights)[0]
        found, *others = self._taken(weights, hats)
        for factor in others:
            found[..., : factor.shape[-1]] *= factor
        return np.concatenate([hats[..., : self._alone], found], axis=-1)

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """Values (..., b) and slopes (..., e) at slider values (..., n)."""
        hats, slopes = self._hats(weights)
        alone, factors = self._alone, self._taken(weights, hats)
        steep = np.concatenate([np.ones(weights.shape), slopes[..., alone:]], axis=-1)
        behind = [np.ones(factors[-1].shape)]  # products of the factors behind each
        for factor, after in zip(factors[-2::-1], factors[:0:-1], strict=True):
            product = np.ones(factor.shape)
            product[..., : after.shape[-1]] = after * behind[-1]
            behind.append(product)
        before, found = np.ones(factors[0].shape), [slopes[..., :alone]]
        for factor, column, after in zip(factors, self._factors, reversed(behind), strict=True):
            ahead = before[..., : len(column)]
            found.append(ahead * after * steep.take(column, axis=-1))
            ahead *= factor
        return np.concatenate([hats[..., :alone], before], axis=-1), np.concatenate(found, axis=-1)

    def at(self, weights: Floats) -> tuple[Floats, Floats]:
        """What `both` gives, at one pose (n,), in a fraction of the time."""
        (hats, steep), table, count = self._hats(weights), self._table, len(self.shapes)
        found = np.multiply.reduce(np.concatenate([weights, hats, _ONE]).take(table.factors), axis=0)
        slopes = found[count:]
        slopes *= np.concatenate([table.straight, steep]).take(table.own)
        return found[:count], slopes

    def values_at(self, weights: Floats) -> Floats:
        """What `values` gives, at one pose (n,), in a fraction of the time."""
        columns = np.concatenate([weights, self._hats(weights)[0], _ONE])
        return np.asarray(np.multiply.reduce(columns.take(self._factors_of_values), axis=0))

    def values_at_two(self, weights: Floats) -> Floats:
        """What `values` gives (2, b), at two poses (2, n), in half of the time."""
        pair, order = self._pair
        return pair.values_at(weights.ravel()).take(order)

    @cached_property
    def _pair(self) -> tuple[BentShapes, Ints]:
        """The shapes of two poses as those of one with twice the sliders, and the places (2, b) of both in it."""
        count, n = 1 + int(self.shapes.max(initial=-1)), self._sliders
        hats = [
            (pose * count + shape, hat._replace(slider=hat.slider + pose * n))
            for pose in (0, 1)
            for shape, hat in self._hat_shapes
        ]
        products = [
            (
                pose * count + shape,
                [
                    one + pose * n if isinstance(one, int) else one._replace(slider=one.slider + pose * n)
                    for one in each
                ],
            )
            for pose in (0, 1)
            for shape, each in self._products
        ]
        pair = BentShapes(hats, products, 2 * n)
        place = np.zeros(2 * count, np.int64)
        place[pair.shapes] = np.arange(len(pair.shapes))
        return pair, place[self.shapes + np.array([[0], [count]])]

    @cached_property
    def _factors_of_values(self) -> Ints:
        return np.ascontiguousarray(self._table.factors[:, : len(self.shapes)])

    @cached_property
    def _table(self) -> _FactorTable:
        alone, sliders, one = self._alone, self._sliders, self._sliders + len(self._of)
        factors = np.full((len(self._factors), len(self.shapes)), one)
        factors[0, :alone] = sliders + np.arange(alone)
        own, every = [factors[0, :alone].copy()], [factors, np.full((len(factors), alone), one)]
        for place, columns in enumerate(self._factors):
            # The hats of shapes alone come first; here all hats have columns, behind those of the sliders.
            own.append(np.where(columns < sliders, columns, columns + alone))
            factors[place, alone : alone + len(columns)] = own[-1]
        for place, columns in enumerate(self._factors):
            others = factors[:, alone : alone + len(columns)].copy()
            others[place] = one
            every.append(others)
        return _FactorTable(np.concatenate(every, axis=1), np.concatenate(own), np.ones(sliders))

    def slopes(self, weights: Floats) -> Floats:
        """Slopes (..., e) at slider values (..., n)."""
        return self.both(weights)[1]

    def knots(self) -> list[tuple[int, Floats]]:
        """The sliders of these shapes with a hat, and where their functions bend, increasing."""
        peak = np.where(self._rise == self._fall, np.inf, self._at)
        found: dict[int, set[float]] = {}
        for slider, *at in zip(self._of.tolist(), self._low.tolist(), peak.tolist(), self._high.tolist(), strict=True):
            found.setdefault(slider, set()).update(value for value in at if np.isfinite(value))
        return [(slider, np.array(sorted(at))) for slider, at in sorted(found.items())]

    def _hats(self, weights: Floats) -> tuple[Floats, Floats]:
        """Values and slopes (..., h) of all hats."""
        x = weights.take(self._of, axis=-1)
        slopes = np.where(x < self._at, self._rise, self._fall)
        inside = (x >= self._low) & (x < self._high)
        slopes *= inside
        return inside + slopes * (x - self._at), slopes

    def _taken(self, weights: Floats, hats: Floats) -> list[Floats]:
        """The values (..., p_k) of the k-th factors of the products that have one."""
        columns = np.concatenate([weights, hats[..., self._alone :]], axis=-1)
        return [columns.take(place, axis=-1) for place in self._factors]
