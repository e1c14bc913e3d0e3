"""The bounded problem: a quadratic in the change of the sliders, a price on every change, bounds, and perhaps rows.

|x| has a corner where a slider starts inside its bounds. Such a slider is split into its way up and its way down, both
at least 0, so that the price is linear; the ridge is on each half, so that going both ways at once never pays.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.pose.terms import Curvature, Slope
from facewright.solve.limits import Rows
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Status


class BoundedChange:
    """min x'Hx/2 + ridge'x^2/2 + c'x + price'|x| with low <= x <= high, low <= 0 <= high, for a stream of slopes."""

    def __init__(self, curvature: Curvature, low: Floats, high: Floats, rows: Rows | None = None) -> None:
        up, down = np.flatnonzero(high > 0), np.flatnonzero(low < 0)
        self._n = len(low)
        self._of = np.concatenate([up, down])  # the slider that each unknown is a half of
        self._sign = np.concatenate([np.ones(len(up)), -np.ones(len(down))])
        H = self._sign[:, None] * curvature.H[np.ix_(self._of, self._of)] * self._sign
        H[np.diag_indices(len(H))] += curvature.ridge[self._of]
        ends = np.concatenate([high[up], -low[down]])
        split = None if rows is None else Rows(rows.matrix[:, self._of] * self._sign, rows.low, rows.high)
        self._qp = ParametricQP(H, np.zeros(len(ends)), ends, rows=split)

    def solve(self, slope: Slope) -> tuple[Floats, Status]:
        """The change (n,) and how it was found."""
        found = self._qp.solve(self._sign * slope.c[self._of] + slope.price[self._of])
        return np.asarray(np.bincount(self._of, self._sign * found.x, self._n), np.float64), found.status
