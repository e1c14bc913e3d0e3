"""Triangles that a shape turned over, turned back by the smallest change of the surface about them that does it.

On a patch about them the change of gradients is minimised, with a price on every triangle that does not face the way
its neighbourhood was turned. The patch's border stays, and so do the gaps between points that touch; where these leave
no way, they may slide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import null_space, solve_triangular
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints
from facewright.build.edge_system import SOFTLY_CLOSED, EdgeSystem
from facewright.build.registration.quality import CRUSHED, growth, outward
from facewright.mesh.normals import triangle_normals
from facewright.mesh.triangle_frames import gradients

_LEFT = (0.3, 0.05)  # share of its area that a folded triangle is to have left; the less if that cannot be
_SAFE = 2 * CRUSHED  # and with which it passes: other neighbours, as of visible skin alone, judge a little differently
_FAR = 0.005  # of the size: no vertex is moved further
_RINGS = (3, 2, 5)  # about the triangles: sizes of the patch, in the order in which they are tried
_PRICE, _DEARER, _ROUNDS = 10.0, 4.0, 8  # of what a triangle lacks: at first, times so much in every round
_STEPS = 300
_WIDER = 0.02  # and by how much gaps may grow then
_SAME = 1e-6  # contacts that differ by less say the same
_BENT = 0.5  # a gradient's change; with less all about, no triangle is turned by more than 60 degrees against another
_LOOSE = 1e-9  # of the stiffness


class Folds:
    """Which triangles (t, 3) of a surface at rest (k, 3) are folded when posed: as `folded`, where something moved."""

    def __init__(self, rest: Floats, triangles: Ints) -> None:
        self.rest, self.triangles = rest, triangles

    def __call__(self, posed: Floats) -> Ints:
        """Rows (n,) of the triangles."""
        touched = self.touching((posed != self.rest).any(axis=1))
        change = gradients(self.rest, posed, self.triangles[touched]) - np.eye(3)
        bent: Ints = touched[np.linalg.norm(change, axis=(1, 2)) > _BENT]
        if not len(bent):
            return bent
        rows, wanted = self.about(self._corners(bent), posed)
        return rows[self.left(rows, wanted, posed) < CRUSHED]

    def about(self, moved: NDArray[np.bool_], posed: Floats) -> tuple[Ints, Floats]:
        """All triangles (n,) that vertices (k,) have a say in, and where they should face (n, 3), as in `outward`."""
        judged = self.touching(self._corners(self.touching(moved)))
        about = self.touching(self._corners(judged))
        wanted = outward(self.rest, posed, self.triangles[about]) / growth(self.rest, posed, self.triangles)
        return judged, wanted[np.searchsorted(about, judged)]

    def left(self, rows: Ints, wanted: Floats, posed: Floats) -> Floats:
        """The share of its area (n,) that each triangle has left, seen from where it should face (n, 3)."""
        return np.asarray((wanted * triangle_normals(posed, self.triangles[rows])).sum(axis=1))

    def touching(self, vertices: NDArray[np.bool_]) -> Ints:
        """Triangles (n,) with a corner among vertices (k,)."""
        return np.flatnonzero(vertices[self.triangles].any(axis=1))

    def _corners(self, rows: Ints) -> NDArray[np.bool_]:
        found = np.zeros(len(self.rest), bool)
        found[self.triangles[rows]] = True
        return found

    def clusters(self, rows: Ints, rings: int) -> Iterator[Ints]:
        """Vertices (n,) of each connected patch with so many rings about some triangles."""
        near = self._corners(rows)
        for _ in range(rings):
            near = self._corners(self.touching(near))
        inside = self.triangles[near[self.triangles].all(axis=1)]
        ends = inside[:, [0, 1, 1, 2]].reshape(-1, 2).T
        shape = (len(near), len(near))
        piece = connected_components(sp.csr_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=shape))[1]
        for one in np.unique(piece[near]):
            yield np.flatnonzero(piece == one)


class Unfolding:
    """What is needed for any shape of one surface."""

    def __init__(self, folds: Folds, system: EdgeSystem, size: float) -> None:
        self._folds, self._stiffness, self._far = folds, system.stiffness, _FAR * size

    def __call__(
        self, posed: Floats, movable: Ints, held: sp.csr_array | None = None, known: Ints | None = None
    ) -> Floats:
        """What to add (k, 3) to a posed surface (k, 3) so that no triangle is folded; all 0 where none is.

        movable: vertices that may move. held: differences (c, k) of points that touch. known: triangles that may
        be folded.
        """
        change = np.zeros_like(posed)
        for least, rings, firm in product(_LEFT, _RINGS, (True, False) if held is not None else (True,)):
            left = np.setdiff1d(self._folds(posed + change), () if known is None else known)
            if not len(left):
                break
            for cluster in self._folds.clusters(left, rings):
                free = np.intersect1d(cluster, movable)
                if not len(free):
                    continue
                patch = _Patch(self._folds, posed + change, free, known)
                tried = change.copy()
                tried[free] += patch.solved(_directions(self._stiffness, free, held, firm=firm), least)
                near = np.linalg.norm(tried[free], axis=1).max() < self._far
                fewer = patch.folded(posed + tried) < patch.folded(posed + change)
                if near and fewer and (firm or _closed(held, posed, posed + tried)):
                    change = tried
        return change


class _Patch:
    """Some free vertices (f,) of a posed surface, all others fixed."""

    def __init__(self, folds: Folds, posed: Floats, free: Ints, known: Ints | None) -> None:
        self.free, self._folds, self._posed = free, folds, posed
        self._known = np.zeros(0, np.int64) if known is None else known
        self._is_free = np.zeros(len(posed), bool)
        self._is_free[free] = True
        self._moving = np.setdiff1d(folds.touching(self._is_free), self._known)  # (m,) triangles
        self._areas = np.linalg.norm(triangle_normals(folds.rest, folds.triangles[self._moving]), axis=1)

    def folded(self, posed: Floats) -> int:
        """How many triangles that this patch has a say in are folded in a pose."""
        return int((self._left(posed)[1] < CRUSHED).sum())

    def _left(self, posed: Floats) -> tuple[Floats, Floats]:
        """Where moving triangles should face (m, 3), and the shares left of all that the patch has a say in."""
        rows, wanted = self._folds.about(self._is_free, posed)
        ours = ~np.isin(rows, self._known)
        rows, wanted = rows[ours], wanted[ours]
        return wanted[np.searchsorted(rows, self._moving)], self._folds.left(rows, wanted, posed)

    def solved(self, directions: Floats, least: float) -> Floats:
        """How far (f, 3) the free vertices go, by directions (f, d) of which each costs the same.

        What is folded is to have so much of its area left at least, and nothing else to lose what it has of that.
        """
        unit = float(np.sqrt(self._areas.mean())) if len(self._areas) else 0.0
        z, posed, price = np.zeros((directions.shape[1], 3)), self._posed.copy(), _PRICE
        wanted, left = self._left(posed)
        had = self._folds.left(self._moving, wanted, posed)
        goal = np.where(had < _SAFE, least, np.clip(had, _LEFT[-1], least))
        for _ in range(_ROUNDS if z.size and unit else 0):
            if left.min() > _SAFE and (self._folds.left(self._moving, wanted, posed) > 0.5 * goal).all():
                break
            cost = self._cost(unit * directions, wanted, price * self._areas / unit**2, goal)
            found = minimize(cost, z.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
            z, price = np.asarray(found.x).reshape(-1, 3), price * _DEARER
            posed[self.free] = self._posed[self.free] + unit * directions @ z
            wanted, left = self._left(posed)
        return np.asarray(unit * directions @ z)

    def _cost(
        self, directions: Floats, wanted: Floats, prices: Floats, goal: Floats
    ) -> Callable[[Floats], tuple[float, Floats]]:
        """The cost of going some way (3d,) in all directions (f, d), and its slope, while turns stay as they are."""
        corners = self._folds.triangles[self._moving].ravel()
        row = np.full(len(self._posed), -1)
        row[self.free] = np.arange(len(self.free))
        reach = np.where((row[corners] >= 0)[:, None], directions[row[corners]], 0.0)  # (3m, d)
        start = self._posed[corners]

        def cost(flat: Floats) -> tuple[float, Floats]:
            z = flat.reshape(-1, 3)
            a, b, c = (start + reach @ z).reshape(-1, 3, 3).swapaxes(0, 1)
            lack = np.maximum(0.0, goal - (wanted * np.cross(b - a, c - a)).sum(axis=1))
            pull = -(prices * lack)[:, None] * wanted
            to_b, to_c = np.cross(c - a, pull), np.cross(pull, b - a)
            slope = z + reach.T @ np.stack([-to_b - to_c, to_b, to_c], axis=1).reshape(-1, 3)
            return 0.5 * float((flat**2).sum() + (prices * lack**2).sum()), slope.ravel()

        return cost


def _directions(stiffness: sp.csr_array, free: Ints, held: sp.csr_array | None, *, firm: bool) -> Floats:
    """Ways (f, d) for free vertices to go that cost the same: what gradients change, and held gaps if not firm.

    Firm, gaps do not change at all; where all vertices touch something, that leaves too few ways.
    """
    stiff, keeping = stiffness[free][:, free].toarray(), np.eye(len(free))
    usual = float(np.diagonal(stiff).mean())
    rows = np.zeros((0, len(free))) if held is None else held[:, free].toarray()
    rows = rows[np.abs(rows).max(axis=1, initial=0.0) > _SAME]
    if len(rows) and firm:
        keeping = null_space(rows, rcond=_SAME)
    elif len(rows):
        stiff += SOFTLY_CLOSED * usual * rows.T @ rows
    # A piece that is free as a whole has no stiffness against its shifts.
    factor = np.linalg.cholesky(keeping.T @ stiff @ keeping + _LOOSE * usual * np.eye(keeping.shape[1]))
    return np.asarray(solve_triangular(factor, keeping.T, lower=True).T)


def _closed(held: sp.csr_array | None, before: Floats, after: Floats) -> bool:
    """Whether gaps are as small as before, in the mean and the largest."""
    if held is None:
        return True
    was, now = (np.linalg.norm(held @ posed, axis=1) for posed in (before, after))
    return bool(now.mean() <= (1 + _WIDER) * was.mean() and now.max() <= (1 + _WIDER) * was.max())
