"""How far the vertices of the modeller's rules go in one pose, and which of them go too far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints
from facewright.rig.combine import Combine
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, Rule
from facewright.rig.shape import Shape

_OVER = 1e-6  # share by which a rule may be exceeded, as solvers have it
_ROUNDING = 1e-9  # of the rig's size


@dataclass(frozen=True, eq=False)
class RuleMotion:
    """How far the vertices of a rule go in a pose, as far as the rule is about it."""

    rule: Rule
    distances: Floats  # (k,) scene units; of `OnlyMovedBy` by the one shape of other sliders that moves the vertex most
    allowed: float  # how far the rule lets them go, scene units
    broken: NDArray[np.bool_]  # (k,) which vertices go further


class RuleMotions:
    """The rules of a rig, prepared for many poses. What a pose takes does not grow with the other vertices.

    before: those of a rig with other rules; what is the same is not prepared again.
    """

    def __init__(self, rig: Rig, before: RuleMotions | None = None) -> None:
        self._size, self._shapes = rig.size, rig.shapes
        known = before._rows if before is not None and _are_same(before._shapes, rig.shapes) else {}
        self._rows: dict[Rule, _RuleRows] = {rule: known.get(rule) or _RuleRows.of(rig, rule) for rule in rig.rules}

    def __call__(self, values: Floats, regions: Regions | None = None) -> tuple[RuleMotion, ...]:
        """For shape values (s,), or (r, s) for each of the finest regions, the motion of each rule's vertices."""
        found = []
        for rule, rows in self._rows.items():
            shares = None if regions is None or values.ndim == 1 else regions.weights[:, rule.vertices].toarray()
            distances = rows.distances(np.atleast_2d(values), shares)
            allowed = rule.tolerance * self._size if isinstance(rule, OnlyMovedBy) else float(rule.distance)
            limit = allowed * (1 + _OVER) + _ROUNDING * self._size
            found.append(RuleMotion(rule, distances, allowed, distances > limit))
        return tuple(found)


@dataclass(frozen=True, eq=False)
class _RuleRows:
    """The shapes that count for a rule, and what they do to its vertices."""

    shapes: Ints  # (a,)
    offsets: Floats  # (a, k, 3)
    lengths: Floats | None  # (a, k) of the offsets, where each shape counts for itself; None: they are summed

    @classmethod
    def of(cls, rig: Rig, rule: Rule) -> _RuleRows:
        place = np.full(rig.vertex_count, -1)
        place[rule.vertices] = np.arange(len(rule.vertices))
        allowed = set(rule.sliders) if isinstance(rule, OnlyMovedBy) else None
        shapes, rows = [], [np.zeros((0, len(rule.vertices), 3))]
        for i, shape in enumerate(rig.shapes):
            at = place[shape.vertices]
            moved = np.flatnonzero(at >= 0)
            if not len(moved) or (allowed is not None and set(shape.sliders) <= allowed):
                continue
            row = np.zeros((1, len(rule.vertices), 3))
            row[0, at[moved]] = shape.offsets[moved]
            shapes.append(i)
            rows.append(row)
        offsets = np.concatenate(rows)
        lengths = None if allowed is None else np.linalg.norm(offsets, axis=2)
        return cls(np.array(shapes, np.int64), offsets, lengths)

    def distances(self, values: Floats, shares: Floats | None) -> Floats:
        """How far the vertices (k,) go, for shape values (r, s) of regions with shares (r, k) of the vertices."""
        own = values[:, self.shapes]
        on = np.flatnonzero(own.any(axis=0))
        own, count = own[:, on], self.offsets.shape[1]
        if self.lengths is not None:
            each = np.abs(own.T) if shares is None else np.abs(own.T @ shares)  # (on, 1) or (on, k)
            return np.asarray((each * self.lengths[on]).max(axis=0, initial=0.0))
        moved = (own @ self.offsets[on].reshape(len(on), 3 * count)).reshape(len(own), count, 3)
        summed = moved[0] if shares is None else np.einsum("rk,rkc->kc", shares, moved)
        return np.asarray(np.linalg.norm(summed, axis=1))


def rule_motions(rig: Rig, weights: Mapping[str, float] | ArrayLike | None = None) -> tuple[RuleMotion, ...]:
    """How far the vertices of each rule go in one pose, given as (n,) or as names to values."""
    return RuleMotions(rig)(Combine(rig)(rig.pose(weights)))


def _are_same(one: tuple[Shape, ...], other: tuple[Shape, ...]) -> bool:
    return one is other or (len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True)))
