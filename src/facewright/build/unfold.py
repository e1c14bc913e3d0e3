"""Removes folds: triangles that a shape turned over are turned back by the smallest change of the surface around them.

On a patch around them the change of gradients is minimised, with a penalty on every triangle that does not face the way
its neighbourhood was rotated. The border of the patch is fixed, and so are the gaps between points that touch; if that
allows no solution, these points may slide.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product

import numpy as np
import scipy.sparse as sp
from scipy.linalg import null_space, solve_triangular

from facewright.arrays import Floats, Ints
from facewright.build.edge_system import SOFTLY_CLOSED, EdgeSystem
from facewright.build.folds import Folds, FoldTest
from facewright.build.registration.quality import CRUSHED
from facewright.mesh.normals import cross

_LEFT = (0.3, 0.05)  # share of its area that an unfolded triangle must keep; the second is tried if the first fails
# share with which a triangle passes; other neighbourhoods, as that of visible skin alone, give slightly other values
_SAFE = 2 * CRUSHED
_FAR = 0.005  # of the size: the largest motion of a vertex
_LOST = 2.0  # of the largest motion: a search that went so far does not come back with a higher penalty
_RINGS = (3, 2, 5)  # rings of triangles in a patch, in the order in which they are tried
_PRICE, _DEARER, _ROUNDS = 10.0, 4.0, 8  # penalty on missing area: first value, factor per round, number of rounds
_STEPS = 300
_PATCH = 120  # free vertices: larger patches take seconds, and are tried only where time is given
_WIDER = 0.02  # share by which gaps may grow if points slide
_SAME = 1e-6  # contacts that differ by less are equal
_LOOSE = 1e-9  # of the stiffness


class Unfolding:
    """Removes the folds of any shape of one surface."""

    def __init__(self, folds: Folds, system: EdgeSystem, size: float) -> None:
        self._folds, self._stiffness, self._far = folds, system.stiffness, _FAR * size

    def __call__(
        self,
        posed: Floats,
        movable: Ints,
        held: sp.csr_array | None = None,
        known: Ints | None = None,
        *,
        folded: Ints | None = None,
        thorough: bool = True,
    ) -> Floats:
        """Offsets (k, 3) to add to a posed surface (k, 3) so that no triangle is folded; 0 where none is.

        movable: vertices that may move. held: differences (c, k) of points that touch. known: triangles that may stay
        folded. folded: all that are folded, if that is known. thorough: try large patches, too, and others where the
        first do not suffice.
        """
        change, may = np.zeros_like(posed), np.zeros(0, np.int64) if known is None else known
        left = np.setdiff1d(self._folds(posed) if folded is None else folded, may)
        growth = self._folds.growth(posed) if len(left) else 1.0
        ways = product(_LEFT, _RINGS, (True, False) if held is not None else (True,))
        for number, (least, rings, firm) in enumerate(ways if thorough else islice(ways, 1)):
            if number and change.any():
                left = np.setdiff1d(self._folds(posed + change), may)
            if not len(left):
                break
            for cluster in self._folds.clusters(left, rings):
                free = np.intersect1d(cluster, movable)
                if not len(free) or (not thorough and len(free) > _PATCH):
                    continue
                patch = _Patch(self._folds, posed + change, free, may, growth)
                tried = change.copy()
                tried[free] += patch.solved(_directions(self._stiffness, free, held, firm=firm), least, self._far)
                near = np.linalg.norm(tried[free], axis=1).max() < self._far
                fewer = patch.folded(posed + tried) < patch.folded(posed + change)
                if near and fewer and (firm or _closed(held, posed, posed + tried)):
                    change = tried
        return change


class _Patch:
    """Some free vertices (f,) of a posed surface; all others are fixed."""

    def __init__(self, folds: Folds, posed: Floats, free: Ints, known: Ints, growth: float) -> None:
        self.free, self._posed, self._growth = free, posed, growth
        moving = folds.touching(free)
        # a triangle that moves changes how its neighbours should face
        self._test = FoldTest(folds, np.setdiff1d(folds.touching(folds.corners(moving)), known))
        self._moving = np.flatnonzero(np.isin(self._test.judged, moving))  # (m,) of the tested triangles
        rows = self._test.judged[self._moving]
        self._corners, self._areas = folds.triangles[rows], folds.areas[rows]

    def folded(self, posed: Floats) -> int:
        """The number of folded triangles in a pose whose test depends on this patch."""
        return len(self._test.folded(posed, self._growth))

    def solved(self, directions: Floats, least: float, far: float) -> Floats:
        """How far (f, 3) the free vertices move, in directions (f, d) of equal cost.

        Folded triangles must keep at least the share `least` of their area; others must not lose what they have below
        it. The search ends early where a vertex moves much further than `far`.
        """
        unit = float(np.sqrt(self._areas.mean())) if len(self._areas) else 0.0
        z, posed, price = np.zeros((directions.shape[1], 3)), self._posed.copy(), _PRICE
        wanted = self._test.outward(posed, self._growth)
        left = self._test.left(wanted, posed)
        had = left[self._moving]
        goal = np.where(had < _SAFE, least, np.clip(had, _LEFT[-1], least))
        for _ in range(_ROUNDS if z.size and unit else 0):
            if left.min() > _SAFE and (left[self._moving] > 0.5 * goal).all():
                break
            cost = self._cost(unit * directions, wanted[self._moving], price * self._areas / unit**2, goal)
            from scipy.optimize import minimize  # takes a while to load, and is rarely needed

            found = minimize(cost, z.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
            z, price = np.asarray(found.x).reshape(-1, 3), price * _DEARER
            moved = unit * directions @ z
            if np.linalg.norm(moved, axis=1).max() > _LOST * far:
                break
            posed[self.free] = self._posed[self.free] + moved
            wanted = self._test.outward(posed, self._growth)
            left = self._test.left(wanted, posed)
        return np.asarray(unit * directions @ z)

    def _cost(
        self, directions: Floats, wanted: Floats, prices: Floats, goal: Floats
    ) -> Callable[[Floats], tuple[float, Floats]]:
        """The cost, and its gradient, of moving by amounts (3d,) along the directions (f, d), with the rotations held
        fixed.
        """
        corners = self._corners.ravel()
        row = np.full(len(self._posed), -1)
        row[self.free] = np.arange(len(self.free))
        reach = np.where((row[corners] >= 0)[:, None], directions[row[corners]], 0.0)  # (3m, d)
        start = self._posed[corners]

        def cost(flat: Floats) -> tuple[float, Floats]:
            """The cost and its gradient at these amounts (3d,)."""
            z = flat.reshape(-1, 3)
            a, b, c = (start + reach @ z).reshape(-1, 3, 3).swapaxes(0, 1)
            lack = np.maximum(0.0, goal - (wanted * cross(b - a, c - a)).sum(axis=1))
            pull = -(prices * lack)[:, None] * wanted
            to_b, to_c = cross(c - a, pull), cross(pull, b - a)
            slope = z + reach.T @ np.stack([-to_b - to_c, to_b, to_c], axis=1).reshape(-1, 3)
            return 0.5 * float((flat**2).sum() + (prices * lack**2).sum()), slope.ravel()

        return cost


def _directions(stiffness: sp.csr_array, free: Ints, held: sp.csr_array | None, *, firm: bool) -> Floats:
    """Directions (f, d) of equal cost for the free vertices, by the change of gradients and, if not firm, of held gaps.

    With `firm` the gaps do not change at all; where all vertices touch something, that leaves too few directions.
    """
    stiff, keeping = stiffness[free][:, free].toarray(), np.eye(len(free))
    usual = float(np.diagonal(stiff).mean())
    rows = np.zeros((0, len(free))) if held is None else held[:, free].toarray()
    rows = rows[np.abs(rows).max(axis=1, initial=0.0) > _SAME]
    if len(rows) and firm:
        keeping = null_space(rows, rcond=_SAME)
    elif len(rows):
        stiff += SOFTLY_CLOSED * usual * rows.T @ rows
    # A piece without fixed vertices has no stiffness against translation.
    factor = np.linalg.cholesky(keeping.T @ stiff @ keeping + _LOOSE * usual * np.eye(keeping.shape[1]))
    return np.asarray(solve_triangular(factor, keeping.T, lower=True).T)


def _closed(held: sp.csr_array | None, before: Floats, after: Floats) -> bool:
    """Whether mean and largest gap are as small as before, up to the tolerance."""
    if held is None:
        return True
    was, now = (np.linalg.norm(held @ posed, axis=1) for posed in (before, after))
    return bool(now.mean() <= (1 + _WIDER) * was.mean() and now.max() <= (1 + _WIDER) * was.max())
