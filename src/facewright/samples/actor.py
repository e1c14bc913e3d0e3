"""An actor whose true shapes are known, for choosing how rigs are built and for measuring how good they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from facewright.arrays import Floats
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.samples.head import sample


@dataclass(frozen=True, eq=False)
class Actor:
    """A template, and a person of its topology with the person's true shapes."""

    template: Rig
    rig: Rig

    def poses(self, rng: np.random.Generator, count: int) -> Floats:
        """Weights (count, n) of poses of three or four shapes; every shape about equally often, no exclusive pair."""
        weights, bag = np.zeros((count, len(self.rig.sliders))), list[int]()
        for row in weights:
            chosen: list[int] = []
            for _ in range(rng.integers(3, 5)):
                if not any(self._fits(i, chosen) for i in bag):
                    bag = rng.permutation(len(row)).tolist()
                chosen.append(next(i for i in bag if self._fits(i, chosen)))
                bag.remove(chosen[-1])
            row[chosen] = rng.uniform(0.3, 1, len(chosen))
        return weights

    def error(self, rig: Rig, weights: Floats) -> float:
        """Mean over poses (k, n) of the rig's error, relative to their motion."""
        wanted, found = (evaluate(one, weights) - self.rig.neutral for one in (self.rig, rig))
        return float((np.linalg.norm(found - wanted, axis=(1, 2)) / np.linalg.norm(wanted, axis=(1, 2))).mean())

    def _fits(self, slider: int, chosen: list[int]) -> bool:
        names = {self.rig.sliders[i] for i in chosen}
        own = self.rig.sliders[slider]
        return own not in names and not any(own in pair and names & set(pair) for pair in self.rig.exclusive)


@cache
def actor(person: str = "kenji", seed: int = 0) -> Actor:
    """An actor: the default head's expression units as template, and a person with units of its own.

    Each unit is scaled by a smooth field between about 0.3 and 3. Lids so changed do not close.
    """
    own = sample(person, shapes="units")
    return Actor(sample(shapes="units"), personal(own, np.random.default_rng(seed)))


def personal(rig: Rig, rng: np.random.Generator) -> Rig:
    """A rig whose shapes are stronger here and weaker there, each by a smooth field between about 0.3 and 3."""
    shapes = tuple(replace(one, offsets=one.offsets * _amplitude(rig, one, rng)[:, None]) for one in rig.shapes)
    return replace(rig, shapes=shapes)


def guessed(weights: Floats, off: float, rng: np.random.Generator) -> Floats:
    """The weights as a person would guess them: the right sliders, each off by up to `off`."""
    return np.clip(weights + (weights > 0) * rng.uniform(-off, off, weights.shape), 0, 1)


def _amplitude(rig: Rig, shape: Shape, rng: np.random.Generator) -> Floats:
    direction = rng.normal(size=3)
    along = rig.neutral[shape.vertices] @ direction / np.linalg.norm(direction)
    wave = np.sin(2 * np.pi * along / rng.uniform(12, 24) + rng.uniform(0, 2 * np.pi))
    return np.asarray(np.exp(rng.uniform(-0.5, 0.5) + 0.6 * wave))
