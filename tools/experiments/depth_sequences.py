"""Depth sequences whose truth is known: a face plays real weights before a depth camera, with the camera's faults."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.spatial.transform import Rotation
from tools.experiments.takes import moving_head

import facewright as fw
from facewright.arrays import Floats
from facewright.motion.depth import DepthImage, Pinhole, ScanSequence
from facewright.render.depth import render_depth

LENS = Pinhole(300.0, 300.0, 159.5, 119.5, 320, 240)
NOISE = 0.001  # metres at 40 cm; it grows with the square of the distance
STEP = 0.0005  # of the quantisation there
AWAY = 0.42  # metres to the middle of the face
RATE = 30.0
METRES = 0.01  # in a scene unit of the faces
TO_CAMERA = np.diag([1.0, -1.0, -1.0])  # a face that looks at the camera
_HOLES = 6  # in a picture
_GRAZING = (0.1, 0.35)  # cosines between which less and less is measured


@dataclass(frozen=True, eq=False)
class KnownDepth:
    """A sequence and what is behind it."""

    rig: fw.Rig
    sequence: ScanSequence
    weights: Floats  # (frames, n)
    rotations: Floats  # (frames, 3, 3) of the camera's picture of the head: x -> METRES R x + o
    offsets: Floats  # (frames, 3) metres


def known_depth(
    rig: fw.Rig, weights: Floats, *, seed: int = 0, noise: float = NOISE, moves: float = 1.0, lens: Pinhole = LENS
) -> KnownDepth:
    """The face at weights (frames, n), its head moving, as a camera about 42 cm away measures it."""
    rng = np.random.default_rng(seed)
    turns, shifts = moving_head(rng, len(weights), rig.size)
    turns = Rotation.from_rotvec(moves * Rotation.from_matrix(turns).as_rotvec()).as_matrix()
    middle = rig.neutral[rig.neutral[:, 2] > np.quantile(rig.neutral[:, 2], 0.7)].mean(axis=0)
    rotations = TO_CAMERA @ turns
    offsets = METRES * (moves * shifts @ TO_CAMERA.T - rotations @ middle) + [0, 0, AWAY]
    frames = []
    for row, rotation, offset in zip(weights, rotations, offsets, strict=True):
        seen = METRES * fw.evaluate(rig, row) @ rotation.T + offset
        frames.append(DepthImage(measured(seen, rig, lens, rng, noise), lens))
    times = np.arange(len(weights)) / RATE
    return KnownDepth(rig, ScanSequence(frames, times, "known"), weights, rotations, offsets)


def measured(seen: Floats, rig: fw.Rig, lens: Pinhole, rng: np.random.Generator, noise: float = NOISE) -> np.ndarray:
    """A depth image (height, width) of a face (v, 3) in metres, with noise, steps, holes and grazing loss."""
    exact = render_depth(seen, rig.triangles, lens)
    depth = exact.depth.copy()
    if noise:
        rough = gaussian_filter(rng.normal(size=depth.shape), 0.7)  # neighbouring pixels share a patch of the pattern
        depth += noise * (depth / 0.4) ** 2 * rough / rough.std()
        step = STEP / 0.4**2  # of 1 / depth, which is what a camera measures
        depth = np.where(depth > 0, 1 / np.maximum(np.round(1 / np.maximum(depth, 0.05) / step) * step, step), 0)
        lost = rng.uniform(size=depth.shape) > (exact.facing - _GRAZING[0]) / (_GRAZING[1] - _GRAZING[0])
        rows, columns = np.indices(depth.shape)
        for _ in range(_HOLES):
            row, column, radius = rng.uniform(0, lens.height), rng.uniform(0, lens.width), rng.uniform(1, 6)
            lost |= (rows - row) ** 2 + (columns - column) ** 2 < radius**2
        depth[lost] = 0
    return np.where(exact.depth > 0, depth, 0).astype(np.float32)


def part(known: KnownDepth, frames: slice) -> KnownDepth:
    """Some of the frames."""
    sequence = replace(known.sequence, frames=known.sequence.frames[frames], times=known.sequence.times[frames])
    return replace(
        known, sequence=sequence, weights=known.weights[frames], rotations=known.rotations[frames],
        offsets=known.offsets[frames],
    )  # fmt: skip
