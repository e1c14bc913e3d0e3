"""From slider values to shape values: in-betweens along a slider, products of sliders, and the derivatives of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape


class Combine:
    """Maps slider values (frames, n) to shape values (frames, s); prepared once for a rig."""

    def __init__(self, rig: Rig) -> None:
        self._prepare(rig.shapes, rig.sliders)

    @classmethod
    def of(cls, shapes: Sequence[Shape], sliders: Sequence[str]) -> Combine:
        """The map of some shapes of a rig; `sliders` are at least all that drive them."""
        found = cls.__new__(cls)
        found._prepare(shapes, sliders)
        return found

    def _prepare(self, shapes: Sequence[Shape], sliders: Sequence[str]) -> None:
        column = {name: i for i, name in enumerate(sliders)}
        self.sliders, self.shapes = len(sliders), len(shapes)
        singles = [(i, column[shape.sliders[0]]) for i, shape in enumerate(shapes) if not shape.is_combination]
        knots: dict[int, set[float]] = {slider: {0.0} for _, slider in singles}
        for i, slider in singles:
            knots[slider].add(shapes[i].at)
        straight = [(i, slider) for i, slider in singles if len(knots[slider]) == 2]
        self._straight = np.array(straight, np.int64).reshape(-1, 2)  # shape, slider
        self._gain = np.array([1 / shapes[i].at for i, _ in straight])
        bent = [(i, slider) for i, slider in singles if len(knots[slider]) > 2]
        self._hats = _Hats.of(bent, [(shapes[i].at, sorted(knots[slider])) for i, slider in bent])
        self._products = _Products.of(shapes, column)

    def __call__(self, weights: Floats) -> Floats:
        """Shape values (..., s) for slider values (..., n)."""
        values = np.zeros((*weights.shape[:-1], self.shapes))
        values[..., self._straight[:, 0]] = weights[..., self._straight[:, 1]] * self._gain
        if len(self._hats.shapes):
            values[..., self._hats.shapes] = self._hats.values(weights)
        if len(self._products.shapes):
            values[..., self._products.shapes] = self._products.values(weights)
        return values

    def jacobian(self, weights: Floats) -> Floats:
        """Derivative (s, n) of shape values by slider values at one pose (n,); at a knot, the slope to its right."""
        return np.asarray(self.slopes(weights).toarray())

    def slopes(self, weights: Floats) -> sp.csr_array:
        """The same derivative, stored sparsely: a shape depends on few sliders."""
        parts = [
            (*self._straight.T, self._gain),
            (self._hats.shapes, self._hats.sliders, self._hats.slopes(weights)),
            *self._products.slopes(weights),
        ]
        rows, columns, values = (np.concatenate(each) for each in zip(*parts, strict=True))
        return sp.csr_array((values, (rows, columns)), shape=(self.shapes, self.sliders))

    def bending(self, weights: Floats, along: Floats) -> Floats:
        """Second derivative (n, n) of the sum of shape values times `along` (s,) by slider values, at one pose (n,)."""
        bends = np.zeros((self.sliders, self.sliders))
        if len(self._products.shapes):
            self._products.add_bending(bends, weights, along[self._products.shapes])
        return bends


@dataclass(frozen=True, eq=False)
class _Hats:
    """Piecewise linear functions of one slider each, 1 at a knot and 0 at the slider's other knots.

    Beyond the outer knots they continue linearly, as a plain slider does.
    """

    shapes: Ints  # (h,)
    sliders: Ints  # (h,)
    at: Floats  # (h,) where the function is 1
    rise: Floats  # (h,) slope to the left of that
    fall: Floats  # (h,) slope to the right
    low: Floats  # (h,) the function is 0 below this
    high: Floats  # (h,) the function is 0 from here on

    @classmethod
    def of(cls, pairs: list[tuple[int, int]], knots: list[tuple[float, list[float]]]) -> _Hats:
        """The functions of some shapes and sliders, given the knots of each slider."""
        sides = np.array([_sides(at, all) for at, all in knots]).reshape(-1, 4)
        shapes, sliders = np.array(pairs, np.int64).reshape(-1, 2).T
        return cls(shapes, sliders, np.array([at for at, _ in knots]), *sides.T)

    def values(self, weights: Floats) -> Floats:
        """Values (..., h) of the functions."""
        x = weights[..., self.sliders]
        return np.asarray(self._inside(x) * (1 + np.where(x < self.at, self.rise, self.fall) * (x - self.at)))

    def slopes(self, weights: Floats) -> Floats:
        """Slopes (h,) of the functions at one pose."""
        x = weights[..., self.sliders]
        return np.asarray(self._inside(x) * np.where(x < self.at, self.rise, self.fall))

    def _inside(self, x: Floats) -> np.ndarray:
        return (x >= self.low) & (x < self.high)


def _sides(at: float, knots: list[float]) -> tuple[float, float, float, float]:
    """The slopes to the left and right of a knot, and the range in which the function is not 0."""
    i = knots.index(at)
    rise = 1 / (at - knots[i - 1]) if i > 0 else None
    fall = -1 / (knots[i + 1] - at) if i + 1 < len(knots) else None
    low = knots[i - 1] if i > 1 else -np.inf
    high = knots[i + 1] if i + 2 < len(knots) else np.inf
    return (fall or 0.0) if rise is None else rise, (rise or 0.0) if fall is None else fall, low, high


@dataclass(frozen=True, eq=False)
class _Products:
    """Shapes whose value is the product of two or more sliders."""

    shapes: Ints  # (p,)
    factors: Ints  # (p, most) sliders; n, which stands for a slider that is always 1, where a shape has fewer

    @classmethod
    def of(cls, shapes: Sequence[Shape], column: dict[str, int]) -> _Products:
        """The products of some combination shapes."""
        found = [i for i, shape in enumerate(shapes) if shape.is_combination]
        most = max((len(shapes[i].sliders) for i in found), default=0)
        factors = np.full((len(found), most), len(column))
        for row, i in zip(factors, found, strict=True):
            row[: len(shapes[i].sliders)] = [column[name] for name in shapes[i].sliders]
        return cls(np.array(found, np.int64), factors)

    def values(self, weights: Floats) -> Floats:
        """Values (..., p) of the products."""
        return np.asarray(self._taken(weights).prod(axis=-1))

    def slopes(self, weights: Floats) -> Iterator[tuple[Ints, Ints, Floats]]:
        """The derivatives of the products: shapes, sliders and values, for one factor of each product at a time."""
        taken = self._taken(weights)  # (p, most)
        for place in range(taken.shape[1]):
            real = self.factors[:, place] < len(weights)
            others = taken[:, :place].prod(axis=1) * taken[:, place + 1 :].prod(axis=1)
            yield self.shapes[real], self.factors[real, place], others[real]

    def add_bending(self, bends: Floats, weights: Floats, along: Floats) -> None:
        """Add the second derivatives of the products, times `along` (s,), to bends (n, n), in place."""
        taken = self._taken(weights)  # (p, most)
        for i, j in combinations(range(taken.shape[1]), 2):
            real = np.maximum(self.factors[:, i], self.factors[:, j]) < len(weights)
            others = np.delete(taken, (i, j), axis=1).prod(axis=1)[real] * along[real]
            pair = self.factors[real, i], self.factors[real, j]
            np.add.at(bends, pair, others)
            np.add.at(bends, pair[::-1], others)

    def _taken(self, weights: Floats) -> Floats:
        ones = np.ones((*weights.shape[:-1], 1))
        return np.asarray(np.concatenate([weights, ones], axis=-1)[..., self.factors])
