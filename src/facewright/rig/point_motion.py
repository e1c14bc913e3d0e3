"""Measures of a few points as functions of the sliders: what solvers need of a rig with in-betweens and combinations.

A measure is a row over the shapes. Its part that is straight in the sliders is one matrix, made once; hats and products
are added at each pose, by table look-ups and one small product of matrices. Nothing here grows with the vertices.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.rig.combine import Combine


class BentMatrix:
    """Values (b,) and slopes (b, n) of the bent shapes at one pose."""

    def __init__(self, combine: Combine) -> None:
        self._bent = combine.bent_shapes
        self._slopes = np.zeros((len(self._bent), combine.sliders))  # 0 at the same places in every pose
        self._place = self._bent.slope_rows * combine.sliders + self._bent.slope_sliders  # in the flat matrix

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """At one pose (n,). The slopes are overwritten by the next call."""
        values, slopes = self._bent.at(weights)
        self._slopes.ravel()[self._place] = slopes
        return values, self._slopes


class PointMotion:
    """Measures (r,) of a pose: rows (r, s) times the shapes' values."""

    def __init__(self, combine: Combine, matrix: BentMatrix, straight: Floats, bends: Floats) -> None:
        self._combine, self._matrix, self._bent = combine, matrix, combine.bent_shapes
        self._straight, self._bends = straight, bends  # (r, n), (r, b)

    @classmethod
    def of(cls, combine: Combine, matrix: BentMatrix, rows: Floats) -> PointMotion:
        """The motion of rows (r, s)."""
        return cls(combine, matrix, _by_sliders(combine, rows), rows[:, combine.bent_shapes.shapes])

    def plus(self, rows: Floats) -> PointMotion:
        """The same with more measures, rows (k, s), at the end."""
        straight = np.concatenate([self._straight, _by_sliders(self._combine, rows)])
        return PointMotion(
            self._combine, self._matrix, straight, np.concatenate([self._bends, rows[:, self._bent.shapes]])
        )

    def values(self, weights: Floats) -> Floats:
        """Measures (..., r) at slider values (..., n)."""
        return np.asarray(weights @ self._straight.T + self._bent.values(weights) @ self._bends.T)

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """Measures (r,) and their slopes (r, n) at one pose (n,)."""
        values, slopes = self._matrix.both(weights)
        return self._straight @ weights + self._bends @ values, self._straight + self._bends @ slopes


def _by_sliders(combine: Combine, rows: Floats) -> Floats:
    """How sliders move rows (k, s) by the shapes whose values are in proportion to theirs: (k, n)."""
    shapes, sliders = combine.straight.T
    found = [np.bincount(sliders, row, combine.sliders) for row in rows[:, shapes] * combine.gain]
    return np.array(found, np.float64).reshape(len(rows), combine.sliders)


class ShapeMotion:
    """Values of all shapes (s,), and the slope of what depends on them by the sliders."""

    def __init__(self, combine: Combine) -> None:
        self.values = combine  # (..., s) at slider values (..., n)
        self._combine, self._bent = combine, combine.bent_shapes
        self.bent = self._bent.values  # (..., b) of those that bend alone
        self.bent_shapes = self._bent.shapes  # (b,)
        self.with_bent = combine.with_bent  # `values` where those of the shapes that bend are known

    def both(self, weights: Floats) -> tuple[Floats, Floats]:
        """Values (s,) at one pose (n,), and the slopes (e,) of those that bend."""
        bent, slopes = self._bent.at(weights)
        return self._combine.with_bent(weights, bent), slopes

    def slope(self, slopes: Floats, by_shapes: Floats) -> Floats:
        """By the sliders (n,), where it is known by the shapes' values (s,), for slopes (e,) of `both`."""
        (shapes, sliders), bent, count = self._combine.straight.T, self._bent, self._combine.sliders
        straight = np.bincount(sliders, by_shapes[shapes] * self._combine.gain, count)
        return np.asarray(straight + np.bincount(bent.slope_sliders, by_shapes[bent.slope_shapes] * slopes, count))


def chords(combine: Combine, start: Floats, bounds: Floats) -> Floats:
    """Slopes (s, n) of the shapes' values from one end of each slider to the other, the others being at a pose (n,).

    A slider with bounds (n, 2) on both sides of 0 does two different things there: its chord is that of values above 0.
    """
    low, high = np.where(bounds[:, 1] > 0, np.maximum(bounds[:, 0], 0.0), bounds[:, 0]), bounds[:, 1]
    one = np.eye(len(start), dtype=bool)
    there, here = (combine(np.where(one, end[:, None], start)) for end in (high, low))
    return np.asarray((there - here).T / np.where(high > low, high - low, 1.0))
