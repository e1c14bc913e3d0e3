"""The dual active-set solver daqp, given types and the scaling its tolerances expect."""

from typing import NamedTuple

import daqp
import numpy as np
from scipy.linalg.lapack import dposv

from facewright.arrays import Floats
from facewright.solve.limits import RowLimits
from facewright.solve.solution import Status

SETTINGS = {
    "eps_prox": 0.0,  # daqp's own regularisation starts from its last solution: the result would depend on it
    "eq_reduction": -1,  # would refuse a condition above 1e8 when a few unknowns are locked
}
_INFINITE = 1e30  # daqp takes this for no limit
_OPTIMAL = 1
_SMALL = 12  # unknowns up to which it is worth the time to try the minimum without limits first
_INFEASIBLE = (-1, -6)  # found while solving, or while adding the equations


class DualResult(NamedTuple):
    """The result of one daqp solve."""

    x: Floats  # (n,) a new array, which the caller may change
    multipliers: Floats  # (n,) of the bounds: above 0 at the high one, below 0 at the low one
    row_multipliers: Floats  # (r,)
    iterations: int
    flag: int

    @property
    def optimal(self) -> bool:
        return self.flag == _OPTIMAL

    @property
    def infeasible(self) -> bool:
        return self.flag in _INFEASIBLE


class DualActiveSet:
    """min 1/2 x'Hx + c'x with low <= (x, A x) <= high for a stream of c, warm from one to the next.

    H (n, n) is definite with a largest diagonal element of 1. Unknowns are scaled so that the whole diagonal is 1, and
    rows to length 1, because daqp takes small pivots and short rows for zero.
    """

    def __init__(self, H: Floats, A: Floats, low: Floats, high: Floats, *, tolerance: float) -> None:
        self._settings = SETTINGS | {"primal_tol": tolerance}
        self._stretch = 1.0 / np.sqrt(H.diagonal())  # (n,) x = stretch * daqp's unknown
        self._H = self._stretch[:, None] * H * self._stretch
        rows = A * self._stretch  # (r, n)
        length = np.linalg.norm(rows, axis=1)
        self._length = np.where(length > 0.0, length, 1.0)  # (r,)
        self._A = rows / self._length[:, None]
        size = np.concatenate([self._stretch, self._length])
        self._low = np.maximum(low / size, -_INFINITE)  # (n + r,)
        self._high = np.minimum(high / size, _INFINITE)  # (n + r,)

    def restart(self, pressed: Floats | None = None) -> None:
        """Factorise, and start from the limits on which `pressed` (n + r,) is not 0, or from none."""
        self._model = daqp.Model()
        self._model.settings = self._settings
        problem = self._H, np.zeros(len(self._H)), self._A, self._high, self._low
        self._flag: int = self._model.setup(*problem, dual_start=pressed)[0] if len(self._H) else _OPTIMAL
        if self._flag < 0 and pressed is not None:
            self.restart()

    def solve(self, c: Floats) -> DualResult:
        """The minimum for c (n,)."""
        n = len(c)
        if self._flag < 0 or not n:
            return DualResult(np.zeros(n), np.zeros(n), np.zeros(len(self._length)), 0, self._flag)
        self._model.update(f=self._stretch * c)
        x, _, flag, info = self._model.solve()
        pressure = info["lam"]
        return DualResult(
            x * self._stretch, pressure[:n] / self._stretch, pressure[n:] / self._length, info["iterations"], flag
        )


def solve_definite(
    H: Floats, c: Floats, low: Floats, high: Floats, rows: RowLimits | None = None, *, start: Floats
) -> tuple[Floats, Status]:
    """The minimum (n,) of one definite problem, begun with the limits that `start` (n,) is at; nothing is checked.

    It takes a fraction of the time of a ParametricQP that is used once.
    """
    if not len(H):
        return c, Status.SOLVED
    if rows is None and len(H) <= _SMALL:
        _, x, failed = dposv(H, -c)
        # The minimum without limits is the one within them if it is inside.
        if not failed and not np.count_nonzero(x <= low) and not np.count_nonzero(x >= high):
            return x, Status.SOLVED
    root = np.sqrt(H.diagonal())
    largest = root.max()
    shrink, by_root = root / largest, 1.0 / root
    stretch = by_root * largest
    A, lowest, highest = np.zeros((0, len(H))), low * shrink, high * shrink
    if rows is not None:
        A = rows.matrix * stretch
        length = np.linalg.norm(A, axis=1)
        length[length == 0.0] = 1.0
        A /= length[:, None]
        lowest = np.concatenate([lowest, np.maximum(rows.low / length, -_INFINITE)])
        highest = np.concatenate([highest, np.minimum(rows.high / length, _INFINITE)])
    scaled = H * by_root[:, None]
    scaled *= by_root
    slope = c * by_root
    slope /= largest
    x, _, flag, info = daqp.solve(
        scaled, slope, A, highest, lowest, primal_tol=1e-12, primal_start=start * shrink, **SETTINGS
    )
    if flag != _OPTIMAL:
        return start, Status.INFEASIBLE if flag in _INFEASIBLE else Status.OUT_OF_STEPS
    x = np.minimum(np.maximum(x * stretch, low), high)
    pressure = info["lam"][: len(x)]  # daqp meets a limit up to rounding
    np.copyto(x, high, where=pressure > 0.0)
    np.copyto(x, low, where=pressure < 0.0)
    return x, Status.SOLVED
