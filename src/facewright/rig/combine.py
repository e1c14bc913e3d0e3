"""From slider values to shape values: in-betweens along a slider, products of sliders, and the derivative of both."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.rig.rig import Rig


class Combine:
    """Slider values (frames, n) to shape values (frames, s), prepared once for a rig."""

    def __init__(self, rig: Rig) -> None:
        column = {name: i for i, name in enumerate(rig.sliders)}
        self.sliders, self.shapes = len(rig.sliders), len(rig.shapes)
        singles = [(i, column[shape.sliders[0]]) for i, shape in enumerate(rig.shapes) if not shape.is_combination]
        self._products = [
            (i, np.array([column[name] for name in shape.sliders]))
            for i, shape in enumerate(rig.shapes)
            if shape.is_combination
        ]
        knots = {slider: {0.0} | {rig.shapes[i].at for i, of in singles if of == slider} for _, slider in singles}
        straight = [(i, slider) for i, slider in singles if len(knots[slider]) == 2]
        self._straight = np.array(straight, np.int64).reshape(-1, 2)  # shape, slider
        self._gain = np.array([1 / rig.shapes[i].at for i, _ in straight])
        self._hats = [
            (i, slider, np.array(sorted(knots[slider])), rig.shapes[i].at)
            for i, slider in singles
            if len(knots[slider]) > 2
        ]

    def __call__(self, weights: Floats) -> Floats:
        """Shape values (..., s) for slider values (..., n)."""
        values = np.zeros((*weights.shape[:-1], self.shapes))
        values[..., self._straight[:, 0]] = weights[..., self._straight[:, 1]] * self._gain
        for shape, slider, knots, at in self._hats:
            values[..., shape] = np.sum(_hat(knots, at, weights[..., slider]) * [1, 0], axis=-1)
        for shape, sliders in self._products:
            values[..., shape] = weights[..., sliders].prod(axis=-1)
        return values

    def jacobian(self, weights: Floats) -> Floats:
        """Derivative (s, n) of shape values by slider values at one pose (n,); at a knot, the slope to its right."""
        slopes = np.zeros((self.shapes, self.sliders))
        slopes[self._straight[:, 0], self._straight[:, 1]] = self._gain
        for shape, slider, knots, at in self._hats:
            slopes[shape, slider] = _hat(knots, at, weights[slider])[1]
        for shape, sliders in self._products:
            for slider in sliders:
                slopes[shape, slider] = weights[sliders[sliders != slider]].prod()
        return slopes


def _hat(knots: Floats, at: float, x: Floats) -> Floats:
    """Value and slope (..., 2) of the piecewise linear function that is 1 at the knot `at` and 0 at the others.

    Beyond the outer knots the outer segments go on in a straight line, as a plain slider does.
    """
    x = np.asarray(x)
    left = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
    heights = (knots == at).astype(float)
    slope = (heights[left + 1] - heights[left]) / (knots[left + 1] - knots[left])
    return np.stack([heights[left] + slope * (x - knots[left]), slope], axis=-1)
