"""What a modeller's rules mean for a solve: sliders that stay, and distances that are kept."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.solve.limits import Rows
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.limits import Limits

_CUTS = 60  # rounds of half-spaces that the rules' balls may need
_OVER = 1e-6  # share by which a rule's distance may be exceeded
_HALVINGS = 50


def forbidden_sliders(motion: DeltaMatrix) -> Ints:
    """Sliders (k,) that no solve may move, because a shape of theirs moves what a rule keeps for others."""
    rig = motion.rig
    forbidden = set()
    for rule in rig.rules:
        if isinstance(rule, OnlyMovedBy):
            rows = motion.coordinates(coordinates(rule.vertices)).reshape(-1, 3, len(rig.shapes))
            moves = np.linalg.norm(rows, axis=1).max(axis=0, initial=0.0)  # (s,)
            shapes = [rig.shapes[i] for i in np.flatnonzero(moves > rule.tolerance * rig.size)]
            forbidden |= {name for shape in shapes for name in shape.sliders} - set(rule.sliders)
    return np.array(sorted(rig.slider_index(name) for name in forbidden), np.int64)


class Distances:
    """The vertices that rules keep near their rest, and the half-spaces that bring a pose back to them."""

    def __init__(self, motion: DeltaMatrix) -> None:
        rules = [rule for rule in motion.rig.rules if isinstance(rule, StaysWithin)]
        vertices = np.concatenate([np.zeros(0, np.int64), *(rule.vertices for rule in rules)])
        self._combine = motion.combine
        self._limit = np.concatenate([np.zeros(0), *(np.full(len(rule.vertices), rule.distance) for rule in rules)])
        self._rows = motion.coordinates(coordinates(vertices)).reshape(len(vertices), 3, motion.combine.shapes)

    def __len__(self) -> int:
        return len(self._limit)

    def touched(self) -> NDArray[np.bool_]:
        """Which shapes (s,) move the vertices."""
        return np.asarray(self._rows.any(axis=(0, 1)))

    def outside(self, weights: Floats) -> Ints:
        """Which of the vertices are too far from rest."""
        offsets = self._rows @ self._combine(weights)
        return np.flatnonzero(np.linalg.norm(offsets, axis=1) > self._limit * (1 + _OVER))

    def tangents(self, which: Ints, weights: Floats, start: Floats) -> Rows:
        """Half-spaces (k, n) in the change from `start` that the offsets at `weights` violate."""
        offsets = self._rows[which] @ self._combine(weights)  # (k, 3)
        outward = offsets / np.linalg.norm(offsets, axis=1, keepdims=True)
        slopes = np.einsum("kc,kcs->ks", outward, self._rows[which]) @ self._combine.jacobian(weights)
        room = self._limit[which] - np.einsum("kc,kc->k", outward, offsets) + slopes @ (weights - start)
        return Rows(slopes, np.full(len(which), -np.inf), room)


def kept_within(
    distances: Distances, start: Floats, limits: Limits, answer: Callable[[Limits], tuple[Floats, Status]]
) -> tuple[Floats, Status]:
    """The answer (n,), a change from `start` (n,), within limits and within the rules' distances.

    A ball is the meet of all its tangent half-spaces. Those are added where an answer is outside, which ends after a
    few rounds, since each cuts off the answer before it.
    """
    change, status = answer(limits)
    if not len(distances):
        return change, status
    for _ in range(_CUTS):
        outside = distances.outside(start + change)
        if not len(outside) or status is Status.INFEASIBLE:
            return change, status
        limits = limits.cut(distances.tangents(outside, start + change, start))
        change, status = answer(limits)
    return stopped_within(distances, start, change), Status.OUT_OF_STEPS


def stopped_within(distances: Distances, start: Floats, change: Floats) -> Floats:
    """The part of a change (n,) from `start` (n,) up to where a rule's distance is reached."""
    if not len(distances) or not len(distances.outside(start + change)):
        return change
    inside, outside = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if len(distances.outside(start + middle * change)):
            outside = middle
        else:
            inside = middle
    return inside * change


def coordinates(vertices: Ints) -> Ints:
    """Coordinates 3 * vertex + axis (3k,) of vertices (k,)."""
    return (np.asarray(vertices, np.int64)[:, None] * 3 + np.arange(3)).ravel()
