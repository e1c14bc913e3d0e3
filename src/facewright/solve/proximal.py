"""Proximal steps: a convex problem without a unique minimum, solved as a few definite ones."""

import numpy as np

from facewright.arrays import Floats
from facewright.solve.dual import DualActiveSet, DualResult
from facewright.solve.optimality import QuadraticProgram
from facewright.solve.solution import Solution, Status


class ProximalSteps:
    """x <- argmin 1/2 x'Hx + c'x + 1/2 |x - x before|^2 weighted by the ridge (n,); one step if the ridge is 0.

    `tolerance` is how far daqp may miss a limit, in rows scaled by the Cholesky factor.
    """

    def __init__(self, problem: QuadraticProgram, ridge: Floats, *, steps: tuple[int, int], tolerance: float) -> None:
        self._problem, self._ridge = problem, ridge
        self._least, self._most = steps if ridge.any() else (1, 1)
        rows = problem.rows
        low, high = np.concatenate([problem.low, rows.low]), np.concatenate([problem.high, rows.high])
        self._active_set = DualActiveSet(problem.H + np.diag(ridge), rows.matrix, low, high, tolerance=tolerance)

    def restart(self, pressed: Floats | None = None) -> None:
        """Forget the last solve; the next one starts with the limits on which `pressed` (n + r,) is not 0."""
        self._active_set.restart(pressed)

    def solve(self, c: Floats, near: Floats) -> Solution:
        """The minimum for c (n,) reached from `near` (n,), which is inside the bounds."""
        x, iterations, status = near, 0, Status.OUT_OF_STEPS
        for step in range(1, self._most + 1):
            found = self._active_set.solve(c - self._ridge * x)
            iterations += found.iterations
            if not found.optimal:
                return _failed(x, found, iterations)
            x = self._snapped(found)
            status = self._problem.status(x, c, found.row_multipliers) if step >= self._least else status
            if status is Status.SOLVED:
                break
        return Solution(x, status, iterations, found.multipliers, found.row_multipliers)

    def _snapped(self, found: DualResult) -> Floats:
        """X moved exactly to the bounds with a multiplier, which daqp meets up to rounding."""
        np.copyto(found.x, self._problem.high, where=found.multipliers > 0.0)
        np.copyto(found.x, self._problem.low, where=found.multipliers < 0.0)
        return self._problem.inside(found.x)


def _failed(x: Floats, found: DualResult, iterations: int) -> Solution:
    status = Status.INFEASIBLE if found.infeasible else Status.OUT_OF_STEPS
    return Solution(x, status, iterations, np.zeros(len(x)), np.zeros(len(found.row_multipliers)))
