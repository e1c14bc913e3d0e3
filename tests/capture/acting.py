"""Takes made from known weights: what a solver is to find again."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.mesh.align import Similarity
from facewright.motion.take import Take
from facewright.rig.binding import Binding, bind_vertices
from facewright.rig.rig import Rig
from facewright.samples import mask


def smooth(rng: np.random.Generator, frames: int, columns: int, period: int = 20) -> np.ndarray:
    knots = rng.normal(size=(frames // period + 4, columns))
    return CubicSpline(np.arange(len(knots)) * period, knots)(np.arange(frames))


def head_motion(frames: int, size: float, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    turns = smooth(rng, frames, 3) * np.radians([8, 8, 5])
    return Rotation.from_euler("yxz", turns).as_matrix(), smooth(rng, frames, 3) * 0.03 * size


@dataclass(frozen=True, eq=False)
class Acted:
    """A take, and the truth behind it."""

    rig: Rig
    binding: Binding
    take: Take
    weights: np.ndarray  # (frames, n)
    rotations: np.ndarray
    offsets: np.ndarray

    def scaled(self, by: float) -> "Acted":
        """The same in a scene of another unit."""
        rig = replace(
            self.rig,
            neutral=self.rig.neutral * by,
            shapes=tuple(replace(shape, offsets=shape.offsets * by) for shape in self.rig.shapes),
        )
        binding = replace(self.binding, rest=self.binding.rest * by)
        return replace(self, rig=rig, binding=binding, take=replace(self.take, positions=self.take.positions * by))


@cache
def a_rig(shapes: int = 16) -> Rig:
    return mask(vertices=1500, shapes=shapes, seed=2)


@cache
def bent_rig() -> fw.Rig:
    """In-betweens that leave rest in another direction than where they end, products, and a slider with two ends."""
    plain = a_rig(12)
    names, deltas = plain.sliders, plain.deltas()
    aside = np.roll(deltas, 1, axis=2)

    def near(i: int, size: float) -> np.ndarray:
        return np.asarray(size * aside[i])

    more = [
        fw.Shape.from_dense(f"half {i}", near(i, 0.6), sliders=(names[i],), at=0.5, additive=True) for i in (0, 3, 6)
    ]
    more += [
        fw.Shape.from_dense(f"quarter {i}", near(i, 0.3), sliders=(names[i],), at=0.25, additive=True) for i in (0, 9)
    ]
    more += [
        fw.Shape.from_dense("0 1", near(1, 0.5), sliders=(names[0], names[1])),
        fw.Shape.from_dense("2 3 at half", near(2, 0.5), sliders=(names[2], names[3]), at=(1.0, 0.5)),
        fw.Shape.from_dense("4 5 6", near(5, 0.8), sliders=(names[4], names[5], names[6])),
        fw.Shape.from_dense("7 down", -0.5 * deltas[7] + near(7, 0.5), sliders=(names[7],), at=-1.0),
    ]
    bounds = np.tile([0.0, 1.0], (12, 1))
    bounds[7, 0] = -1.0
    return fw.Rig(plain.neutral, plain.polygons, (*plain.shapes, *more), sliders=names, bounds=bounds)


def markers_on(rig: Rig, count: int = 60) -> Binding:
    return bind_vertices(
        rig, {f"marker {i}": int(v) for i, v in enumerate(np.linspace(3, rig.vertex_count - 4, count))}
    )


def acted(
    rig: Rig | None = None,
    *,
    frames: int = 120,
    noise: float = 0.0,
    gaps: float = 0.0,
    head: bool = True,
    seed: int = 0,
) -> Acted:
    """Smooth weights on a rig, seen by markers."""
    rig = a_rig() if rig is None else rig
    rng = np.random.default_rng(seed)
    binding = markers_on(rig)
    weights = np.clip(0.35 * smooth(rng, frames, len(rig.sliders)) + 0.15, 0, 1)
    still = (np.eye(3)[None].repeat(frames, 0), np.zeros((frames, 3)))
    rotations, offsets = head_motion(frames, rig.size) if head else still
    seen = binding.places(fw.evaluate(rig, weights)) @ np.swapaxes(rotations, 1, 2) + offsets[:, None]
    seen += noise * rng.normal(size=seen.shape)
    seen[rng.uniform(size=seen.shape[:2]) < gaps] = np.nan
    return Acted(rig, binding, Take(binding.markers, seen, 60.0, "cm", "acted"), weights, rotations, offsets)


def moved_away(binding: Binding) -> tuple[Binding, Similarity]:
    """A binding for a take that stands elsewhere, turned and in another size, and the way from the rig to there."""
    away = Similarity(Rotation.from_rotvec((0.3, 2.0, -0.5)).as_matrix(), np.array([40.0, 10.0, -7.0]), 1.7)
    return replace(binding, rest=away(binding.rest), to_rig=away.inverse()), away


def mesh_error(rig: Rig, found: np.ndarray, true: np.ndarray) -> float:
    """Mean distance of the vertices from where they should be, over how far they move."""
    there, wanted = fw.evaluate(rig, found), fw.evaluate(rig, true)
    moved = np.linalg.norm(wanted - rig.neutral, axis=2).mean()
    return float(np.linalg.norm(there - wanted, axis=2).mean() / moved)
