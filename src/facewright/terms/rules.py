"""The rules of a rig in a solve: sliders that may not move, and vertices that stay within a distance of their rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.rig.combine import Combine
from facewright.rig.evaluate import delta_rows
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.solve.limits import RowLimits
from facewright.solve.qp import ParametricQP
from facewright.solve.solution import Status
from facewright.terms.limits import Limits

_CUTS = 60  # most rounds of half-spaces
_OVER = 1e-6  # share by which a rule's distance may be exceeded
_HALVINGS = 50

Offsets = Callable[[Ints], Floats]  # vertices (k,) to their offsets in every shape (k, 3, s)


def vertex_offsets(rig: Rig) -> Offsets:
    """Offsets (..., 3, s) of vertices (...), read from the shapes; for a few vertices, asked once."""

    def offsets(vertices: Ints) -> Floats:
        found = np.moveaxis(delta_rows(rig, vertices.ravel()), 0, 2)
        return found.reshape(*vertices.shape, 3, len(rig.shapes))

    return offsets


def forbidden_sliders(rig: Rig, offsets: Offsets) -> Ints:
    """Sliders (k,) that no solve may move, because a shape of theirs moves vertices that a rule keeps for others."""
    forbidden = set()
    for rule in rig.rules:
        if isinstance(rule, OnlyMovedBy):
            moves = np.linalg.norm(offsets(rule.vertices), axis=1).max(axis=0, initial=0.0)  # (s,)
            shapes = [rig.shapes[i] for i in np.flatnonzero(moves > rule.tolerance * rig.size)]
            forbidden |= {name for shape in shapes for name in shape.sliders} - set(rule.sliders)
    return np.array(sorted(rig.slider_index(name) for name in forbidden), np.int64)


class DistanceRules:
    """The vertices that rules keep near their rest, and the half-spaces that cut off poses outside."""

    def __init__(self, rig: Rig, combine: Combine, offsets: Offsets) -> None:
        rules = [rule for rule in rig.rules if isinstance(rule, StaysWithin)]
        vertices = np.concatenate([np.zeros(0, np.int64), *(rule.vertices for rule in rules)])
        self._combine = combine
        self._limit = np.concatenate([np.zeros(0), *(np.full(len(rule.vertices), rule.distance) for rule in rules)])
        self._rows = offsets(vertices)  # (k, 3, s)

    def __len__(self) -> int:
        return len(self._limit)

    def touched(self) -> NDArray[np.bool_]:
        """Which shapes (s,) move the vertices."""
        return np.asarray(self._rows.any(axis=(0, 1)))

    def outside(self, weights: Floats) -> Ints:
        """Which of the vertices are too far from rest."""
        offsets = self._rows @ self._combine(weights)
        return np.flatnonzero(np.linalg.norm(offsets, axis=1) > self._limit * (1 + _OVER))

    def tangents(self, which: Ints, weights: Floats, start: Floats) -> RowLimits:
        """Half-spaces (k, n) in the change from `start` that the offsets at `weights` violate."""
        offsets = self._rows[which] @ self._combine(weights)  # (k, 3)
        outward = offsets / np.linalg.norm(offsets, axis=1, keepdims=True)
        slopes = np.asarray(np.einsum("kc,kcs->ks", outward, self._rows[which]) @ self._combine.slopes(weights))
        room = self._limit[which] - np.einsum("kc,kc->k", outward, offsets) + slopes @ (weights - start)
        return RowLimits(slopes, np.full(len(which), -np.inf), room)


def solve_within(
    rules: DistanceRules, start: Floats, limits: Limits, solve: Callable[[Limits], tuple[Floats, Status]]
) -> tuple[Floats, Status]:
    """What `solve` finds, a change (n,) from `start` (n,), within limits and within the rules' distances.

    A ball is the intersection of its tangent half-spaces. They are added where a solution is outside, which ends after
    a few rounds, since each cuts off the solution before it.
    """
    change, status = solve(limits)
    if not len(rules):
        return change, status
    for _ in range(_CUTS):
        outside = rules.outside(start + change)
        if not len(outside) or status is Status.INFEASIBLE:
            return change, status
        limits = limits.cut(rules.tangents(outside, start + change, start))
        change, status = solve(limits)
    return stopped_within(rules, start, change), Status.OUT_OF_STEPS


def stopped_within(rules: DistanceRules, start: Floats, change: Floats) -> Floats:
    """The part of a change (n,) from `start` (n,) up to where a rule's distance is reached."""
    if not len(rules) or not len(rules.outside(start + change)):
        return change
    inside, outside = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if len(rules.outside(start + middle * change)):
            outside = middle
        else:
            inside = middle
    return inside * change


def frames_within(rules: DistanceRules, H: Floats, limits: Limits, weights: Floats) -> Floats:
    """Weights (frames, n) that keep the rules: frames outside are changed least, as measured by H (n, n)."""
    if not len(rules):
        return weights
    kept, rest = np.array(weights), np.zeros(weights.shape[1])
    for frame, wanted in enumerate(weights):
        if len(rules.outside(wanted)):
            kept[frame] = solve_within(rules, rest, limits, partial(_nearest, H, wanted))[0]
    return kept


def _nearest(H: Floats, wanted: Floats, limits: Limits) -> tuple[Floats, Status]:
    if limits.rows is None:
        return wanted, Status.SOLVED
    return ParametricQP(H, limits.low, limits.high, rows=limits.rows).solve(-H @ wanted).x, Status.SOLVED
