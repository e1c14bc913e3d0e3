"""Step B: weights from shapes, pose by pose (Li 2010, sec. 3), as a QP within the sliders' bounds.

min |D c(a) - motion|^2 + gamma sum k d (a - a*)^2, where d is each slider's own element of the diagonal of D^T D, so
that gamma has no unit and small shapes are as free as large ones (with the mean of the diagonal the weights of small
shapes would stay at their guesses); k is larger for sliders that the guess leaves off. Of an exclusive pair at most one
is on: where the optimum has both, each is tried without the other, which is the limit of the paper's penalty.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.build.mesh_rows import MeshRows
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.solve.dual import solve_definite
from facewright.solve.inner_products import inner_products
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Status
from facewright.terms.bent_poses import BentPoses, PoseTargets
from facewright.terms.limits import Limits

IDLE = 100.0  # factor on the penalty of sliders that the guess leaves off; chosen on known shapes, docs/building.md
ON = 1e-9
_FAINT = 1e-3  # of the mean diagonal of D^T D: keeps sliders that move almost nothing from being set by rounding
_ESCAPES = 3  # times that a slider may go past a knot after them
_STEPS = 12  # Gauss-Newton steps where shapes have in-betweens or sliders combine


class WeightStep:
    """The shapes of one iteration, prepared for all poses."""

    def __init__(self, template: Rig, deltas: Floats, *, gamma: float) -> None:
        self._combine = Combine(template)
        self._bounds = template.bounds
        self._pairs = [tuple(template.slider_index(name) for name in pair) for pair in template.exclusive]
        self._deltas = deltas.reshape(len(deltas), -1)  # (s, 3v)
        self._gram = inner_products(self._deltas, self._deltas)  # (s, s)
        amounts = self._gram.diagonal()
        self._amounts = np.maximum(amounts, _FAINT * amounts.mean()) if len(deltas) else amounts  # (s,)
        drives = np.abs(self._combine.jacobian(template.bounds[:, 1])) > 0  # (s, n)
        pull = gamma * (drives * self._amounts[:, None]).max(axis=0, initial=0.0)  # (n,)
        self._pull = np.maximum(pull, gamma * _FAINT * amounts.mean()) if len(deltas) else pull
        slopes = self._combine.straight_slopes
        self._straight = slopes, slopes.T @ self._gram @ slopes  # (s, n), (n, n)
        self._mesh = None if template.is_linear else MeshRows(self._gram)

    def __call__(self, motions: Floats, guesses: Floats, start: Floats) -> Floats:
        """Weights (m, n) for motions (m, v, 3), with no higher energy than the start (m, n)."""
        rows = zip(self.products(motions), guesses, start, strict=True)
        return np.array([self._pose(*row) for row in rows]).reshape(guesses.shape)

    def values(self, weights: Floats) -> Floats:
        """Shape values (m, s) of weights (m, n)."""
        return self._combine(weights)

    def energy(self, weights: Floats, product: Floats, guess: Floats) -> float:
        """The minimised energy of one pose, without the square of its motion."""
        values = self._combine(weights)
        apart = self._firmness(guess) * (weights - guess) ** 2
        return float(values @ self._gram @ values - 2 * product @ values + apart.sum())

    def products(self, motions: Floats) -> Floats:
        """Inner products (m, s) of every motion (m, v, 3) with every shape."""
        return inner_products(motions.reshape(len(motions), -1), self._deltas)

    def _firmness(self, guess: Floats) -> Floats:
        return np.asarray(self._pull * np.where(np.abs(guess) > ON, 1.0, IDLE))

    def _pose(self, product: Floats, guess: Floats, start: Floats) -> Floats:
        low, high = self._bounds.T
        best = self._within(product, guess, start, low, high)
        for _ in self._pairs:
            clash = self._clash(best)
            if clash is None:
                break
            sides = [self._without(product, guess, best, low, high, off) for off in clash]
            best, low, high = min(sides, key=lambda side: self.energy(side[0], product, guess))
        return best

    def _clash(self, weights: Floats) -> tuple[int, ...] | None:
        both = [pair for pair in self._pairs if all(abs(weights[i]) > ON for i in pair)]
        return max(both, key=lambda pair: abs(weights[pair[0]] * weights[pair[1]]), default=None)

    def _without(
        self, product: Floats, guess: Floats, start: Floats, low: Floats, high: Floats, off: int
    ) -> tuple[Floats, Floats, Floats]:
        """The best weights with one slider off, and the bounds that keep it off."""
        low, high = low.copy(), high.copy()
        low[off] = high[off] = np.clip(0.0, low[off], high[off])
        return self._within(product, guess, start, low, high), low, high

    def _within(self, product: Floats, guess: Floats, start: Floats, low: Floats, high: Floats) -> Floats:
        firmness, (slopes, H) = self._firmness(guess), self._straight
        if self._mesh is None:
            H, slope = H + np.diag(firmness), -product @ slopes - firmness * guess
            if firmness.min(initial=np.inf) > 0:
                found, status = solve_definite(H, slope, low, high, start=np.clip(guess, low, high))
                if status is Status.SOLVED:
                    return found
            return ParametricQP(H, low, high).solve(slope, near=guess).x
        poses = BentPoses(self._combine, self._mesh.rows, Limits(low, high), steps=_STEPS, escapes=_ESCAPES)
        wanted = self._mesh.wanted(product[None])
        targets = PoseTargets(wanted, np.zeros_like(H), -(firmness * guess)[None], firmness[None])
        starts = (np.clip(one, low, high)[None] for one in (start, guess))
        return min((poses(targets, one)[0] for one in starts), key=lambda x: self.energy(x, product, guess))
