"""Small random rigs for reports, and a symmetric one."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.mesh.polygons import Polygons
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape


def strip(vertices: int) -> Polygons:
    """A strip of triangles over all vertices."""
    first = np.arange(vertices - 2)
    return Polygons.of(np.stack([first, first + 1, first + 2], axis=1))


def random_rig(seed: int, *, vertices: int = 14, shapes: int = 5, **options: Any) -> Rig:
    """Plain shapes s0, s1, ... that each move about two thirds of the vertices."""
    rng = np.random.default_rng(seed)
    deltas = rng.normal(size=(shapes, vertices, 3)) * (rng.uniform(size=(shapes, vertices, 1)) < 0.66)
    return rig_of(deltas, rng.normal(size=(vertices, 3)), **options)


def rig_of(deltas: ArrayLike, neutral: Floats | None = None, names: Sequence[str] | None = None, **options: Any) -> Rig:
    """A rig with plain shapes of given offsets (s, v, 3)."""
    dense = np.asarray(deltas, float)
    vertices = dense.shape[1]
    neutral = np.random.default_rng(1).normal(size=(vertices, 3)) if neutral is None else neutral
    names = [f"s{i}" for i in range(len(dense))] if names is None else names
    plain = tuple(Shape.from_dense(name, delta) for name, delta in zip(names, dense, strict=True))
    return Rig(neutral, strip(vertices), plain, **options)


def scaled(rig: Rig, factor: float) -> Rig:
    """The same rig in another unit."""
    shapes = tuple(Shape(s.name, s.vertices, s.offsets * factor, s.sliders, s.at) for s in rig.shapes)
    return Rig(rig.neutral * factor, rig.polygons, shapes, rig.sliders, rig.bounds, rig.groups, exclusive=rig.exclusive)


def even_face(size: int = 9) -> tuple[np.ndarray, np.ndarray]:
    """A bent grid, symmetric about x = 0, and its quads."""
    x, y = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1.2, 1.2, size + 2))
    neutral = np.stack([x, y, 1 - x**2 - 0.3 * y**2 + 0.1 * y**3], axis=-1).reshape(-1, 3)
    first = np.arange(len(neutral) - size).reshape(-1, size)[:, :-1].ravel()
    return neutral, np.stack([first, first + 1, first + size + 1, first + size], axis=1)
