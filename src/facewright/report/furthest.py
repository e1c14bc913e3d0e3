"""How far the sliders can take a vertex from its rest position, within their bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.polygons import Polygons
from facewright.rig.combine import Combine, factor_values
from facewright.rig.evaluate import delta_rows
from facewright.rig.rig import Rig
from facewright.rig.shape import Factor, Shape

_DIRECTIONS = 128
_AT_ONCE = 64  # vertices that are screened together
_REFINED = 4  # vertices, and directions for each, that are refined
_SWEEPS = 20


@dataclass(frozen=True)
class Furthest:
    """A vertex and the pose that takes it furthest from rest."""

    vertex: int
    distance: float  # scene units; reached by the pose, not an upper bound
    pose: Mapping[str, float]  # the sliders that are not at 0


def furthest(rig: Rig, vertices: Ints) -> Furthest | None:
    """The one of some vertices (k,) that can go furthest; None if there are none.

    The length of an offset is its largest component along any direction u. Along u the offset is a sum over the
    sliders,
    each at its own best value: the support function of all poses. It is computed in many directions for every vertex.
    From the best few, one slider after the other is set to the value that takes the vertex furthest; since the length
    is
    convex in each slider, that is a bound or the place of an in-between. The result is a pose that no single slider
    improves. Combinations, which a sum over sliders does not contain, are taken into account by this second step.
    """
    best: Furthest | None = None
    for vertex, directions in _screened(rig, np.unique(vertices)):
        model = _Model(rig, vertex)
        for direction in directions:
            weights = model.climb(model.along(direction))
            distance = float(np.linalg.norm(model.offset(weights)))
            if best is None or distance > best.distance * (1 + 1e-12):
                best = Furthest(vertex, distance, model.named(weights))
    return best


def _screened(rig: Rig, vertices: Ints) -> list[tuple[int, Floats]]:
    """The vertices that may go furthest, each with the directions (k, 3) in which it does."""
    seen: list[tuple[float, int, Floats]] = []
    sphere = _sphere(_DIRECTIONS)
    low, high = _value_ranges(rig).T[:, :, None, None]
    for start in range(0, len(vertices), _AT_ONCE):
        chosen = vertices[start : start + _AT_ONCE]
        each = delta_rows(rig, chosen) @ sphere.T  # (s, k, d)
        support = np.maximum(low * each, high * each).sum(axis=0)  # (k, d)
        for vertex, row in zip(chosen.tolist(), support, strict=True):
            top = np.argsort(-row, kind="stable")[:_REFINED]
            seen.append((float(row[top[0]]), vertex, sphere[top]))
    seen.sort(key=lambda one: -one[0])
    return [(vertex, directions) for _, vertex, directions in seen[:_REFINED]]


class _Model:
    """One vertex as a function of the sliders that move it."""

    def __init__(self, rig: Rig, vertex: int) -> None:
        rows = delta_rows(rig, np.array([vertex]))[:, 0]
        moving = {name for shape, row in zip(rig.shapes, rows, strict=True) if row.any() for name in shape.sliders}
        # An in-between that does not move the vertex still limits the range of its slider's other targets.
        kept = [i for i, shape in enumerate(rig.shapes) if rows[i].any() or _is_single_of(shape, moving)]
        self.sliders = tuple(name for name in rig.sliders if name in moving)
        part = Rig(
            rig.neutral[:0],
            Polygons.of([]),
            tuple(_without_vertices(rig.shapes[i]) for i in kept),
            self.sliders,
            rig.bounds[[rig.slider_index(name) for name in self.sliders]],
        )
        self._rows, self._combine = rows[kept], Combine(part)
        self._values = [_candidates(rig, name) for name in self.sliders]
        self._rest = np.array([values[np.abs(values).argmin()] for values in self._values])
        self._excluded = [_excluded_by(rig, name, self.sliders) for name in self.sliders]

    def offset(self, weights: Floats) -> Floats:
        """Offsets (..., 3) at slider values (..., k)."""
        return np.asarray(self._combine(weights) @ self._rows)

    def named(self, weights: Floats) -> dict[str, float]:
        """Slider values that are not 0, by name."""
        return {name: float(value) for name, value in zip(self.sliders, weights, strict=True) if value}

    def along(self, direction: Floats) -> Floats:
        """Slider values (k,), each chosen on its own to go furthest in a direction, the strongest first."""
        gains = [self.offset(self._tried(self._rest, i)) @ direction for i in range(len(self.sliders))]
        weights, closed = self._rest.copy(), set[int]()
        for i in sorted(range(len(gains)), key=lambda i: -gains[i].max()):
            if i not in closed:
                weights[i] = self._values[i][int(gains[i].argmax())]
                closed |= set(self._excluded[i].tolist()) if weights[i] else set()
        return weights

    def climb(self, weights: Floats) -> Floats:
        """Set one slider after the other to its best value until none improves."""
        reached = float(np.linalg.norm(self.offset(weights)))
        for _ in range(_SWEEPS):
            before = reached
            for i in range(len(self.sliders)):
                tried = self._tried(weights, i)
                lengths = np.linalg.norm(self.offset(tried), axis=1)
                best = int(lengths.argmax())
                if lengths[best] > reached * (1 + 1e-12):
                    weights, reached = tried[best], float(lengths[best])
            if reached == before:
                break
        return weights

    def _tried(self, weights: Floats, slider: int) -> Floats:
        """Poses (m, k) with each value of one slider; sliders that it excludes are off."""
        values = self._values[slider]
        tried = np.tile(weights, (len(values), 1))
        tried[:, slider] = values
        tried[np.ix_(np.flatnonzero(values), self._excluded[slider])] = self._rest[self._excluded[slider]]
        return tried


def _candidates(rig: Rig, name: str) -> Floats:
    """The values of a slider between which its shapes are linear: its bounds, 0 and all knots."""
    low, high = rig.bounds[rig.slider_index(name)]
    factors = [factor for shape in rig.shapes for factor in shape.factors if factor.slider == name]
    inner = {0.0, *(value for factor in factors for value in (factor.at, *(factor.span or ())))}
    return np.array(sorted({float(low), float(high), *(value for value in inner if low <= value <= high)}))


def _value_ranges(rig: Rig) -> Floats:
    """The lowest and the highest value (s, 2) that each shape can have, at least the range of 0."""
    values = [_candidates(rig, name) for name in rig.sliders]
    poses = np.zeros((sum(map(len, values)), len(rig.sliders)))
    poses[np.arange(len(poses)), np.repeat(np.arange(len(values)), [len(each) for each in values])] = np.hstack(values)
    reached = Combine(rig)(poses)  # every slider alone
    ranges = np.stack([reached.min(axis=0), reached.max(axis=0)], axis=1)
    for i, shape in enumerate(rig.shapes):
        if shape.is_combination:
            ranges[i] = _product([_range(rig, factor, values) for factor in shape.factors])
    return np.stack([np.minimum(ranges[:, 0], 0), np.maximum(ranges[:, 1], 0)], axis=1)


def _range(rig: Rig, factor: Factor, values: list[Floats]) -> tuple[float, float]:
    """The lowest and the highest value of a factor, for the values of every slider at which it can bend."""
    slider = rig.slider_index(factor.slider)
    reached = factor_values(factor, rig.bounds[slider], values[slider])
    return float(reached.min()), float(reached.max())


def _product(ranges: list[tuple[float, float]]) -> tuple[float, float]:
    low = high = 1.0
    for one, other in ranges:
        ends = (low * one, low * other, high * one, high * other)
        low, high = min(ends), max(ends)
    return low, high


def _is_single_of(shape: Shape, sliders: set[str]) -> bool:
    return not shape.is_combination and shape.sliders[0] in sliders


def _without_vertices(shape: Shape) -> Shape:
    return Shape(shape.name, np.zeros(0, np.int64), np.zeros((0, 3))).driven_as(shape)


def _excluded_by(rig: Rig, name: str, sliders: tuple[str, ...]) -> Ints:
    others = {other for pair in rig.exclusive if name in pair for other in pair} - {name}
    return np.array([i for i, slider in enumerate(sliders) if slider in others], np.int64)


def _sphere(count: int) -> Floats:
    """Directions (count, 3) spread evenly over the sphere along a golden spiral."""
    z = 1 - (2 * np.arange(count) + 1) / count
    turn = np.pi * (3 - np.sqrt(5)) * np.arange(count)
    return np.stack([np.sqrt(1 - z**2) * np.cos(turn), np.sqrt(1 - z**2) * np.sin(turn), z], axis=1)
