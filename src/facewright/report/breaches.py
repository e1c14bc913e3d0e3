"""Poses that break the modeller's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.report.furthest import furthest
from facewright.rig.combine import factor_values
from facewright.rig.evaluate import delta_rows
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Factor, Shape

_ROUNDING = 1e-9  # of the rig's size


@dataclass(frozen=True)
class Breach:
    """A rule, and the pose that breaks it most."""

    rule: str
    kind: str  # "only moved by" or "stays within"
    vertex: int
    distance: float  # how far the vertex goes, as a share of the rig's size
    allowed: float  # how far it may go, as a share of the rig's size
    pose: Mapping[str, float]  # the sliders of the pose; the others are at 0


def breaches(rig: Rig) -> tuple[Breach, ...]:
    """Every rule that some pose within the bounds breaks, and for each forbidden slider the worst pose."""
    found: list[Breach] = []
    for rule in rig.rules:
        if len(rule.vertices) and rig.shapes:
            found += _moved_by_others(rig, rule) if isinstance(rule, OnlyMovedBy) else _too_far(rig, rule)
    return tuple(found)


def _moved_by_others(rig: Rig, rule: OnlyMovedBy) -> Iterator[Breach]:
    """One breach for each set of sliders that activates a shape which the rule forbids, the worst first."""
    worst: dict[tuple[str, ...], Breach] = {}
    moved = np.linalg.norm(delta_rows(rig, rule.vertices), axis=2)  # (s, k)
    for shape, lengths in zip(rig.shapes, moved, strict=True):
        if set(shape.sliders) <= set(rule.sliders):
            continue
        at = int(lengths.argmax())
        pose, value = _most_on(rig, shape)
        far = float(lengths[at]) * value / (rig.size or 1.0)
        before = worst.get(shape.sliders)
        if far > rule.tolerance and (before is None or far > before.distance):
            vertex = int(rule.vertices[at])
            worst[shape.sliders] = Breach(rule.name, "only moved by", vertex, far, rule.tolerance, pose)
    yield from sorted(worst.values(), key=lambda breach: -breach.distance)


def _most_on(rig: Rig, shape: Shape) -> tuple[dict[str, float], float]:
    """The pose within the bounds that activates a shape most, and the size of the shape's value there."""
    if shape.additive:
        found = [_most(factor, rig.bounds[rig.slider_index(factor.slider)]) for factor in shape.factors]
        pose = {factor.slider: value for factor, (value, _) in zip(shape.factors, found, strict=True)}
        return pose, abs(float(np.prod([worth for _, worth in found])))
    (slider,), (at,) = shape.sliders, shape.at
    low, high = rig.bounds[rig.slider_index(slider)]
    between = any(not other.additive and other.sliders == (slider,) and other.at != (at,) for other in rig.shapes)
    full = float(np.clip(at, low, high)) if between else float(max(low, high, key=abs))
    return {slider: full}, abs(full / at)


def _most(factor: Factor, bounds: Floats) -> tuple[float, float]:
    """The value of its slider within bounds (2,) at which a factor is largest, and its size there."""
    values = np.clip([*bounds[::-1], factor.at], *bounds)
    worth = np.abs(factor_values(factor, bounds, values))
    return float(values[worth.argmax()]), float(worth.max())


def _too_far(rig: Rig, rule: StaysWithin) -> Iterator[Breach]:
    found = furthest(rig, rule.vertices)
    size = rig.size or 1.0
    if found is not None and found.distance > rule.distance + _ROUNDING * size:
        yield Breach(rule.name, "stays within", found.vertex, found.distance / size, rule.distance / size, found.pose)
