"""A face whose true shapes are known: another person's own expression units, stronger here and weaker there."""

from dataclasses import dataclass
from functools import cache

import numpy as np

import facewright as fw


@dataclass(frozen=True)
class Truth:
    template: fw.Rig
    rig: fw.Rig  # the actor as he really moves

    def poses(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Weights (count, n) of poses of three or four shapes; every shape about equally often, no exclusive pair."""
        weights, bag = np.zeros((count, len(self.rig.sliders))), list[int]()
        for row in weights:
            chosen: list[int] = []
            for _ in range(rng.integers(3, 5)):
                bag = ([i for i in bag if i not in chosen] and bag) or rng.permutation(len(row)).tolist()
                chosen.append(next(i for i in bag if i not in chosen and not self._excluded(i, chosen)))
                bag.remove(chosen[-1])
            row[chosen] = rng.uniform(0.3, 1, len(chosen))
        return weights

    def _excluded(self, slider: int, chosen: list[int]) -> bool:
        names = {self.rig.sliders[i] for i in chosen}
        return any(self.rig.sliders[slider] in pair and names & set(pair) for pair in self.rig.exclusive)

    def error(self, rig: fw.Rig, weights: np.ndarray) -> float:
        """Mean over poses of what is off in them, relative to their motion."""
        wanted, found = (fw.evaluate(one, weights) - self.rig.neutral for one in (self.rig, rig))
        return float((np.linalg.norm(found - wanted, axis=(1, 2)) / np.linalg.norm(wanted, axis=(1, 2))).mean())


@cache
def truth(person: str = "kenji", seed: int = 0) -> Truth:
    """The default head's units as template; a person whose units are changed by a smooth amplitude each, 0.3 to 3."""
    own, rng = fw.sample(person, shapes="units"), np.random.default_rng(seed)
    shapes = tuple(fw.Shape(s.name, s.vertices, s.offsets * _amplitude(own, s, rng)[:, None]) for s in own.shapes)
    changed = fw.Rig(own.neutral, own.polygons, shapes, exclusive=own.exclusive, parts=own.parts)
    return Truth(fw.sample(shapes="units"), changed)


def _amplitude(rig: fw.Rig, shape: fw.Shape, rng: np.random.Generator) -> np.ndarray:
    direction = rng.normal(size=3)
    along = rig.neutral[shape.vertices] @ direction / np.linalg.norm(direction)
    wave = np.sin(2 * np.pi * along / rng.uniform(12, 24) + rng.uniform(0, 2 * np.pi))
    return np.asarray(np.exp(rng.uniform(-0.5, 0.5) + 0.6 * wave))


def guessed(weights: np.ndarray, off: float, rng: np.random.Generator) -> np.ndarray:
    """The weights as a person would guess them: the right sliders, each off by up to so much."""
    return np.clip(weights + (weights > 0) * rng.uniform(-off, off, weights.shape), 0, 1)
