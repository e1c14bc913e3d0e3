"""Convex quadratic programs: min 1/2 x'Hx + c'x with bounds low <= x <= high and, if wanted, rows.

H need only be semidefinite. Where the minimum is not unique (dead or duplicate sliders, fewer pins than sliders) the
solution is the minimum nearest to `near`, which is 0 unless given. It is found by three (if it is far, up to thirty)
proximal steps x <- argmin cost + ridge/2 |x - x before|^2, with a ridge of 1e-8 of H's largest diagonal element, which
gives the nearest minimum to about 1e-6; directions with a curvature below the ridge count as flat. A definite H, with a
condition up to 1e11 once its diagonal is scaled to 1, needs no such steps; neither does one that is definite without
its dead sliders. The solution does not depend on the unit of the cost, nor, up to rounding, on earlier solves; x is
taken to be about 1, as weights are.
"""

from copy import copy
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats, frozen
from facewright.solve.hessian import ridge_for, symmetric
from facewright.solve.limits import RowLimits, limits, no_rows
from facewright.solve.optimality import QuadraticProgram
from facewright.solve.proximal import ProximalSteps
from facewright.solve.solution import Solution


class ParametricQP:
    """One Hessian, bounds and rows, factorised once, for a stream of linear terms; each solve starts from the last.

    `start`, a solution of a similar problem, gives the limits to try first: this saves time and changes nothing else.
    """

    _last: Solution | None

    def __init__(
        self,
        H: ArrayLike,
        low: ArrayLike,
        high: ArrayLike,
        *,
        rows: RowLimits | None = None,
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
        self._start(start)

    def plus(self, B: ArrayLike) -> "ParametricQP":
        """The same problem with 1/2 |B x|^2 added to the cost, B (k, n), starting from the last solution.

        It shares what is checked already with this one, and so takes a fraction of the time of a new problem.
        """
        added = floats("B", B, (None, len(self.H)))
        more = copy(self)
        vars(more).pop("_coarse", None)
        more.H = frozen(self.H + added.T @ added)
        more._unit = float(more.H.diagonal().max(initial=0.0))
        more._problem = replace(self._problem, H=more.H / (more._unit or 1.0))
        if self._ridge.any():
            more._ridge = ridge_for(more._problem.H)
        more._start(self._last)
        return more

    def solve(self, c: ArrayLike, *, near: ArrayLike | None = None) -> Solution:
        """The minimum for the linear term c (n,); where it is not unique, the one nearest to `near` (n,)."""
        n = len(self.H)
        c = floats("c", c, (n,))
        near = self._problem.inside(np.zeros(n) if near is None else floats("near", near, (n,)))
        unit = self._unit or float(np.abs(c).max(initial=0.0)) or 1.0
        found = self._fine.solve(c / unit, near)
        if not found.solved:  # rounding errors may have accumulated over earlier solves
            self._fine.restart()
            found = self._fine.solve(c / unit, near)
        if not found.solved:
            coarse = self._coarse.solve(c / unit, near)
            found = coarse if coarse.solved else found
        solution = self._last = self._in_units(found, unit)
        return solution

    def _start(self, start: Solution | None) -> None:
        # three steps leave (ridge / s)^3 of the distance along an eigenvalue s; with daqp's own tolerance of 1e-6 the
        # error of x would be 0.1 at condition 1e10
        self._fine = ProximalSteps(self._problem, self._ridge, steps=(3, 30), tolerance=1e-12)
        self._fine.restart(None if start is None else self._pressed(start))
        self._last = start

    @cached_property
    def _coarse(self) -> ProximalSteps:
        """For rows that are equal up to rounding, which the fine steps may take for contradictory."""
        steps = ProximalSteps(self._problem, np.where(self._ridge > 0.0, 1e-4, 0.0), steps=(10, 300), tolerance=1e-9)
        steps.restart()
        return steps

    def _in_units(self, found: Solution, unit: float) -> Solution:
        multipliers, rows = found.multipliers * unit, found.row_multipliers * unit / self._length
        return Solution(found.x, found.status, found.iterations, multipliers, rows)

    def _normalised(self) -> QuadraticProgram:
        rows, length = self.rows, self._length
        unit_rows = RowLimits(rows.matrix / length[:, None], rows.low / length, rows.high / length)
        return QuadraticProgram(self.H / (self._unit or 1.0), self.low, self.high, unit_rows)

    def _pressed(self, start: Solution) -> Floats:
        floats("multipliers of the start", start.multipliers, self.low.shape)
        floats("row multipliers of the start", start.row_multipliers, self.rows.low.shape)
        return np.concatenate([start.multipliers, start.row_multipliers])


def solve_qp(
    H: ArrayLike,
    c: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    rows: RowLimits | None = None,
    near: ArrayLike | None = None,
) -> Solution:
    """One problem, once: see ParametricQP."""
    return ParametricQP(H, low, high, rows=rows).solve(c, near=near)
