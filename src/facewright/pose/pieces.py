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
        most = max((len(at) for _, at in inside), default=0)
        self._knots = np.full((most, len(start)), np.inf)  # (m, n) those of each slider, increasing
        for slider, at in inside:
            self._knots[: len(at), slider] = at
        self._start = start
        ends = np.pad(self._knots, ((1, 1), (0, 0)), constant_values=(-np.inf, np.inf)) - start
        self._ends = ends.ravel()  # of the pieces, as changes from the start: the first of all sliders, the second, ...
        self._first, self._sliders = np.arange(len(start)), len(start)
        full = np.abs(bounds).max(axis=1, initial=0.0)  # (n,)
        self._same, self._close = _SAME * full, _CLOSE * full

    def snapped(self, weights: Floats) -> tuple[Floats, NDArray[np.bool_] | None]:
        """The weights (n,), exactly at a knot where they differ from it by rounding, and which are at one, if any."""
        near = np.abs(self._knots - weights) <= self._same
        if not np.count_nonzero(near):  # a third of the time of `any`
            return weights, None
        exact, at_knot = weights.copy(), np.zeros(len(weights), bool)
        knot, slider = near.nonzero()
        exact[slider], at_knot[slider] = self._knots[knot, slider], True
        return exact, at_knot

    def limited(self, weights: Floats, leftward: NDArray[np.bool_] | None, limits: Limits) -> Limits:
        """The limits without what is beyond the pieces that weights (n,) are on; at a knot the left if `leftward`."""
        if not len(self._knots):
            return limits
        below = self._knots <= weights
        if leftward is not None:
            below &= (self._knots < weights) | ~leftward
        piece = self._first + self._sliders * np.add.reduce(below, axis=0, dtype=np.int64)
        low = np.maximum(limits.low, self._ends.take(piece))
        return Limits(low, np.minimum(limits.high, self._ends.take(piece + self._sliders)), limits.rows)

    def beyond(self, change: Floats, limits: Limits) -> Floats:
        """Changes (k, n) with one slider each as far beyond a knot as it is before it, for those that are close."""
        short = self._knots - (self._start + change)
        far = np.abs(short)
        knot, slider = ((far <= self._close) & (far > self._same)).nonzero()
        if not len(slider):
            return np.zeros((0, len(change)))
        found = np.repeat(change[None], len(slider), axis=0)
        found[np.arange(len(slider)), slider] += 2 * short[knot, slider]
        inside = (found >= limits.low).all(axis=1) & (found <= limits.high).all(axis=1)
        return np.asarray(found[inside])
