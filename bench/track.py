"""Following a face in depth with known truth: error, correlation, and speed on one core, warm.

Constants of `tracking/` were chosen on the embedded head and frames of the first half of the recording. Reported are
other people, the ICT identities 101 and 102 with their true rigs, and the second half.
"""

from collections.abc import Iterator
from time import process_time

import numpy as np
from tools.experiments.build_truth import identity
from tools.experiments.depth_sequences import KnownDepth, known_depth
from tools.experiments.faces import SHARED
from tools.experiments.takes import real_weights
from tools.experiments.tracking import (
    correlation_of,
    mannequin,
    mannequin_halves,
    mannequin_later,
    mesh_error,
    refined_rig,
)

import facewright as fw
from bench.row import Row

CASES = ((101, 2200), (102, 3300))
FRAMES = 300


def rows() -> Iterator[Row]:
    if not (SHARED / "ict_face").is_dir() or not (SHARED / "mocap_livelink").is_dir():
        return
    for seed, start in CASES:
        rig = identity(seed)
        known = known_depth(rig, real_weights(rig)[start : start + FRAMES], seed=seed)
        found = fw.track(rig, known.sequence)
        case = f"ICT {seed}, true rig, frames {start} to {start + FRAMES}"
        error = mesh_error(known, rig, found.weights)
        yield Row("track", f"{case}: mesh error", error, error, "face at rest", 1.0, "0.15", unit="")
        alike = correlation_of(known, found.weights)
        yield Row("track", f"{case}: correlation", alike, alike, "the same weights", 1.0, "0.9", unit="")
        yield speed(known)
    yield from refined()
    for name, largest in mannequin_halves(mannequin()):
        case = f"mannequin, {name} frames, its face made from the others: largest weight"
        yield Row("track", case, largest, largest, "a full pose", 1.0, "0.05", unit="")
    later = mannequin_later(mannequin())
    yield Row("track", "mannequin, frames 12 to 22: largest weight", later, later, "a full pose", 1.0, "0.05", unit="")


def refined() -> Iterator[Row]:
    """What refining a transferred rig brings in frames that were not used."""
    for seed, start in CASES:
        found = refined_rig(f"ICT {seed}", start)
        case = f"{found.case}, refined by {found.used} frames: share of the error left"
        share = found.after / found.before
        yield Row("track", case, share, share, "transferred rig", 1.0, "0.6", unit="")


def speed(known: KnownDepth) -> Row:
    """Processor time of a frame after the first ones, beside the time between frames."""
    solver = fw.TrackSolver(known.rig)
    times = []
    for frame, time in zip(known.sequence.frames[:120], known.sequence.times.tolist(), strict=False):
        start = process_time()
        solver.next(frame, time)
        times.append(1000 * (process_time() - start))
    warm = np.array(times[20:])
    lens = known.sequence.frames[0].lens  # type: ignore[union-attr]
    case = f"{lens.width} x {lens.height} depth, one frame, warm"
    return Row("track", case, float(np.median(warm)), float(np.percentile(warm, 99)), "30 frames/s", 1000 / 30, "1x")
