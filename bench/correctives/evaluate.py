"""Evaluating the frames of an animation, beside the time that reading the offsets of their active shapes takes."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np

import facewright as fw
from bench.correctives.generated import generated_animation, generated_rig
from bench.correctives.production import FOLDER, animation, production_rig
from bench.row import Row, seconds

TASK = "evaluate"
REPEATS = 7
LENGTH, SCENES = 40, (0, 500, 1000, 1500)  # frames in a row, from these
BETWEEN = 5  # frames from one generated pose to the next


def rows() -> Iterator[Row]:
    if FOLDER.is_dir():
        frames = np.concatenate([animation()[start : start + LENGTH] for start in SCENES])
        yield _compared("production rig, frames in a row", production_rig(), frames, "within 2x")
    poses = generated_animation()
    shares = np.linspace(0, 1, BETWEEN, endpoint=False)[:, None]
    frames = np.concatenate([(1 - shares) * one + shares * other for one, other in pairwise(poses)])
    yield _compared("50K x 946 behind 64 sliders, frames in a row", generated_rig(), frames)


def _compared(case: str, rig: fw.Rig, poses: np.ndarray, goal: str = "") -> Row:
    """Medians over the poses, each timed in turn with its baseline: offsets of its shapes, neutral and result."""
    run = fw.Evaluator(rig)
    blocks = [np.ones(run.bytes_touched(pose) // 8) for pose in poses]
    turns = []
    for _ in range(REPEATS):
        pairs = zip(poses, blocks, strict=True)
        turns.append([(seconds(partial(run, pose)), seconds(block.sum)) for pose, block in pairs])
    ours, read = 1000 * np.median(turns, axis=0).T
    slow, name = float(np.percentile(ours, 90)), "read those bytes"
    return Row(TASK, case, float(np.median(ours)), slow, name, float(np.median(read)), goal, percentile=90)
