"""Weights of a pose for some of the sliders, with all others off: small problems that do not grow with the vertices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.solve.qp import ParametricQP

_FIRM = 0.01  # cost of a difference from the guess, relative to a slider's own diagonal element
_FAINT = 1e-4  # the same, from zero: keeps sliders that look alike apart
_STEPS = 5  # Gauss-Newton steps where sliders combine


class ReachFit:
    """Shapes of a template as offsets (s, v, 3), prepared for fits of any poses."""

    def __init__(self, template: Rig, deltas: Floats) -> None:
        self._combine, self._linear = Combine(template), template.is_linear
        self._bounds = template.bounds
        self._flat = deltas.reshape(len(deltas), -1)  # (s, 3v)
        self._gram = self._flat @ self._flat.T  # (s, s)
        self._full = template.full_values

    def values(self, weights: Floats) -> Floats:
        """Shape values (s,) for slider values (n,)."""
        return self._combine(weights)

    def product(self, motion: Floats) -> Floats:
        """Inner products (s,) of a motion (v, 3) with the shapes; all that a fit needs to know of it."""
        return np.asarray(self._flat @ motion.ravel())

    def offsets(self, weights: Floats) -> Floats:
        """Offsets (v, 3) that weights (n,) make."""
        values = self._combine(weights)
        used = np.flatnonzero(values)
        return np.asarray((values[used] @ self._flat[used]).reshape(-1, 3))

    def __call__(self, product: Floats, on: NDArray[np.bool_], guess: Floats, *, firm: float = _FIRM) -> Floats:
        """Weights (n,) within the bounds, near the guess (n,); sliders that are not on are 0.

        firm: how strongly named sliders are drawn to their guess.
        """
        weights, free = np.where(on, guess, 0.0), np.flatnonzero(on)
        if not len(free):
            return weights
        best, lowest = weights, self._energy(weights, product)
        for step in range(1 if self._linear else _STEPS):
            slopes = self._combine.jacobian(weights if step else np.where(on & (guess == 0), 0.5 * self._full, guess))
            slopes = slopes[:, free]
            H = slopes.T @ self._gram @ slopes
            own = np.maximum(H.diagonal(), _FAINT * float(H.diagonal().max(initial=0.0)) + np.finfo(float).tiny)
            pull = own * np.where(guess[free] != 0, firm, 0.0)
            now = self._combine(weights)
            c = slopes.T @ (self._gram @ now - product) - H @ weights[free] - pull * guess[free]
            low, high = self._bounds[free].T
            weights = np.zeros_like(weights)
            weights[free] = ParametricQP(H + np.diag(pull + _FAINT * own), low, high).solve(c).x
            energy = self._energy(weights, product)
            if self._linear or energy < lowest:
                best, lowest = weights, energy
        return best

    def _energy(self, weights: Floats, product: Floats) -> float:
        values = self._combine(weights)
        return float(values @ self._gram @ values - 2 * product @ values)
