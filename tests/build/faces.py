"""Small templates and targets."""

from dataclasses import replace
from typing import Any

import numpy as np

import facewright as fw
from facewright.samples import mask


def template(*, shapes: int = 6, vertices: int = 160, **fields: Any) -> fw.Rig:
    return replace(mask(vertices=vertices, shapes=shapes, seed=3, support=0.3), **fields)


def bent(rig: fw.Rig) -> np.ndarray:
    """Another face of the same topology: longer, fuller, a little crooked."""
    x, y, z = rig.neutral.T
    size = rig.size
    return np.stack([x * (1.1 + 0.2 * y / size), y * 1.15 + 0.03 * x, z * 0.9 + 0.05 * size * np.sin(6 * y / size)], 1)


def turned(points: np.ndarray, factor: float = 1.0, seed: int = 5) -> np.ndarray:
    return np.asarray(factor * points @ turn(seed).T + factor * np.array([3.0, -7, 2]))


def turn(seed: int = 5) -> np.ndarray:
    found = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    return np.asarray(found * np.sign(np.linalg.det(found)))


def combining() -> fw.Rig:
    """A template with an in-between, a combination and a slider that goes both ways."""
    rig = template(shapes=5)
    names = rig.sliders
    half = rig.shapes[0]
    both = np.sum([shape.dense(rig.vertex_count) for shape in rig.shapes[1:3]], axis=0)
    more = (
        fw.Shape("half", half.vertices, 0.7 * half.offsets, sliders=(names[0],), at=0.5),
        fw.Shape.from_dense("corrective", 0.3 * both[:, [1, 2, 0]], sliders=names[1:3]),
    )
    bounds = np.array([[0.0, 1]] * 4 + [[-1, 1]])
    return fw.Rig(rig.neutral, rig.polygons, (*rig.shapes, *more), bounds=bounds)
