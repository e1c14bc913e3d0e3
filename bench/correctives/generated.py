"""A generated rig of the size that Gollum had: 946 shapes behind 64 sliders."""

from functools import cache

import numpy as np

import facewright as fw
from facewright.samples import mask

VERTICES, SLIDERS, SHAPES = 50_000, 64, 946
_HALVES = 96  # in-betweens; all other shapes are combinations of two to four sliders that move the same part
_CORRECTS = 0.3  # of the motion of the sliders that a corrective belongs to
_FRAMES, _ACTIVE = 12, 4


@cache
def generated_rig() -> fw.Rig:
    """The rig; the same every time."""
    plain, rng = mask(vertices=VERTICES, shapes=SLIDERS, seed=1), np.random.default_rng(5)
    shapes, names = list(plain.shapes), set(plain.shape_names)
    for number in range(_HALVES):
        own = plain.shapes[number % SLIDERS]
        at = (0.5, 0.25)[number // SLIDERS]
        bend = np.linalg.norm(own.offsets, axis=1).max() * _CORRECTS * rng.normal(size=3) * _bump(own, rng)
        shapes.append(fw.Shape(f"{own.name} {at}", own.vertices, at * own.offsets + bend, (own.name,), at))
    while len(shapes) < SHAPES:
        first, *others = rng.choice(SLIDERS, size=int(rng.choice([2, 3, 4], p=[0.6, 0.25, 0.15])), replace=False)
        chosen = tuple(plain.shapes[i] for i in (first, *others))
        name = " ".join(shape.name for shape in chosen)
        common = set(chosen[0].vertices.tolist()).intersection(*(shape.vertices.tolist() for shape in chosen[1:]))
        if len(common) < 100 or name in names:
            continue
        names.add(name)
        own = chosen[0]
        inside = np.isin(own.vertices, sorted(common))
        offsets = _CORRECTS * (own.offsets @ _turn(rng))[inside]
        shapes.append(fw.Shape(name, own.vertices[inside], offsets, tuple(shape.name for shape in chosen)))
    return fw.Rig(plain.neutral, plain.polygons, tuple(shapes), sliders=plain.shape_names)


def generated_animation() -> np.ndarray:
    """Poses (12, 64) with four sliders on, at any value."""
    rng = np.random.default_rng(6)
    weights = np.zeros((_FRAMES, SLIDERS))
    for pose in weights:
        pose[rng.choice(SLIDERS, _ACTIVE, replace=False)] = rng.uniform(0.2, 1.0, _ACTIVE)
    return weights


def _bump(shape: fw.Shape, rng: np.random.Generator) -> np.ndarray:
    """A smooth share (k, 1) of a shape's vertices."""
    strength = np.linalg.norm(shape.offsets, axis=1, keepdims=True)
    return np.asarray((strength / strength.max()) ** rng.uniform(1, 3))


def _turn(rng: np.random.Generator) -> np.ndarray:
    return np.asarray(np.linalg.qr(rng.normal(size=(3, 3)))[0])
