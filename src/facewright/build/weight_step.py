"""Step B: weights from shapes, pose by pose (Li 2010, sec. 3), as a QP within the sliders' bounds.

min |D c(a) - motion|^2 + gamma sum k d (a - a*)^2, where d is each slider's own element of the diagonal of D^T D, so
that gamma has no unit and small shapes are as free as large ones (with the mean of the diagonal the weights of small
shapes would stay at their guesses); k is larger for sliders that the guess leaves off. Of an exclusive pair at most one
is on: where the optimum has both, each is tried without the other, which is the limit of the paper's penalty.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from facewright.arrays import Floats
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.solve.qp import ParametricQP

IDLE = 100.0  # factor on the penalty of sliders that the guess leaves off; chosen on known shapes, docs/building.md
ON = 1e-9
_FAINT = 1e-3  # of the mean diagonal of D^T D: keeps sliders that move almost nothing from being set by rounding
_STEPS = 8  # Gauss-Newton steps where sliders combine
_HALVINGS = 12


class WeightStep:
    """The shapes of one iteration, prepared for all poses."""

    def __init__(self, template: Rig, deltas: Floats, *, gamma: float) -> None:
        self._combine, self._linear = Combine(template), template.is_linear
        self._bounds = template.bounds
        self._pairs = [tuple(template.slider_index(name) for name in pair) for pair in template.exclusive]
        self._deltas = deltas.reshape(len(deltas), -1)  # (s, 3v)
        self._gram = self._deltas @ self._deltas.T  # (s, s)
        amounts = self._gram.diagonal()
        self._amounts = np.maximum(amounts, _FAINT * amounts.mean()) if len(deltas) else amounts  # (s,)
        self._slopes = np.abs(self._combine.jacobian(template.bounds[:, 1])) > 0  # (s, n)
        self._pull = gamma * (self._slopes * self._amounts[:, None]).max(axis=0, initial=0.0)  # (n,)

    def __call__(self, motions: Floats, guesses: Floats, start: Floats) -> Floats:
        """Weights (m, n) for motions (m, v, 3), with no higher energy than the start (m, n)."""
        products = motions.reshape(len(motions), -1) @ self._deltas.T  # (m, s)
        rows = zip(products, guesses, start, strict=True)
        return np.array([self._pose(*row) for row in rows]).reshape(guesses.shape)

    def energy(self, weights: Floats, product: Floats, guess: Floats) -> float:
        """The minimised energy of one pose, without the square of its motion."""
        values = self._combine(weights)
        apart = self._firmness(guess) * (weights - guess) ** 2
        return float(values @ self._gram @ values - 2 * product @ values + apart.sum())

    def products(self, motions: Floats) -> Floats:
        """Inner products (m, s) of every motion (m, v, 3) with every shape."""
        return np.asarray(motions.reshape(len(motions), -1) @ self._deltas.T)

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
        weights = np.clip(start, low, high)
        firmness = self._firmness(guess)
        for _ in range(1 if self._linear else _STEPS):
            slopes = self._combine.jacobian(weights)  # (s, n)
            H = slopes.T @ self._gram @ slopes
            toward = slopes.T @ (self._gram @ self._combine(weights) - product)
            c = toward - H @ weights - firmness * guess
            found = ParametricQP(H + np.diag(firmness), low, high).solve(c, near=guess).x
            better = self._no_worse(weights, found, product, guess)
            if better is None:
                break
            weights = better
        return weights

    def _no_worse(self, weights: Floats, found: Floats, product: Floats, guess: Floats) -> Floats | None:
        """The first of ever shorter steps that lowers the energy, or None; on a linear rig the full step."""
        if self._linear:
            return found
        before = self.energy(weights, product, guess)
        for step in _halved(_HALVINGS):
            tried = weights + step * (found - weights)
            if self.energy(tried, product, guess) < before:
                return np.asarray(tried)
        return None


def _halved(count: int) -> Iterable[float]:
    return (0.5**k for k in range(count))
