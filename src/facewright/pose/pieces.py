"""Sliders with in-betweens: straight pieces between knots."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.rig.combine import Combine
from facewright.terms.limits import Limits

# Of a slider's full value:
_SAME = 1e-12  # weights nearer to a knot than this are at it
_CLOSE = 0.05  # weights nearer to a knot than this are tried on its other side


class Pieces:
    """The straight pieces of sliders between their bounds. A slider at a knot is on both pieces that meet there."""

    def __init__(self, combine: Combine, start: Floats, bounds: Floats) -> None:
        inside = [(slider, at[(at > bounds[slider, 0]) & (at < bounds[slider, 1])]) for slider, at in combine.knots()]
        listed = [(slider, at) for slider, at in inside if len(at)]
        most = max((len(at) for _, at in listed), default=0)
        self._of = np.array([slider for slider, _ in listed], np.int64)  # (k,)
        padded = [[*at, *[np.inf] * (most - len(at))] for _, at in listed]
        self._knots = np.array(padded, np.float64).reshape(len(listed), most)
        self._start = start[self._of]
        ends = np.pad(self._knots, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf)) - self._start[:, None]
        self._ends = ends.ravel()  # of the pieces, as changes from the start: those of one slider after the other
        self._first = np.arange(len(ends)) * (most + 2)  # (k,) where those of each slider begin
        self._full = np.abs(bounds[self._of]).max(axis=1, initial=0.0)[:, None]

    def snapped(self, weights: Floats) -> tuple[Floats, NDArray[np.bool_] | None]:
        """The weights (n,), exactly at a knot where they differ from it by rounding, and which are at one, if any."""
        near = np.abs(self._knots - weights[self._of, None]) <= _SAME * self._full
        if not near.any():
            return weights, None
        exact, at_knot = weights.copy(), np.zeros(len(weights), bool)
        slider, knot = near.nonzero()
        exact[self._of[slider]], at_knot[self._of[slider]] = self._knots[slider, knot], True
        return exact, at_knot

    def limited(self, weights: Floats, leftward: NDArray[np.bool_] | None, limits: Limits) -> Limits:
        """The limits without what is beyond the pieces that weights (n,) are on; at a knot the left if `leftward`."""
        if not len(self._of):
            return limits
        of, low, high, at = self._of, limits.low.copy(), limits.high.copy(), weights[self._of]
        below = self._knots <= at[:, None]
        if leftward is not None:
            below &= (self._knots < at[:, None]) | ~leftward[of, None]
        piece = self._first + below.sum(axis=1)
        low[of] = np.maximum(low[of], self._ends.take(piece))
        high[of] = np.minimum(high[of], self._ends.take(piece + 1))
        return Limits(low, high, limits.rows)

    def beyond(self, change: Floats, limits: Limits) -> Floats:
        """Changes (k, n) with one slider each as far beyond a knot as it is before it, for those that are close."""
        short = self._knots - (self._start + change[self._of])[:, None]
        slider, knot = ((np.abs(short) <= _CLOSE * self._full) & (np.abs(short) > _SAME * self._full)).nonzero()
        if not len(slider):
            return np.zeros((0, len(change)))
        of, found = self._of[slider], np.repeat(change[None], len(slider), axis=0)
        found[np.arange(len(of)), of] += 2 * short[slider, knot]
        inside = (found >= limits.low).all(axis=1) & (found <= limits.high).all(axis=1)
        return np.asarray(found[inside])
