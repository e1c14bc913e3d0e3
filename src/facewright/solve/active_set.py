"""Convex quadratic programs of which each has a curvature of its own, and a solution much like the last one.

The limits that are reached are guessed. The minimum for a guess is one linear system. Limits that are wrong in it
change: those that it exceeds are added, those that hold it back are dropped (the primal-dual active-set method,
Hintermueller, Ito and Kunisch 2003). Usually the first guess, the limits of the last solution, is right. A minimum
for a right guess meets the conditions of Karush, Kuhn and Tucker, so that it does not depend on earlier solves.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from facewright.arrays import Floats
from facewright.solve.limits import RowLimits, limits, no_rows
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Solution, Status

_GUESSES = 8
_ROUNDING = 1e-12  # unknowns are about 1, as weights are


class ActiveSetQP:
    """min 1/2 x'Hx + c'x with low <= x <= high and rows, for a stream of definite H and of c.

    `start`, a solution of a similar problem, is the first guess.
    """

    def __init__(
        self, low: Floats, high: Floats, rows: RowLimits | None = None, *, start: Solution | None = None
    ) -> None:
        self._bounds = limits("bound", low, high, len(low))
        self._rows = no_rows(len(low)) if rows is None else rows
        self._low = np.concatenate([self._bounds[0], self._rows.low])  # (n + r,)
        self._high = np.concatenate([self._bounds[1], self._rows.high])  # (n + r,)
        self._equal = self._low == self._high
        self._at = np.where(self._equal, -1, 0)  # (n + r,) -1: at the low limit; 1: at the high one
        if start is not None and len(start.x) + len(start.row_multipliers) == len(self._at):
            self._reach(start)

    def solve(self, H: Floats, c: Floats) -> Solution:
        """The minimum for H (n, n), symmetric and definite, which is not checked, and c (n,)."""
        slack, n = _ROUNDING * float(np.abs(c).max(initial=0.0)), len(c)
        for guess in range(1, _GUESSES + 1):
            found = self._minimum(H, c)
            if found is None:
                break
            x, pressure = found  # (n,), (n + r,)
            value = np.concatenate([x, self._rows.matrix @ x]) if len(pressure) > n else x
            beyond = np.where(value > self._high + _ROUNDING, 1, 0) - (value < self._low - _ROUNDING)
            kept = self._equal | (self._at * pressure >= -slack)
            at = np.where(self._at == 0, beyond, np.where(kept, self._at, 0))
            if (at == self._at).all():
                x = np.minimum(np.maximum(x, self._bounds[0]), self._bounds[1])
                return Solution(x, Status.SOLVED, guess, pressure[:n], pressure[n:])
            self._at = at
        careful = ParametricQP(H, *self._bounds, rows=self._rows).solve(c)
        self._reach(careful)
        return careful

    def _reach(self, solution: Solution) -> None:
        """Guess the limits that a solution reaches."""
        pressure = np.concatenate([solution.multipliers, solution.row_multipliers])
        self._at = np.where(self._equal, -1, np.sign(pressure).astype(np.int64))

    def _minimum(self, H: Floats, c: Floats) -> tuple[Floats, Floats] | None:
        """The minimum (n,) at the guessed limits, and how it presses on all of them (n + r,); None: there is none."""
        n, limit = len(c), np.where(self._at < 0, self._low, self._high)
        free, held = np.flatnonzero(self._at[:n] == 0), np.flatnonzero(self._at[n:])
        x, pressure = limit[:n].copy(), np.zeros(len(limit))
        x[free] = 0.0
        if len(free):
            factor, failed = lapack.dpotrf(H[free[:, None], free], lower=1, clean=0)
            if failed:
                return None
            x[free] = lapack.dpotrs(factor, -(c + H @ x)[free], lower=1)[0]
        if len(held):
            A = self._rows.matrix[held]
            if not A[:, free].any(axis=1).all():
                return None
            turned = lapack.dpotrs(factor, A[:, free].T, lower=1)[0]  # (f, h)
            _, y, failed = lapack.dposv(A[:, free] @ turned, A @ x - limit[n:][held])
            if failed:  # rows that say the same
                return None
            pressure[n:][held] = y
            x[free] -= turned @ y
        slope = H @ x + c + pressure[n:] @ self._rows.matrix
        slope[free] = 0.0
        pressure[:n] = -slope
        return x, pressure
