"""Vertices that a rule keeps near their rest: frames that take them further are brought back, changed least."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.capture.markers import BoundRig
from facewright.rig.evaluate import delta_rows
from facewright.rig.rules import StaysWithin
from facewright.solve.limits import Rows
from facewright.solve.qp import ParametricQP

_CUTS = 40  # rounds of half-spaces that balls may need
_OVER = 1e-6  # share by which a distance may be exceeded
_HALVINGS = 40


class KeptWithin:
    """Rules of distance. A ball is the meet of its tangent half-spaces, added where a frame is outside."""

    def __init__(self, bound: BoundRig, limits: tuple[Floats, Floats]) -> None:
        rules = [rule for rule in bound.rig.rules if isinstance(rule, StaysWithin)]
        vertices = np.concatenate([np.zeros(0, np.int64), *(rule.vertices for rule in rules)])
        self._limit = np.concatenate([np.zeros(0), *(np.full(len(rule.vertices), rule.distance) for rule in rules)])
        self._rows = np.moveaxis(delta_rows(bound.rig, vertices), 0, 2)  # (q, 3, s)
        self._combine = bound.combine
        self._low, self._high = limits
        B = bound.rows.reshape(-1, bound.rows.shape[2])
        self._H = B.T @ B
        self._H += 1e-3 * (self._H.diagonal().max(initial=0.0) or 1.0) * np.eye(len(self._H))

    def __call__(self, weights: Floats) -> Floats:
        """Weights (frames, n) that keep the rules."""
        if not len(self._limit):
            return weights
        kept = np.array(weights)
        for frame, row in enumerate(kept):
            if len(self._outside(row)):
                kept[frame] = self._brought_back(row)
        return kept

    def _outside(self, weights: Floats) -> Ints:
        offsets = self._rows @ self._combine(weights)
        return np.flatnonzero(np.linalg.norm(offsets, axis=1) > self._limit * (1 + _OVER))

    def _brought_back(self, wanted: Floats) -> Floats:
        weights, cuts = wanted, Rows(np.zeros((0, len(wanted))), np.zeros(0), np.zeros(0))
        for _ in range(_CUTS):
            outside = self._outside(weights)
            if not len(outside):
                return weights
            cuts = _joined(cuts, self._tangents(outside, weights))
            weights = ParametricQP(self._H, self._low, self._high, rows=cuts).solve(-self._H @ wanted).x
        return self._stopped(weights)

    def _tangents(self, which: Ints, weights: Floats) -> Rows:
        offsets = self._rows[which] @ self._combine(weights)
        outward = offsets / np.linalg.norm(offsets, axis=1, keepdims=True)
        slopes = np.einsum("kc,kcs->ks", outward, self._rows[which]) @ self._combine.jacobian(weights)
        room = self._limit[which] - (outward * offsets).sum(axis=1) + slopes @ weights
        return Rows(slopes, np.full(len(which), -np.inf), room)

    def _stopped(self, weights: Floats) -> Floats:
        """As far from rest towards the weights as the rules allow."""
        inside, outside = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if len(self._outside(middle * weights)) else (middle, outside)
        return inside * weights


def _joined(a: Rows, b: Rows) -> Rows:
    return Rows(*(np.concatenate([getattr(one, name) for one in (a, b)]) for name in ("matrix", "low", "high")))
