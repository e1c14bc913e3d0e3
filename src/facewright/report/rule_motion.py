"""How far the vertices of the modeller's rules go in one pose, and which of them go too far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats
from facewright.rig.combine import Combine
from facewright.rig.evaluate import delta_rows
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, Rule

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
    """The rules of a rig, prepared for many poses. What a pose takes does not grow with the other vertices."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._rows = [delta_rows(rig, rule.vertices) for rule in rig.rules]  # each (s, k, 3)
        self._others = [np.linalg.norm(rows, axis=2) * _others(rig, rule)[:, None] for rule, rows in self._pairs()]

    def __call__(self, values: Floats, regions: Regions | None = None) -> tuple[RuleMotion, ...]:
        """For shape values (s,), or (r, s) for each of the finest regions, the motion of each rule's vertices."""
        found = []
        for (rule, rows), others in zip(self._pairs(), self._others, strict=True):
            each = _at_vertices(values, rule, regions)  # (k, s)
            if isinstance(rule, OnlyMovedBy):
                distances = (np.abs(each.T) * others).max(axis=0, initial=0.0)
                allowed = rule.tolerance * self._rig.size
            else:
                distances = np.linalg.norm(np.einsum("ks,skc->kc", each, rows), axis=1)
                allowed = float(rule.distance)
            limit = allowed * (1 + _OVER) + _ROUNDING * self._rig.size
            found.append(RuleMotion(rule, distances, allowed, distances > limit))
        return tuple(found)

    def _pairs(self) -> list[tuple[Rule, Floats]]:
        return list(zip(self._rig.rules, self._rows, strict=True))


def rule_motions(rig: Rig, weights: Mapping[str, float] | ArrayLike | None = None) -> tuple[RuleMotion, ...]:
    """How far the vertices of each rule go in one pose, given as (n,) or as names to values."""
    return RuleMotions(rig)(Combine(rig)(rig.pose(weights)))


def _others(rig: Rig, rule: Rule) -> NDArray[np.bool_]:
    """Which shapes (s,) a rule forbids to move its vertices."""
    sliders = set(rule.sliders) if isinstance(rule, OnlyMovedBy) else set(rig.sliders)
    return np.array([not set(shape.sliders) <= sliders for shape in rig.shapes], bool)


def _at_vertices(values: Floats, rule: Rule, regions: Regions | None) -> Floats:
    """The shape values (k, s) that each vertex of a rule has."""
    if regions is None or values.ndim == 1:
        return np.broadcast_to(values, (len(rule.vertices), values.shape[-1]))
    return np.asarray(regions.weights[:, rule.vertices].T @ values)
