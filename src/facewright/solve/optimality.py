"""A normalised quadratic program, and the optimality conditions of its solutions."""

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.solve.limits import RowLimits
from facewright.solve.solution import Status

_TOLERANCE = 1e-9  # of the size of the terms that have to cancel
_ROUNDING = 1e-15  # absolute, where there are no such terms


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    """min 1/2 x'Hx + c'x within bounds and rows, for any c."""

    H: Floats  # (n, n) largest diagonal element 1, or all zero
    low: Floats  # (n,)
    high: Floats  # (n,)
    rows: RowLimits  # r of them, each of length 1 or 0

    def inside(self, x: Floats) -> Floats:
        """The nearest x (n,) within the bounds."""
        return np.minimum(np.maximum(x, self.low), self.high)

    def status(self, x: Floats, c: Floats, y: Floats) -> Status:
        """Whether x (n,) with the rows' multipliers y (r,) meets the conditions of Karush, Kuhn and Tucker."""
        curved, pull = self.H @ x, y @ self.rows.matrix
        to_go = x - self.inside(x - (curved + c + pull))  # (n,) 0 where the slope is 0 or presses against a bound
        allowed = _TOLERANCE**2 * (curved @ curved + c @ c + pull @ pull) + _ROUNDING**2
        if to_go @ to_go > allowed:
            ends = np.where(to_go > 0.0, self.low, self.high)[to_go**2 > allowed / len(x)]
            return Status.UNBOUNDED if np.isinf(ends).any() else Status.OUT_OF_STEPS
        return Status.SOLVED if self._rows_met(x, y) else Status.OUT_OF_STEPS

    def _rows_met(self, x: Floats, y: Floats) -> bool:
        if not len(y):
            return True
        value = self.rows.matrix @ x  # (r,)
        slack = _TOLERANCE * (1.0 + np.abs(self.rows.matrix) @ np.abs(x))
        within = (value >= self.rows.low - slack) & (value <= self.rows.high + slack)
        gap = np.where(y > 0.0, self.rows.high - value, np.where(y < 0.0, value - self.rows.low, 0.0))
        return bool((within & (gap <= slack)).all())
