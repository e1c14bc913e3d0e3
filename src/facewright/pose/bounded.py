"""The bounded problem: a quadratic in the change of the sliders, a price on every change, bounds, and perhaps rows.

|x| has a kink where a slider starts inside its bounds. Such a slider is split into an unknown for up and one for down,
both at least 0, so that the price is linear. The ridge is on each of the two, so that only one of them is above 0.

Of very many sliders few move, because each has a price. Then the problem is solved for a few, and those of the others
that would lower the cost are added, until there are none: the solution is that of the whole problem.
"""

from __future__ import annotations

from copy import copy

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.solve.limits import RowLimits
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Solution, Status
from facewright.terms.limits import Limits

_FEW = 400  # sliders up to which all are solved for at once
_ADDED = 50  # sliders that are added at a time
_MOST = 200  # sliders in the set beyond which those that do not move leave it
_GAINLESS = 1e-6  # share of the largest slope: a slider with less to gain stays, as one of very many equal ones does


class BoundedChange:
    """min 1/2 |moves x|^2 + 1/2 x'Hx + 1/2 ridge'x^2 + c'x + price'|x| within limits, for slopes c and prices.

    The ridge is above 0, so that there is one solution.
    """

    def __init__(self, moves: Floats, H: Floats | None, ridge: Floats, limits: Limits) -> None:
        self._moves, self._H, self._ridge, self._limits = moves, H, ridge, limits  # (r, n), (n, n), (n,)
        free = np.flatnonzero((limits.low < 0) | (limits.high > 0))
        self._free = np.zeros(len(ridge), bool)
        self._free[free] = True
        self._set(free if len(free) <= _FEW else free[:0])

    def plus(self, moves: Floats) -> BoundedChange:
        """The same with 1/2 |moves x|^2 added to the cost, moves (k, n)."""
        more = copy(self)
        more._moves = np.concatenate([self._moves, moves])
        if len(self._of) == self._free.sum():
            more._problem = self._problem.plus(moves[:, self._of])
        else:
            more._set(self._of)
        return more

    def solve(self, c: Floats, price: Floats) -> tuple[Floats, Status]:
        """The change (n,) and how it was found, for c (n,) and prices (n,)."""
        while True:
            change, solution = self._problem.solve(c[self._of], price[self._of])
            if len(self._of) == self._free.sum():
                return self._scattered(change), solution.status
            more = self._more(change, solution, c, price)
            if not len(more):
                return self._scattered(change), solution.status
            kept = self._of if len(self._of) < _MOST else self._of[change != 0]
            if len(kept) + len(more) > _FEW:
                return self._scattered(change), Status.OUT_OF_STEPS
            self._set(np.concatenate([kept, more]))

    def _set(self, sliders: Ints) -> None:
        """Solve for some sliders from now on."""
        self._of = sliders
        H = None if self._H is None else self._H[np.ix_(sliders, sliders)]
        limits = self._limits.of_sliders(sliders)
        self._problem = _Split(self._moves[:, sliders], H, self._ridge[sliders], limits)

    def _more(self, change: Floats, solution: Solution, c: Floats, price: Floats) -> Ints:
        """The sliders outside the set that would lower the cost most, by their slopes at a change (k,)."""
        slope = c + (self._moves[:, self._of] @ change) @ self._moves
        if self._H is not None:
            slope = slope + self._H[:, self._of] @ change
        if self._limits.rows is not None:
            slope = slope + solution.row_multipliers @ self._limits.rows.matrix
        up = np.where(self._limits.high > 0, -slope - price, 0.0)
        down = np.where(self._limits.low < 0, slope - price, 0.0)
        gain = np.where(self._free, np.maximum(up, down), 0.0)
        gain[self._of] = 0.0
        order = np.argsort(-gain)[:_ADDED]
        return np.asarray(order[gain[order] > _GAINLESS * np.abs(c).max(initial=0.0)])

    def _scattered(self, change: Floats) -> Floats:
        whole = np.zeros(len(self._ridge))
        whole[self._of] = change
        return whole


class _Split:
    """The problem of a few sliders, with unknowns for up and down."""

    def __init__(self, moves: Floats, H: Floats | None, ridge: Floats, limits: Limits) -> None:
        low, high = limits.low, limits.high
        up, down = np.flatnonzero(high > 0), np.flatnonzero(low < 0)
        self._n, self._ups = len(ridge), len(up)
        self._of = np.concatenate([up, down])  # the slider of each unknown
        self._sign = np.concatenate([np.ones(len(up)), -np.ones(len(down))])
        whole = moves.T @ moves if H is None else moves.T @ moves + H
        split = self._sign[:, None] * whole[np.ix_(self._of, self._of)] * self._sign
        split[np.diag_indices(len(split))] += ridge[self._of]
        near = np.maximum(np.concatenate([low[up], -high[down]]), 0.0)
        far = np.concatenate([high[up], -low[down]])
        rows = limits.rows and RowLimits(
            limits.rows.matrix[:, self._of] * self._sign, limits.rows.low, limits.rows.high
        )
        self._qp = ParametricQP(split, near, far, rows=rows)

    def plus(self, moves: Floats) -> _Split:
        more = copy(self)
        more._qp = self._qp.plus(self._sign * moves[:, self._of])
        return more

    def solve(self, c: Floats, price: Floats) -> tuple[Floats, Solution]:
        """The change (n,), and the solution that it is from."""
        found = self._qp.solve(self._sign * c[self._of] + price[self._of])
        change = np.zeros(self._n)
        change[self._of[: self._ups]] = found.x[: self._ups]
        change[self._of[self._ups :]] -= found.x[self._ups :]
        return change, found
