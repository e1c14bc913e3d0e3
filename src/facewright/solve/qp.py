"""Convex quadratic programs: min 1/2 x'Hx + c'x with bounds low <= x <= high and, if wanted, rows.

H need only be semidefinite. Where it leaves the minimum open (dead or duplicate sliders, fewer pins than sliders) the
answer is the minimum nearest to `near`, which is 0 unless given: three (if it is far, up to thirty) proximal steps
x <- argmin cost + ridge/2 |x - x before|^2 from there, with a ridge of 1e-8 of H's largest diagonal element. That is
the nearest minimum to about 1e-6; a direction whose curvature is below the ridge counts as open. A definite H, up to
a condition of 1e11 once its diagonal is scaled to 1, is solved as it stands, and so is what is left of H without dead
sliders if that is definite. Nothing depends on the unit of the cost, and but for rounding nothing on earlier solves;
x is taken to be about 1, as weights are.
"""

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.solve.dual import DualActiveSet, Outcome
from facewright.solve.hessian import ridge_for, symmetric
from facewright.solve.limits import Rows, limits, no_rows
from facewright.solve.optimality import Problem
from facewright.solve.solution import Solution, Status

_PROXIMAL_STEPS = 3, 30  # at least, which leaves (ridge / s)^3 of the way along an eigenvalue s, and at most


class ParametricQP:
    """One Hessian, bounds and rows, factorised once, for a stream of linear terms; each solve starts from the last.

    `start`, a solution of a similar problem, says which limits to try first: it saves time and changes nothing else.
    """

    def __init__(
        self,
        H: ArrayLike,
        low: ArrayLike,
        high: ArrayLike,
        *,
        rows: Rows | None = None,
        start: Solution | None = None,
    ) -> None:
        self.H = symmetric(H)  # (n, n)
        n = len(self.H)
        self.low, self.high = limits("bound", low, high, n)  # (n,), (n,)
        self.rows = no_rows(n) if rows is None else rows
        floats("matrix of the rows", self.rows.matrix, (None, n))
        self._unit = float(self.H.diagonal().max(initial=0.0))  # of the cost; 0: a linear program
        length = np.linalg.norm(self.rows.matrix, axis=1)
        self._length = np.where(length > 0.0, length, 1.0)  # (r,)
        self._problem = self._normalised()
        self._ridge = ridge_for(self._problem.H)  # (n,)
        self._steps = _PROXIMAL_STEPS if self._ridge.any() else (1, 1)
        self._active_set = self._prepared(start)
        self._last = start

    def plus(self, B: ArrayLike) -> "ParametricQP":
        """The same problem with 1/2 |B x|^2 added to the cost, B (k, n), starting from the last solution."""
        added = floats("B", B, (None, len(self.H)))
        return ParametricQP(self.H + added.T @ added, self.low, self.high, rows=self.rows, start=self._last)

    def solve(self, c: ArrayLike, *, near: ArrayLike | None = None) -> Solution:
        """The minimum for the linear term c (n,); where it is not unique, the one nearest to `near` (n,)."""
        n = len(self.H)
        c = floats("c", c, (n,))
        near = self._problem.inside(np.zeros(n) if near is None else floats("near", near, (n,)))
        self._last = self._attempt(c, near)
        if not self._last.solved:  # rounding gathered along a stream may be to blame
            self._active_set.restart()
            self._last = self._attempt(c, near)
        return self._last

    def _normalised(self) -> Problem:
        rows, length = self.rows, self._length
        unit_rows = Rows(rows.matrix / length[:, None], rows.low / length, rows.high / length)
        return Problem(self.H / (self._unit or 1.0), self.low, self.high, unit_rows)

    def _prepared(self, start: Solution | None) -> DualActiveSet:
        H, rows = self._problem.H + np.diag(self._ridge), self._problem.rows
        low, high = np.concatenate([self.low, rows.low]), np.concatenate([self.high, rows.high])
        active_set = DualActiveSet(H, rows.matrix, low, high)
        active_set.restart(None if start is None else self._pressed(start))
        return active_set

    def _pressed(self, start: Solution) -> Floats:
        floats("multipliers of the start", start.multipliers, self.low.shape)
        floats("row multipliers of the start", start.row_multipliers, self.rows.low.shape)
        return np.concatenate([start.multipliers, start.row_multipliers])

    def _attempt(self, c: Floats, near: Floats) -> Solution:
        unit = self._unit or float(np.abs(c).max(initial=0.0)) or 1.0
        least, most = self._steps
        c, x, iterations, status = c / unit, near, 0, Status.OUT_OF_STEPS
        for step in range(1, most + 1):
            found = self._active_set.solve(c - self._ridge * x)
            iterations += found.iterations
            if not found.optimal:
                return self._failed(x, found, iterations)
            x = self._snapped(found)
            status = self._problem.status(x, c, found.row_multipliers) if step >= least else status
            if status is Status.SOLVED:
                break
        return Solution(x, status, iterations, found.multipliers * unit, found.row_multipliers * unit / self._length)

    def _snapped(self, found: Outcome) -> Floats:
        """Exactly on the bounds that press, where daqp is so but for the last bits."""
        np.copyto(found.x, self.high, where=found.multipliers > 0.0)
        np.copyto(found.x, self.low, where=found.multipliers < 0.0)
        return self._problem.inside(found.x)

    def _failed(self, x: Floats, found: Outcome, iterations: int) -> Solution:
        status = Status.INFEASIBLE if found.infeasible else Status.OUT_OF_STEPS
        return Solution(x, status, iterations, np.zeros(len(x)), np.zeros(len(self._length)))


def solve_qp(
    H: ArrayLike,
    c: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    rows: Rows | None = None,
    near: ArrayLike | None = None,
) -> Solution:
    """One problem, once: see ParametricQP."""
    return ParametricQP(H, low, high, rows=rows).solve(c, near=near)
