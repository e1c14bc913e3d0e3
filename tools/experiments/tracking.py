"""Following faces in depth with known truth: with the true rig, with a transferred one, refined, and a real mannequin.

Constants of `tracking/` were chosen on the embedded head and the first half of the recording (`CHOSEN`). Reported are
ICT identities and the second half (`REPORTED`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import uniform_filter
from tools.experiments.build_truth import ict, identity
from tools.experiments.depth_sequences import KnownDepth, known_depth
from tools.experiments.faces import SHARED
from tools.experiments.takes import correlation, real_weights

import facewright as fw
from facewright.arrays import Floats
from facewright.motion.depth import DepthImage, ScanSequence
from facewright.samples.head import people
from facewright.tracking.identity import FittedIdentity, fit_identity, people_modes
from facewright.tracking.surface_samples import SurfaceSamples

CHOSEN = (("embedded head", 300), ("embedded head", 1500))
REPORTED = (("ICT 101", 2200), ("ICT 102", 3300))
FRAMES = 300
_EVERY = 5  # frames


@dataclass(frozen=True)
class TrackFigures:
    """How well one sequence was followed."""

    case: str
    error: float  # of the skin, over its motion
    correlation: float  # median over the sliders that move
    residual: float  # mm


def rig_of(name: str) -> fw.Rig:
    """The embedded head, or an ICT identity."""
    return fw.sample() if name == "embedded head" else identity(int(name.split()[1]))


def known(name: str, start: int, frames: int = FRAMES) -> KnownDepth:
    """Depth of a person who plays a part of the recording."""
    rig = rig_of(name)
    return known_depth(rig, real_weights(rig)[start : start + frames], seed=start)


def mesh_error(truth: KnownDepth, rig: fw.Rig, weights: Floats, frames: np.ndarray | None = None) -> float:
    """Mean distance of the skin that is compared from where it should be, over how far it moves, the head held."""
    skin = SurfaceSamples(truth.rig, 6000).vertices
    at = np.arange(0, len(weights), _EVERY) if frames is None else frames
    wanted = fw.evaluate(truth.rig, truth.weights[at])[:, skin]
    there = fw.evaluate(rig, weights[at])[:, skin]
    moved = np.linalg.norm(wanted - truth.rig.neutral[skin], axis=2).mean()
    return float(np.linalg.norm(there - wanted, axis=2).mean() / moved)


def correlation_of(truth: KnownDepth, weights: Floats) -> float:
    """The median over the sliders that move and that skin shows: gaze and tongue are not looked for in depth."""
    free = fw.TrackSolver(truth.rig).free
    return correlation(truth.weights[:, free], weights[:, free])


def with_true_rigs(cases: tuple[tuple[str, int], ...] = REPORTED) -> Iterator[TrackFigures]:
    """Each case with the rig that made the depth."""
    for name, start in cases:
        truth = known(name, start)
        for prior, words in ((None, "names"), (learned(truth.rig), "learned from the other half")):
            found = fw.track(truth.rig, truth.sequence, prior=prior)
            error, alike = mesh_error(truth, truth.rig, found.weights), correlation_of(truth, found.weights)
            left = 1000 * float(np.nanmedian(found.residual))
            yield TrackFigures(f"{name}, frames {start} to {start + FRAMES}, prior: {words}", error, alike, left)


def learned(rig: fw.Rig) -> fw.Prior:
    """What the first half of the recording tells."""
    weights = real_weights(rig)
    return fw.Prior.learn(rig, weights[: len(weights) // 2])


def mannequin() -> ScanSequence:
    """The real frames of a mannequin that is turned."""
    with np.load(SHARED / "depth" / "sven_truedepth.npz") as data:
        lens = fw.Pinhole.of(data["intrinsics"], (data["depth"].shape[2], data["depth"].shape[1]))
        frames = [DepthImage(np.where(each < 2, each, 0).astype(np.float32), lens) for each in data["depth"]]
        return ScanSequence(frames, data["time"], "mannequin")


def mannequin_identity(sequence: ScanSequence) -> FittedIdentity:
    """The embedded head with the mannequin's face."""
    modes = people_modes([fw.sample(name).neutral for name in people()])
    return fit_identity(fw.sample(), sequence, modes=modes)


def depth_noise(sequence: ScanSequence) -> float:
    """Standard deviation of depth about the mean of its neighbours on smooth surfaces, metres."""
    found = []
    for frame in sequence.frames:
        assert isinstance(frame, DepthImage)
        depth = frame.depth.astype(np.float64)
        seen = uniform_filter((depth > 0).astype(float), 5) > 0.99
        off = depth - uniform_filter(depth, 5)
        off = off[seen & (depth < 0.45)]
        found.append(1.4826 * np.median(np.abs(off - np.median(off))))
    return float(np.median(found))


def transferred(name: str) -> tuple[fw.Rig, fw.Rig]:
    """The template, and its shapes on the person's true neutral."""
    template = fw.sample() if name == "embedded head" else ict()
    return template, fw.transfer(template, rig_of(name).neutral)
