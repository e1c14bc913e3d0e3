"""The table of things that laws are held against: rigs, small and real, and drags on them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.rig.edit import scale
from facewright.samples import mask, sample
from tests.some import some

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


@dataclass(frozen=True)
class Scene:
    """A drag: pins that are asked to go where a hidden pose has them."""

    rig: fw.Rig
    start: np.ndarray  # (n,)
    goal: np.ndarray  # (n,)
    pins: list[fw.Pin]
    method: str = "bounded"

    @property
    def targets(self) -> np.ndarray:
        return np.array([pin.target for pin in self.pins])


def random_rig(seed: int, *, vertices: int = 20, shapes: int = 7, **options: Any) -> fw.Rig:
    """Plain shapes s0, s1, ... of quite different strength, each moving about half of the vertices."""
    rng = np.random.default_rng([1, seed])
    deltas = rng.normal(size=(shapes, vertices, 3)) * (rng.uniform(size=(shapes, vertices, 1)) < 0.5)
    deltas *= rng.uniform(0.05, 1, shapes)[:, None, None]
    plain = tuple(fw.Shape.from_dense(f"s{i}", delta) for i, delta in enumerate(deltas))
    return fw.Rig(3 * rng.normal(size=(vertices, 3)), strip(vertices), plain, **options)


def strip(vertices: int) -> fw.Polygons:
    first = np.arange(vertices - 2)
    return fw.Polygons.of(np.stack([first, first + 1, first + 2], axis=1))


def two_sided_rig(seed: int) -> fw.Rig:
    """Sliders that go below 0."""
    return random_rig(seed, bounds=np.tile([-1.0, 1.0], (7, 1)))


def defective_rig(seed: int) -> fw.Rig:
    """A dead slider, a nearly dead one, a duplicate, and one that two others make up."""
    rig = random_rig(seed)
    a, b, *_ = (shape.dense(rig.vertex_count) for shape in rig.shapes)
    more = {"dead": 0 * a, "faint": 1e-7 * b, "twin": a, "sum": a + b}
    shapes = (*rig.shapes, *(fw.Shape.from_dense(name, delta) for name, delta in more.items()))
    return fw.Rig(rig.neutral, rig.polygons, shapes)


def combining_rig(seed: int) -> fw.Rig:
    """In-betweens along two sliders, one of which goes below 0 by a shape of its own, and two combinations."""
    rig = random_rig(seed, shapes=5)
    rng = np.random.default_rng([2, seed])

    def near(*names: str) -> np.ndarray:
        whole = np.sum([rig.shape(name).dense(rig.vertex_count) for name in names], axis=0)
        return np.asarray(0.4 * whole + 0.1 * rng.normal(size=whole.shape) * np.any(whole, axis=1, keepdims=True))

    more = (
        fw.Shape.from_dense("s0 half", near("s0"), sliders=("s0",), at=0.5),
        fw.Shape.from_dense("s1 down", -near("s1"), sliders=("s1",), at=-1.0),
        fw.Shape.from_dense("s2 s3", 0.5 * near("s2", "s3"), sliders=("s2", "s3")),
        fw.Shape.from_dense("s0 s1 s4", 0.3 * near("s4"), sliders=("s0", "s1", "s4")),
    )
    bounds = np.array([[0.0, 1], [-1, 1], [0, 1], [0, 1], [0, 1]])
    return fw.Rig(rig.neutral, rig.polygons, (*rig.shapes, *more), bounds=bounds)


def factored_rig(seed: int) -> fw.Rig:
    """In-betweens that are added, and combinations of sliders at other values than 1."""
    rig = random_rig(seed, shapes=5)
    rng = np.random.default_rng([3, seed])

    def near(name: str) -> np.ndarray:
        return np.asarray(0.3 * rig.shape(name).dense(rig.vertex_count) * rng.uniform(0.5, 1, (rig.vertex_count, 3)))

    more = (
        fw.Shape.from_dense("s0 half", near("s0"), sliders=("s0",), at=0.5, additive=True),
        fw.Shape.from_dense("s1 low", near("s1"), sliders=("s1",), at=0.3, spans=((0.1, 0.6),), additive=True),
        fw.Shape.from_dense("s2 s3", near("s2"), sliders=("s2", "s3"), at=(1.0, 0.5)),
        fw.Shape.from_dense("s0 s1 s4", near("s4"), sliders=("s0", "s1", "s4"), at=(0.5, 0.25, 1.0)),
        fw.Shape.from_dense("s3 s4", near("s3"), sliders=("s3", "s4"), at=(0.6, 1), spans=((0.2, 0.9), (0.5, np.inf))),
        fw.Shape.from_dense("s2 down", near("s2"), sliders=("s2", "s0"), at=(-1.0, 1.0)),
    )
    bounds = np.array([[0.0, 1], [0, 1], [-1, 1], [0, 1], [0, 1]])
    return replace(rig, shapes=(*rig.shapes, *more), bounds=bounds)


@cache
def ict_face() -> fw.Rig:
    """A scan-based face with 57 shapes."""
    path = SHARED / "ict_face" / "ict_face.npz"
    if not path.is_file():
        pytest.skip("the ICT face is not here: no folder shared/data beside the checkout")
    with np.load(path) as data:
        shapes = zip(data["names"].tolist(), data["deltas"], strict=True)
        made = tuple(fw.Shape.from_dense(name, delta) for name, delta in shapes)
        return fw.Rig(data["neutral"], data["quads"], made, ties=())  # goals of scenes are of any sliders


@cache
def head() -> fw.Rig:
    """The embedded head."""
    return sample()


THINGS: dict[str, Callable[[int], fw.Rig]] = {
    "small": random_rig,
    "two-sided": two_sided_rig,
    "defective": defective_rig,
    "combining": combining_rig,
    "factored": factored_rig,
    "mask": lambda seed: mask(vertices=400, shapes=24, seed=seed),
    "head": lambda seed: head(),
    "ict": lambda seed: ict_face(),
}


def scene(thing: str, seed: int, method: str = "bounded") -> Scene:
    """Pins on a rig at rest (even seeds) or in a pose, asked to go where another pose has them."""
    rig = THINGS[thing](seed)
    rng = np.random.default_rng([3, seed])
    start = pose(rig, rng, 3) if seed % 2 else rig.weights()
    goal = np.clip(start + pose(rig, rng, 3), *rig.bounds.T)
    places, targets = fw.evaluate(rig, start), fw.evaluate(rig, goal)
    motion = np.linalg.norm(targets - places, axis=1)
    chosen = rng.choice(rig.vertex_count, 5, replace=False, p=motion / motion.sum())
    pins = [vertex_pin(v, targets) for v in chosen[:4]] + [surface_pin(rig, chosen[4], targets)]
    return Scene(rig, start, goal, pins, method)


def pose(rig: fw.Rig, rng: np.random.Generator, active: int) -> np.ndarray:
    weights = np.zeros(len(rig.sliders))
    chosen = rng.choice(len(weights), active, replace=False)
    weights[chosen] = rng.uniform(0.2, 1, active) * rng.permuted(rig.bounds[chosen], axis=1)[:, 0]
    full = rng.uniform(0.2, 1, active) * rig.bounds[chosen, 1]
    weights[chosen] = np.where(weights[chosen] == 0, full, weights[chosen])
    return weights


def vertex_pin(vertex: int, positions: np.ndarray, **options: Any) -> fw.Pin:
    return fw.Pin(vertex=int(vertex), target=positions[vertex], **options)


def surface_pin(rig: fw.Rig, vertex: int, positions: np.ndarray, **options: Any) -> fw.Pin:
    """A pin inside a triangle at a vertex."""
    triangle = int(np.flatnonzero((rig.triangles == vertex).any(axis=1))[0])
    mix = np.array([0.5, 0.3, 0.2])
    return fw.Pin(triangle=triangle, barycentric=mix, target=mix @ positions[rig.triangles[triangle]], **options)


def scaled(scene: Scene, factor: float) -> Scene:
    """The same in another unit."""
    pins = [replace(pin, target=factor * some(pin.target)) for pin in scene.pins]
    return replace(scene, rig=scale(scene.rig, factor), pins=pins)
