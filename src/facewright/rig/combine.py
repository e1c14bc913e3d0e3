"""From slider values to shape values: in-betweens along a slider, products of sliders, and the derivatives of both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.rig.bent_shapes import BentShapes, Hat
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
        products = [
            (i, [_function(factor, column[factor.slider], bounds) for factor in shape.factors])
            for i, shape in enumerate(shapes)
            if shape.is_combination
        ]
        self.straight = np.array([row[:2] for row in straight], np.int64).reshape(-1, 2)  # (a, 2) shape and slider
        self.gain = np.array([row[2] for row in straight])  # (a,)
        self.bent_shapes = BentShapes(hats, products, len(sliders))

    @property
    def bent(self) -> Ints:
        """The shapes (b,), increasing, whose values are not in proportion to that of one slider."""
        return np.sort(self.bent_shapes.shapes)

    def knots(self) -> list[tuple[int, Floats]]:
        """The sliders whose shapes have bent values, and where these bend, increasing."""
        return self.bent_shapes.knots()

    def __call__(self, weights: Floats) -> Floats:
        """Shape values (..., s) for slider values (..., n)."""
        return self.with_bent(weights, self.bent_shapes.values(weights) if len(self.bent_shapes) else None)

    def with_bent(self, weights: Floats, bent: Floats | None) -> Floats:
        """The same where the values (..., b) of the bent shapes are known; None: there are no such shapes."""
        values = np.empty((*weights.shape[:-1], self.shapes))
        values[..., self.straight[:, 0]] = weights[..., self.straight[:, 1]] * self.gain
        if bent is not None:
            values[..., self.bent_shapes.shapes] = bent
        return values

    def jacobian(self, weights: Floats) -> Floats:
        """Derivative (s, n) of shape values by slider values at one pose (n,); at a knot, the slope to its right."""
        return np.asarray(self.slopes(weights).toarray())

    def slopes(self, weights: Floats) -> sp.csr_array:
        """The same derivative, stored sparsely: a shape depends on few sliders."""
        bent = self.bent_shapes
        rows = np.concatenate([self.straight[:, 0], bent.slope_shapes])
        columns = np.concatenate([self.straight[:, 1], bent.slope_sliders])
        values = np.concatenate([self.gain, bent.slopes(weights)])
        return sp.csr_array((values, (rows, columns)), shape=(self.shapes, self.sliders))

    @property
    def straight_slopes(self) -> Floats:
        """The derivative (s, n) of the shapes whose values are in proportion to that of one slider; 0 for others."""
        slopes = np.zeros((self.shapes, self.sliders))
        slopes[self.straight[:, 0], self.straight[:, 1]] = self.gain
        return slopes


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
    return BentShapes([(0, one._replace(slider=0))], [], 1).values(values[..., None])[..., 0]


def _function(factor: Factor, slider: int, bounds: Floats) -> Hat | int:
    """A factor of a combination as a hat of its slider, or the slider where it is straight."""
    one = _factor(factor, bounds[slider])
    return slider if isinstance(one, float) else one._replace(slider=slider)
