"""The bounded problem: a quadratic in the change of the sliders, a price on every change, bounds, and perhaps rows.

|x| has a kink where a slider starts inside its bounds. Such a slider is split into an unknown for up and one for down,
both at least 0, so that the price is linear. The ridge is on each of the two, so that only one of them is above 0.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.solve.limits import RowLimits
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Status
from facewright.terms.limits import Limits


class BoundedChange:
    """min 1/2 x'Hx + 1/2 ridge'x^2 + c'x + price'|x| within limits, for a stream of slopes c and prices."""

    def __init__(self, H: Floats, ridge: Floats, limits: Limits) -> None:
        low, high = limits.low, limits.high
        up, down = np.flatnonzero(high > 0), np.flatnonzero(low < 0)
        self._n, self._ups = len(ridge), len(up)
        self._of = np.concatenate([up, down])  # the slider of each unknown
        self._sign = np.concatenate([np.ones(len(up)), -np.ones(len(down))])
        split = self._sign[:, None] * H[np.ix_(self._of, self._of)] * self._sign
        split[np.diag_indices(len(split))] += ridge[self._of]
        near = np.maximum(np.concatenate([low[up], -high[down]]), 0.0)
        far = np.concatenate([high[up], -low[down]])
        rows = limits.rows and RowLimits(
            limits.rows.matrix[:, self._of] * self._sign, limits.rows.low, limits.rows.high
        )
        self._qp = ParametricQP(split, near, far, rows=rows)

    def solve(self, c: Floats, price: Floats) -> tuple[Floats, Status]:
        """The change (n,) and how it was found, for c (n,) and prices (n,)."""
        found = self._qp.solve(self._sign * c[self._of] + price[self._of])
        change = np.zeros(self._n)
        change[self._of[: self._ups]] = found.x[: self._ups]
        change[self._of[self._ups :]] -= found.x[self._ups :]
        return change, found.status
