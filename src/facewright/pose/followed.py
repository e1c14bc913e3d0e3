"""A Follow wish solved: in closed form where its answer is within the limits, else as a QP."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from facewright.arrays import Floats, Ints
from facewright.pose.limits import Limits
from facewright.pose.terms import Follow
from facewright.solve.limits import Rows
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Status

_RANK = 1e-11  # reciprocal condition, and share of the largest eigenvalue, below which no point moves


class Followed:
    """Changes of `free` sliders that follow other weights; the rest of the sliders do what those weights do.

    `moves` (n,) is how much each slider moves the face, squared: the measure of what counts as no motion.
    """

    def __init__(self, follow: Follow, moves: Floats, free: Ints, limits: Limits) -> None:
        self._M, self._follow, self._free, self._limits = follow.curvature(), follow, free, limits
        self._own = np.setdiff1d(np.arange(len(moves)), free)
        self._inside = self._M[np.ix_(free, free)]
        self._apply = self._closed_form(moves[free])  # (n, n)
        self._qp = ParametricQP(self._inside, limits.low[free], limits.high[free])

    def solve(self, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        """The change (n,) for the change (n,) of the weights to follow."""
        change = self._apply @ wanted
        if limits.rows is None and (change >= limits.low).all() and (change <= limits.high).all():
            return change, Status.SOLVED
        return self._bounded(np.minimum(np.maximum(wanted, limits.low), limits.high), wanted, limits)

    def _bounded(self, near: Floats, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
        free, own = self._free, self._own
        c = self._follow.slope(wanted)[free] + self._M[np.ix_(free, own)] @ near[own]
        found = self._qp_within(limits, near[own]).solve(c, near=near[free])
        change = near.copy()
        change[free] = found.x
        return change, found.status

    def _qp_within(self, limits: Limits, own: Floats) -> ParametricQP:
        if limits.rows is None:
            return self._qp
        taken = limits.rows.matrix[:, self._own] @ own
        rows = Rows(limits.rows.matrix[:, self._free], limits.rows.low - taken, limits.rows.high - taken)
        return ParametricQP(self._inside, limits.low[self._free], limits.high[self._free], rows=rows)

    def _closed_form(self, moves: Floats) -> Floats:
        """M^-1 P, and the identity along directions that move no point at all."""
        free, own = self._free, self._own
        pull = self._follow.P[free].copy()
        pull[:, own] -= self._M[np.ix_(free, own)]
        inverse, still = _inverse(self._inside, moves)
        apply = np.eye(len(self._M))
        apply[free] = inverse @ pull
        apply[np.ix_(free, free)] += still
        return apply


def _inverse(M: Floats, moves: Floats) -> tuple[Floats, Floats]:
    """The inverse (f, f) of M, measured by moves (f,), and the projection on what it does not see."""
    if not len(M):
        return M, M
    unit = 1 / np.sqrt(np.where(moves > 0, moves, 1.0))
    scaled = unit[:, None] * M * unit
    factor, failed = lapack.dpotrf(scaled, lower=1)
    if not failed and lapack.dpocon(factor, np.abs(scaled).sum(axis=0).max(), uplo="L")[0] > _RANK:
        inverse = lapack.dpotri(factor, lower=1)[0]
        inverse = np.tril(inverse) + np.tril(inverse, -1).T
        return unit[:, None] * inverse * unit, np.zeros_like(M)
    values, vectors = np.linalg.eigh(scaled)
    seen = values > _RANK * max(values.max(), 0.0)
    moving, still = vectors[:, seen], vectors[:, ~seen]
    inverse = unit[:, None] * (moving / values[seen] @ moving.T) * unit
    return inverse, unit[:, None] * (still @ still.T) / unit
