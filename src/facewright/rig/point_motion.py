"""Measures of a few points as functions of the sliders: what solvers need of a rig with in-betweens and combinations.

A measure is a row over the shapes. Its part that is straight in the sliders is one matrix, made once; hats and products
are added at each pose, by table look-ups and one small product of matrices. Nothing here grows with the vertices.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.rig.combine import Combine


class BentShapes:
    """Values (..., b) and slopes (b, n) of the shapes whose values are not in proportion to that of one slider."""

    def __init__(self, combine: Combine) -> None:
        parts = combine.parts()
        single, products = parts.hats, parts.products
        self.shapes = np.concatenate([parts.bent, products.shapes])  # (b,)
        both = [(getattr(single, name), getattr(products.hats, name)) for name in ("at", "rise", "fall", "low", "high")]
        self._at, self._rise, self._fall, self._low, self._high = map(np.concatenate, both)
        self._of = np.concatenate([single.sliders, products.hats.sliders])  # (h,) the slider of each hat
        self._alone, self._n = len(single.sliders), combine.sliders
        self._factors = np.ascontiguousarray(products.factors.T)  # (most, p) columns of sliders, hats and a 1
        self._slopes = np.zeros((len(self.shapes), self._n))  # its zeros are at the same places in every pose
        self._steep = np.ones(self._n + len(products.hats.sliders) + 1)  # slopes of sliders, hats and the 1
        self._steep[-1], self._one = 0.0, np.ones(len(products.shapes))
        sliders = np.concatenate([np.arange(self._n), products.hats.sliders, [-1]])[self._factors]
        rows = np.arange(len(products.shapes)) + self._alone
        row = np.concatenate([np.arange(self._alone), np.broadcast_to(rows, sliders.shape).ravel()])
        column = np.concatenate([single.sliders, sliders.ravel()])
        self._real = np.flatnonzero(column >= 0)
        self._place = row[self._real] * self._n + column[self._real]  # in the flat matrix of slopes

    def values(self, weights: Floats) -> Floats:
        """Values (..., b) at slider values (..., n)."""
        hats = self._hats(weights)[0]
        factors = self._taken(weights, hats)
        product = factors[0] if factors else np.zeros((*weights.shape[:-1], 0))
        for factor in factors[1:]:
            product = product * factor
        return np.concatenate([hats[..., : self._alone], product], axis=-1)

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """Values (b,) and slopes (b, n) at one pose (n,); at a knot, the slope to its right.

        The slopes are overwritten by the next call.
        """
        hats, slopes = self._hats(weights)
        factors, alone = self._taken(weights, hats), self._alone
        self._steep[self._n : -1] = slopes[alone:]
        after = [self._one]  # products of the factors behind each
        for factor in reversed(factors):
            after.append(after[-1] * factor)
        before, found = after[0], [slopes[:alone]]
        for place, factor in enumerate(factors):
            found.append(before * after[len(factors) - 1 - place] * self._steep[self._factors[place]])
            before = before * factor
        self._slopes.ravel()[self._place] = np.concatenate(found)[self._real]
        return np.concatenate([hats[:alone], before]), self._slopes

    def _hats(self, weights: Floats) -> tuple[Floats, Floats]:
        x = weights[..., self._of]
        slopes = np.where(x < self._at, self._rise, self._fall)
        inside = (x >= self._low) & (x < self._high)
        slopes *= inside
        return inside + slopes * (x - self._at), slopes

    def _taken(self, weights: Floats, hats: Floats) -> list[Floats]:
        """The values (..., p) of each factor of the products."""
        ones = np.ones((*weights.shape[:-1], 1))
        columns = np.concatenate([weights, hats[..., self._alone :], ones], axis=-1)
        return [columns[..., factor] for factor in self._factors]


class PointMotion:
    """Measures (r,) of a pose: rows (r, s) times the shapes' values."""

    def __init__(self, combine: Combine, bent: BentShapes, rows: Floats) -> None:
        self._bent, self._bends = bent, rows[:, bent.shapes]
        parts = combine.parts()
        self._straight = np.zeros((len(rows), combine.sliders))
        shapes, sliders = parts.straight.T
        np.add.at(self._straight.T, sliders, (rows[:, shapes] * parts.gain).T)

    def values(self, weights: Floats) -> Floats:
        """Measures (..., r) at slider values (..., n)."""
        return np.asarray(weights @ self._straight.T + self._bent.values(weights) @ self._bends.T)

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """Measures (r,) and their slopes (r, n) at one pose (n,)."""
        values, slopes = self._bent.both(weights)
        return self._straight @ weights + self._bends @ values, self._straight + self._bends @ slopes


class ShapeMotion:
    """Values of all shapes (s,), and the slope of what depends on them by the sliders."""

    def __init__(self, combine: Combine) -> None:
        parts = combine.parts()
        self._bent, self._gain = BentShapes(combine), parts.gain
        self._shapes, self._of = parts.straight.T
        self._size = combine.shapes, combine.sliders

    def values(self, weights: Floats) -> Floats:
        """Values (..., s) at slider values (..., n)."""
        return self._whole(weights, self._bent.values(weights))

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """Values (s,), and the slopes (b, n) of those that bend, which the next call overwrites."""
        bent, slopes = self._bent.both(weights)
        return self._whole(weights, bent), slopes

    def slope(self, slopes: Floats, by_shapes: Floats) -> Floats:
        """By the sliders (n,), where it is known by the shapes' values (s,), for slopes (b, n) of `both`."""
        straight = np.bincount(self._of, by_shapes[self._shapes] * self._gain, self._size[1])
        return np.asarray(straight + by_shapes[self._bent.shapes] @ slopes)

    def _whole(self, weights: Floats, bent: Floats) -> Floats:
        found = np.empty((*weights.shape[:-1], self._size[0]))
        found[..., self._shapes], found[..., self._bent.shapes] = weights[..., self._of] * self._gain, bent
        return found


def chords(combine: Combine, start: Floats, bounds: Floats) -> Floats:
    """Slopes (s, n) of the shapes' values from one end of each slider to the other, the others being at a pose (n,).

    A slider with bounds (n, 2) on both sides of 0 does two different things there: its chord is that of values above 0.
    """
    low, high = np.where(bounds[:, 1] > 0, np.maximum(bounds[:, 0], 0.0), bounds[:, 0]), bounds[:, 1]
    one = np.eye(len(start), dtype=bool)
    there, here = (combine(np.where(one, end[:, None], start)) for end in (high, low))
    return np.asarray((there - here).T / np.where(high > low, high - low, 1.0))
