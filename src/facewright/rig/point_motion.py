"""Measures of a few points as functions of the sliders: what solvers need of a rig with in-betweens and combinations.

A measure is a row over the shapes. Its part that is straight in the sliders is one matrix, made once; hats and products
are added at each pose, by table look-ups and one small product of matrices. Nothing here grows with the vertices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.rig.combine import Combine


class BentPose(NamedTuple):
    """The shapes that bend at one pose."""

    weights: Floats  # (n,)
    values: Floats  # (b,)
    slopes: Floats  # (e,)


class BentMatrix:
    """Values and slopes of the bent shapes at one pose."""

    def __init__(self, combine: Combine) -> None:
        self._bent, self._sliders = combine.bent_shapes, combine.sliders
        self._slopes = np.zeros((combine.sliders, len(self._bent)))  # 0 at the same places in every pose
        self._place = self._bent.slope_sliders * len(self._bent) + self._bent.slope_rows  # in the flat matrix

    def at(self, weights: Floats) -> BentPose:
        """At one pose (n,)."""
        return BentPose(weights, *self._bent.at(weights))

    def by_sliders(self, pose: BentPose, sliders: Ints) -> Floats:
        """The slopes at a pose by some sliders (k,): (k, b)."""
        self._slopes.ravel()[self._place] = pose.slopes
        return self._slopes.take(sliders, axis=0)

    def slope(self, pose: BentPose, by_values: Floats) -> Floats:
        """By the sliders (n,), of what has this slope by the values (b,)."""
        bent = self._bent
        of_sliders = np.bincount(bent.slope_sliders, by_values.take(bent.slope_rows) * pose.slopes, self._sliders)
        return np.asarray(of_sliders, np.float64)


class PointMotion:
    """Measures (r,) of a pose: rows (r, s) times the shapes' values."""

    def __init__(self, combine: Combine, matrix: BentMatrix, straight: Floats, bends: Floats) -> None:
        self._combine, self._matrix, self._bent = combine, matrix, combine.bent_shapes
        self._straight, self._bends = straight, bends  # (n, r), (b, r)

    @classmethod
    def of(cls, combine: Combine, matrix: BentMatrix, rows: Floats) -> PointMotion:
        """The motion of rows (r, s)."""
        bends = np.ascontiguousarray(rows[:, combine.bent_shapes.shapes].T)
        return cls(combine, matrix, _by_sliders(combine, rows), bends)

    def followed_by(self, measures: int) -> PointMotion:
        """The same with room for more measures at the end."""
        wider = ((0, 0), (0, measures))
        return PointMotion(self._combine, self._matrix, np.pad(self._straight, wider), np.pad(self._bends, wider))

    def end_with(self, motion: PointMotion, by: Floats) -> None:
        """Make the last measures weighted sums, by (k, r), of the measures of another motion, in place."""
        self._straight[:, -len(by) :] = motion._straight @ by.T
        self._bends[:, -len(by) :] = motion._bends @ by.T

    def values(self, weights: Floats) -> Floats:
        """Measures (..., r) at slider values (..., n)."""
        bent = self._bent.values_at(weights) if weights.ndim == 1 else self._bent.values(weights)
        return np.asarray(weights @ self._straight + bent @ self._bends)

    def at(self, pose: BentPose) -> Floats:
        """Measures (r,) at one pose."""
        return np.asarray(pose.weights @ self._straight + pose.values @ self._bends)

    def slopes(self, pose: BentPose, sliders: Ints) -> Floats:
        """Slopes of the measures at one pose by some sliders (k,): (k, r)."""
        found = self._matrix.by_sliders(pose, sliders) @ self._bends
        found += self._straight.take(sliders, axis=0)
        return np.asarray(found)

    def slope(self, pose: BentPose, by_measures: Floats) -> Floats:
        """By the sliders (n,), of what has this slope by the measures (r,)."""
        return self._straight @ by_measures + self._matrix.slope(pose, self._bends @ by_measures)


def _by_sliders(combine: Combine, rows: Floats) -> Floats:
    """How sliders move rows (k, s) by the shapes whose values are in proportion to theirs: (n, k)."""
    shapes, sliders = combine.straight.T
    found = [np.bincount(sliders, row, combine.sliders) for row in rows[:, shapes] * combine.gain]
    return np.ascontiguousarray(np.array(found, np.float64).reshape(len(rows), combine.sliders).T)


class ShapeMotion:
    """Values of all shapes (s,), and the slope of what depends on them by the sliders."""

    def __init__(self, combine: Combine) -> None:
        self.values = combine  # (..., s) at slider values (..., n)
        self._combine, self._bent = combine, combine.bent_shapes
        self.bent_at_two = self._bent.values_at_two  # (2, b) of those that bend alone, at two poses (2, n)
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
