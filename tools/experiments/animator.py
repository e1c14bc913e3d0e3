"""A simulated animator: hidden poses of a few shapes, and the pins she would drag to reach them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import facewright as fw
from facewright.arrays import Floats, Ints

PLACEMENTS = ("anywhere it moves", "drawn by motion", "far apart")
_STILL = 0.01  # of the largest motion: less is not moving


@dataclass(frozen=True, eq=False)
class Task:
    """A hidden pose, and pins at vertices of it with the places they are dragged to."""

    pose: Floats  # (n,)
    vertices: Ints  # (k,)
    targets: Floats  # (k, 3)

    def pins(self) -> list[fw.Pin]:
        return [fw.Pin(vertex=int(v), target=target) for v, target in zip(self.vertices, self.targets, strict=True)]


def tasks(rig: fw.Rig, placement: str, *, noise: float = 0.0, count: int = 200, seed: int = 1) -> Iterator[Task]:
    """`noise` is how far the hand is off, as a share of the pins' typical motion."""
    rng = np.random.default_rng(seed)
    evaluate = fw.Evaluator(rig)
    for _ in range(count):
        pose = hidden_pose(rig, rng)
        positions = evaluate(pose)
        moved = np.linalg.norm(positions - rig.neutral, axis=1)
        vertices = placed(rig, moved, placement, int(rng.integers(3, 9)), rng)
        slip = rng.normal(size=(len(vertices), 3)) * noise * np.sqrt((moved[vertices] ** 2).mean() / 3)
        yield Task(pose, vertices, positions[vertices] + slip)


def hidden_pose(rig: fw.Rig, rng: np.random.Generator) -> Floats:
    """Two to four shapes that do something, no two of which exclude each other."""
    largest = np.array([np.linalg.norm(shape.offsets, axis=1).max(initial=0.0) for shape in rig.shapes])
    live = np.flatnonzero(largest > _STILL * largest.max())
    while True:
        chosen = rng.choice(live, min(int(rng.integers(2, 5)), len(live)), replace=False)
        names = {rig.sliders[i] for i in chosen}
        if not any(names >= set(pair) for pair in rig.exclusive):
            pose = np.zeros(len(rig.sliders))
            pose[chosen] = rng.uniform(0.2, 1.0, len(chosen))
            return pose


def placed(rig: fw.Rig, moved: Floats, placement: str, count: int, rng: np.random.Generator) -> Ints:
    if placement == "anywhere it moves":
        return rng.choice(np.flatnonzero(moved > _STILL * moved.max()), count, replace=False)
    if placement == "drawn by motion":
        return rng.choice(len(moved), count, replace=False, p=moved / moved.sum())
    return far_apart(rig, moved, count)


def far_apart(rig: fw.Rig, moved: Floats, count: int) -> Ints:
    """The vertex that moves most, then always the one that moves much and is far from those before."""
    chosen = [int(moved.argmax())]
    apart = np.full(len(moved), np.inf)
    while len(chosen) < count:
        apart = np.minimum(apart, np.linalg.norm(rig.neutral - rig.neutral[chosen[-1]], axis=1))
        chosen.append(int((apart * moved).argmax()))
    return np.array(chosen)
