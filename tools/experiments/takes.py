"""Takes whose truth is known: real weights played on a face, seen by 41 markers as a recording would show them."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation
from tools.experiments.faces import SHARED

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.capture.places import FacePlaces
from facewright.capture.solution import TakeSolution
from facewright.mesh.align import Similarity
from facewright.rig.combine import Combine

RATE = 30.0
NOISE = 0.3  # millimetres
GAPS = 0.05
MOVES = 0.05  # standard deviation of a slider that moves in the take
_RUN = 12  # frames that a gap lasts on average


@dataclass(frozen=True, eq=False)
class Known:
    """A take and what is behind it."""

    rig: fw.Rig
    binding: fw.Binding
    take: fw.Take
    weights: Floats  # (frames, n)
    clean: Floats  # (frames, k, 3) motion of the markers without noise, the head held
    rotations: Floats
    offsets: Floats

    @property
    def skin(self) -> Ints:
        return np.flatnonzero(FacePlaces(self.rig).skin)

    def first(self, frames: int) -> "Known":
        """The beginning of it."""
        parts = {name: getattr(self, name)[:frames] for name in ("weights", "clean", "rotations", "offsets")}
        return replace(self, take=replace(self.take, positions=self.take.positions[:frames]), **parts)


def has_takes() -> bool:
    return (SHARED / "mocap_markers").is_dir() and (SHARED / "mocap_livelink").is_dir()


def real_take(name: str) -> fw.Take:
    return fw.load_take(SHARED / "mocap_markers" / f"{name}.csv")


def known_take(rig: fw.Rig, *, noise: float = NOISE, gaps: float = GAPS, seed: int = 0, moves: bool = True) -> Known:
    """The phone recording's weights on the rig, with markers where the real ones are bound; the head moves or not."""
    return known_markers(rig, real_weights(rig), named_binding(rig), noise=noise, gaps=gaps, seed=seed, moves=moves)


def named_binding(rig: fw.Rig) -> fw.Binding:
    """Markers where those of the real takes are bound, on an actor who has this face."""
    bound = fw.bind(rig, real_take("JawMoCap"))
    here = Similarity(np.eye(3), np.zeros(3))
    return replace(bound, rest=bound.places(rig.neutral), to_rig=here, unit="cm", notes=())


def known_markers(
    rig: fw.Rig,
    weights: Floats,
    binding: fw.Binding,
    *,
    noise: float = NOISE,
    gaps: float = GAPS,
    seed: int = 0,
    moves: bool = True,
) -> Known:
    """Weights (frames, n) as bound markers show them."""
    clean = np.tensordot(Combine(rig)(weights), binding.rows(rig), axes=1)
    rng = np.random.default_rng(seed)
    rotations, offsets = moving_head(rng, len(weights), rig.size)
    if not moves:
        rotations, offsets = np.tile(np.eye(3), (len(weights), 1, 1)), np.zeros((len(weights), 3))
    seen = (binding.rest + clean) @ np.swapaxes(rotations, 1, 2) + offsets[:, None]
    seen += noise / 10 * rng.normal(size=seen.shape)
    seen[~_without_gaps(rng, seen.shape[:2], gaps)] = np.nan
    take = fw.Take(binding.markers, seen, RATE, "cm", "known")
    return Known(rig, binding, take, weights, clean, rotations, offsets)


def mesh_error(known: Known, found: TakeSolution) -> float:
    """Mean distance of the skin from where it should be, over how far it moves, in every twentieth frame."""
    frames = np.arange(0, len(found), 20)
    there = fw.Playback(found, residual=False)(frames)[:, known.skin]
    wanted = fw.evaluate(known.rig, known.weights[frames])[:, known.skin]
    moved = np.linalg.norm(wanted - known.rig.neutral[known.skin], axis=2).mean()
    return float(np.linalg.norm(there - wanted, axis=2).mean() / moved)


def mesh_error_of(known: Known, weights: Floats) -> float:
    """The same of weights (frames, n) on a rig without correctives."""
    frames, deltas = np.arange(0, len(weights), 20), known.rig.deltas()[:, known.skin]
    off, moved = (np.tensordot(each[frames], deltas, axes=1) for each in (weights - known.weights, known.weights))
    return float(np.linalg.norm(off, axis=2).mean() / np.linalg.norm(moved, axis=2).mean())


def correlation(true: Floats, found: Floats) -> float:
    """The median over the sliders that move in the take (frames, n); one that was not moved counts as 0."""
    moving = np.flatnonzero(true.std(axis=0) > MOVES)
    each = [np.corrcoef(true[:, i], found[:, i])[0, 1] if found[:, i].std() > 1e-9 else 0.0 for i in moving]
    return float(np.median(each))


def real_weights(rig: fw.Rig) -> Floats:
    """The range of motion that a phone recorded, on the rig's sliders by names (frames, n)."""
    clip = fw.retarget(fw.load_clip(SHARED / "mocap_livelink" / "alex_rom_3.csv"), rig).clip
    times = next(iter(clip.curves.values())).times
    return np.clip(clip.sample(rig.sliders, times), 0, 1)


def moving_head(rng: np.random.Generator, frames: int, size: float) -> tuple[Floats, Floats]:
    """Turns of some eight degrees and moves of some centimetres, smooth."""
    knots = rng.normal(size=(frames // 90 + 4, 6))
    way = CubicSpline(np.arange(len(knots)) * 90, knots)(np.arange(frames))
    return Rotation.from_euler("yxz", way[:, :3] * np.radians([8, 8, 5])).as_matrix(), way[:, 3:] * 0.03 * size


def _without_gaps(rng: np.random.Generator, shape: tuple[int, int], share: float) -> np.ndarray:
    seen = np.ones(shape, bool)
    while (~seen).mean() < share:
        start, marker = rng.integers(shape[0]), rng.integers(shape[1])
        seen[start : start + rng.integers(1, 2 * _RUN), marker] = False
    return seen
