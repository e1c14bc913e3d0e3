"""Sliders that follow other weights but spare selected points (Lewis 2005, eq. 2): in closed form, or as a QP."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import lapack

from facewright.arrays import Floats, Ints
from facewright.solve.limits import RowLimits
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Solution, Status
from facewright.terms.limits import Limits

_RANK = 1e-11  # reciprocal condition, and share of the largest eigenvalue, below which no point moves
_FAINT = 1e-4  # sliders that move the face less than this share of the largest motion count as this share


@dataclass(frozen=True, eq=False)
class Follow:
    """1/2 (x - wanted)' P (x - wanted) + alpha/2 x'Qx, in changes x of the sliders."""

    P: Floats  # (n, n) over the coordinates that are not selected
    Q: Floats  # (n, n) over those that are
    alpha: float

    def curvature(self) -> Floats:
        """(n, n)."""
        return self.P + self.alpha * self.Q

    def cost(self, wanted: Floats, change: Floats) -> float:
        """Of a change (n,), for a change (n,) of the weights to follow."""
        off = change - wanted
        return float(off @ self.P @ off + self.alpha * change @ self.Q @ change) / 2

    def slope(self, wanted: Floats) -> Floats:
        """At x = 0 (n,), for a change (n,) of the weights to follow."""
        return np.asarray(-self.P @ wanted)


class FollowSolver:
    """Changes of `free` sliders that follow other weights; the rest of the sliders do what those weights do.

    `lengths` (n,) is how far each slider moves the face. Unknowns are measured by it, so that sliders with a small
    effect are not taken for ones without any.
    """

    def __init__(self, follow: Follow, lengths: Floats, free: Ints, limits: Limits) -> None:
        self._M, self._follow, self._free, self._limits = follow.curvature(), follow, free, limits
        self._own = np.setdiff1d(np.arange(len(lengths)), free)
        largest = lengths.max(initial=0.0) or 1.0
        self._unit = 1 / np.maximum(lengths[free] / largest, _FAINT)  # (f,) x = unit * unknown
        self._inside = self._unit[:, None] * self._M[np.ix_(free, free)] * self._unit
        self._apply = self._closed_form()  # (n, n)
        self._qp = self._within(limits)

    def solve(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) for the change (n,) of the weights to follow."""
        change = self._apply @ wanted
        if limits.rows is None and (change >= limits.low).all() and (change <= limits.high).all():
            return change, Status.SOLVED
        return self._bounded(np.minimum(np.maximum(wanted, limits.low), limits.high), wanted, limits)

    def corrected(self, slope: Floats, change: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) of a cost that has this slope (n,) at a change (n,), and the curvature of this one."""
        free, unit = self._free, self._unit
        c = unit * slope[free] - self._inside @ (change[free] / unit)
        qp = self._correcting if limits is self._limits else self._within(limits, change[self._own])
        return self._found(qp.solve(c, near=change[free] / unit), change, limits)

    @cached_property
    def _correcting(self) -> ParametricQP:
        """The same problem as `_qp`, for corrections: each starts from its own last solution."""
        return self._within(self._limits)

    def _bounded(self, near: Floats, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        free, own, unit = self._free, self._own, self._unit
        c = self._follow.slope(wanted)[free] + self._M[np.ix_(free, own)] @ near[own]
        qp = self._qp if limits is self._limits else self._within(limits, near[own])
        return self._found(qp.solve(unit * c, near=near[free] / unit), near, limits)

    def _found(self, solution: Solution, near: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) of a solution for the free sliders; the others are as in `near` (n,)."""
        change, free = near.copy(), self._free
        change[free] = np.minimum(np.maximum(self._unit * solution.x, limits.low[free]), limits.high[free])
        return change, solution.status

    def _within(self, limits: Limits, own: Floats | None = None) -> ParametricQP:
        low, high = limits.low[self._free] / self._unit, limits.high[self._free] / self._unit
        if limits.rows is None or own is None:
            return ParametricQP(self._inside, low, high)
        taken = limits.rows.matrix[:, self._own] @ own
        matrix = limits.rows.matrix[:, self._free] * self._unit
        return ParametricQP(
            self._inside, low, high, rows=RowLimits(matrix, limits.rows.low - taken, limits.rows.high - taken)
        )

    def _closed_form(self) -> Floats:
        """M^-1 P, and the identity along directions that move no point at all."""
        free, own, unit = self._free, self._own, self._unit
        pull = self._follow.P[free].copy()
        pull[:, own] -= self._M[np.ix_(free, own)]
        inverse, still = _inverse(self._inside)
        apply = np.eye(len(self._M))
        apply[free] = unit[:, None] * (inverse @ (unit[:, None] * pull))
        apply[np.ix_(free, free)] += unit[:, None] * still / unit
        return apply


def _inverse(M: Floats) -> tuple[Floats, Floats]:
    """The inverse of M (f, f) on its range, and the projection on its null space."""
    if not len(M):
        return M, M
    factor, failed = lapack.dpotrf(M, lower=1)
    if not failed and lapack.dpocon(factor, np.abs(M).sum(axis=0).max(), uplo="L")[0] > _RANK:
        half = lapack.dpotri(factor, lower=1)[0]
        return np.tril(half) + np.tril(half, -1).T, np.zeros_like(M)
    values, vectors = np.linalg.eigh(M)
    seen = values > _RANK * max(values.max(), 0.0)
    moving, still = vectors[:, seen], vectors[:, ~seen]
    return moving / values[seen] @ moving.T, still @ still.T
