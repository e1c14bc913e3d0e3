"""Takes of 41 markers on a rig with correctives: time, and how far the mesh is from the truth, beside the linear part.

The linear part is what the solver is without correctives: its weights are played on the whole rig.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import process_time

import numpy as np
from tools.experiments.layouts import markers
from tools.experiments.takes import Known, has_takes, known_markers, named_binding

import facewright as fw
from bench.correctives.production import FOLDER, animation, linear_part, production_rig
from bench.row import Row
from facewright.capture.options import Head
from facewright.capture.solution import TakeSolution

TASK = "take"
EVERY = 10  # frames of which one is compared with the truth


@dataclass(frozen=True)
class Scene:
    """How a take was recorded."""

    name: str
    head: Head
    noise: float  # millimetres
    gaps: float  # share of the markers


SCENES = (
    Scene("head still, exact", "still", 0.0, 0.0),
    Scene("head still, 0.3 mm noise, gaps", "still", 0.3, 0.05),
    Scene("head moves, 0.3 mm noise, gaps", "solved", 0.3, 0.05),
)


@dataclass(frozen=True)
class Figures:
    """What a rig's solver makes of a take."""

    error: float  # mean distance of the skin from the truth, over how far it moves
    worst: float  # the same of the worst tenth of the frames
    milliseconds: float  # of the processor, a frame
    on: float  # mean number of sliders


def rows() -> Iterator[Row]:
    for layout, scene, ours, linear, _ in everything():
        case = f"{layout}, {scene}"
        name, ignoring = "its linear part", "correctives ignored"
        time = ours.milliseconds, ours.milliseconds, name, linear.milliseconds, "400 frames/s: 2.5 ms"
        yield Row(TASK, f"{case}, a frame", *time)
        error = ours.error, ours.worst, ignoring, linear.error, "half"
        yield Row(TASK, f"{case}: mean mesh error", *error, unit="", percentile=90)


def everything() -> Iterator[tuple[str, str, Figures, Figures, Figures]]:
    """Layout, scene, and the figures of the whole rig, of its linear part, and of the linear part's own take."""
    if not FOLDER.is_dir():
        return
    rig, linear = production_rig(), linear_part()
    bindings = {"41 markers evenly spread": markers(rig, "evenly spread", 0)}
    if has_takes():
        bindings = {"41 markers as in recordings": named_binding(rig)} | bindings
    for layout, binding in bindings.items():
        for scene in SCENES:
            known, straight = (recorded(one, binding, scene) for one in (rig, linear))
            parts = measured(known, rig, scene), measured(known, linear, scene), measured(straight, linear, scene)
            yield layout, scene.name, *parts


def recorded(rig: fw.Rig, binding: fw.Binding, scene: Scene) -> Known:
    """The animation on a rig, as a scene shows it."""
    moves = scene.head != "still"
    return known_markers(rig, animation(), binding, noise=scene.noise, gaps=scene.gaps, moves=moves)


def measured(known: Known, rig: fw.Rig, scene: Scene) -> Figures:
    """A take solved on a rig, and its weights played on the rig that is behind the take."""
    solver = fw.TakeSolver(rig, known.binding, head=scene.head)
    start = process_time()
    found = solver.solve(known.take)
    spent = 1000 * (process_time() - start) / len(found)
    away, moved = distances(known, replace(found, rig=known.rig))
    worst = float(np.percentile(away, 90) / moved.mean())
    return Figures(float(away.mean() / moved.mean()), worst, spent, float((found.weights > 0.01).sum(axis=1).mean()))


def distances(known: Known, found: TakeSolution) -> tuple[np.ndarray, np.ndarray]:
    """Mean distance of the skin from the truth, and how far the truth moves it, in some of the frames (f,), (f,)."""
    face, frames, skin = fw.Evaluator(known.rig), np.arange(0, len(found), EVERY), known.skin
    there, wanted = (face(each[frames])[:, skin] for each in (found.weights, known.weights))
    rest = known.rig.neutral[skin]
    return np.linalg.norm(there - wanted, axis=2).mean(axis=1), np.linalg.norm(wanted - rest, axis=2).mean(axis=1)


def table() -> str:
    """The figures as markdown."""
    errors = ["mesh error", "correctives ignored", "of that", "without correctives"]
    head = ["markers", "take", *errors, "sliders on", "frames/s", "linear part"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for layout, scene, ours, linear, straight in everything():
        cells = [f"{ours.error:.3f}", f"{linear.error:.3f}", f"{ours.error / linear.error:.2f}"]
        cells += [f"{straight.error:.3f}", f"{ours.on:.0f}"]
        cells += [f"{1000 / one.milliseconds:,.0f}" for one in (ours, linear)]
        lines.append(f"| {layout} | {scene} | {' | '.join(cells)} |")
    return "\n".join(lines)
