"""What a modeller's rules mean for a solve: sliders that stay, and distances that are kept."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.pose.motion import Motion
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.solve.limits import Rows


def forbidden_sliders(motion: Motion, at: Floats) -> Ints:
    """Sliders (k,) that no solve may move, because they move what a rule keeps for others."""
    rig = motion.rig
    size = float(np.linalg.norm(np.ptp(rig.neutral, axis=0))) if rig.vertex_count else 0.0
    slopes = motion.combine.jacobian(at)
    forbidden = np.zeros(len(rig.sliders), bool)
    for rule in rig.rules:
        if isinstance(rule, OnlyMovedBy):
            rows = motion.coordinates(coordinates(rule.vertices)) @ slopes  # (3k, n)
            moves = np.linalg.norm(rows.reshape(-1, 3, rows.shape[1]), axis=1).max(axis=0, initial=0.0)
            forbidden |= (moves > rule.tolerance * size) & ~np.isin(rig.sliders, rule.sliders)
    return np.flatnonzero(forbidden)


class Distances:
    """The vertices that rules keep near their rest, and the half-spaces that bring a pose back to them.

    A ball is the meet of all its tangent half-spaces. Those are added one by one where a solution is outside, which
    ends after a few, since each cuts off the solution before it.
    """

    def __init__(self, motion: Motion) -> None:
        rules = [rule for rule in motion.rig.rules if isinstance(rule, StaysWithin)]
        self._motion = motion
        self._vertices = np.concatenate([np.zeros(0, np.int64), *(rule.vertices for rule in rules)])
        self._limit = np.concatenate([np.zeros(0), *(np.full(len(rule.vertices), rule.distance) for rule in rules)])
        self._rows = motion.coordinates(coordinates(self._vertices)).reshape(
            len(self._vertices), 3, len(motion.rig.shapes)
        )

    def __len__(self) -> int:
        return len(self._vertices)

    def outside(self, weights: Floats, tolerance: float) -> Ints:
        """Which of the vertices are too far from rest, by more than a share of their limit."""
        offsets = self._rows @ self._motion.combine(weights)
        return np.flatnonzero(np.linalg.norm(offsets, axis=1) > self._limit * (1 + tolerance))

    def tangents(self, which: Ints, weights: Floats, start: Floats) -> Rows:
        """Half-spaces (k, n) in the change from `start` that the offsets at `weights` violate."""
        offsets = self._rows[which] @ self._motion.combine(weights)  # (k, 3)
        outward = offsets / np.linalg.norm(offsets, axis=1, keepdims=True)
        slopes = np.einsum("kc,kcs->ks", outward, self._rows[which]) @ self._motion.combine.jacobian(weights)
        room = self._limit[which] - np.einsum("kc,kc->k", outward, offsets) + slopes @ (weights - start)
        return Rows(slopes, np.full(len(which), -np.inf), room)


def coordinates(vertices: Ints) -> Ints:
    """Coordinates 3 * vertex + axis (3k,) of vertices (k,)."""
    return (np.asarray(vertices, np.int64)[:, None] * 3 + np.arange(3)).ravel()
