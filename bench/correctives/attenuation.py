"""Moves of sliders with attenuation on: time, and how far the selected points move of what they would."""

from collections.abc import Iterator
from time import process_time

import numpy as np

import facewright as fw
from bench.correctives.production import FOLDER, animation, linear_part, production_rig
from bench.row import Row

TASK = "attenuation"
SELECTED, STEPS, LATER = 40, 12, 100  # vertices, updates, frames
FRAMES = range(20, 1900, 60)


def rows() -> Iterator[Row]:
    if not FOLDER.is_dir():
        return
    (ours, left), (theirs, _) = (_moves(rig) for rig in (production_rig(), linear_part()))
    slow = float(np.percentile(ours, 90))
    case = f"production rig, {SELECTED} vertices"
    yield Row(TASK, case, _median(ours), slow, "its linear part", _median(theirs), "2 times", percentile=90)
    still, worst = float(np.median(left)), float(np.percentile(left, 90))
    case = f"{case}: their motion, share of without"
    yield Row(TASK, case, still, worst, "no attenuation", 1.0, unit="", percentile=90)


def _moves(rig: fw.Rig) -> tuple[list[float], list[float]]:
    """Milliseconds of updates, and what is left of the selected points' motion, from frames to later ones."""
    solver, face, poses = fw.PoseSolver(rig), fw.Evaluator(rig), animation()
    times, left = [], []
    for frame in FRAMES:
        reference, goal = poses[frame], poses[frame + LATER]
        before, after = face(reference), face(goal)
        motion = np.linalg.norm(after - before, axis=1)
        away = np.linalg.norm(rig.neutral - rig.neutral[motion.argmax()], axis=1)
        selected = np.argsort(away)[:SELECTED]
        if not motion[selected].any():
            continue
        attenuation = solver.attenuate(selected, reference)
        for share in np.linspace(0, 1, STEPS + 1)[1:]:
            start = process_time()
            found = attenuation.solve(reference + share * (goal - reference))
            times.append(1000 * (process_time() - start))
        moved = np.linalg.norm((face(found.weights) - before)[selected])
        left.append(float(moved / np.linalg.norm((after - before)[selected])))
    return times, left


def _median(times: list[float]) -> float:
    return float(np.median(times))
