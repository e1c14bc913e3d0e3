"""Takes of 41 markers on a rig with correctives: time, and how far the mesh is from the truth, beside the linear part.

The take is the second half of an animation; a prior is learned from the first. The linear part is what the solver is
without correctives: its weights are played on the whole rig. The floor is what noise leaves of weights that are told
which sliders are on (see `floor.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import process_time

import numpy as np
from tools.experiments.layouts import markers
from tools.experiments.takes import Known, has_takes, known_markers, named_binding

import facewright as fw
from bench.correctives.floor import weights_told_which_are_on
from bench.correctives.production import FOLDER, animation, linear_part, production_rig
from bench.row import Row
from facewright.arrays import Floats
from facewright.capture.options import Head

TASK = "take"
LEARNED = 1000  # frames at the beginning that a prior is learned from; the others are the take
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
    """What weights make of a take."""

    error: float  # mean distance of the skin from the truth, over how far it moves
    worst: float  # the same of the worst tenth of the frames
    on: float  # mean number of sliders
    milliseconds: float = 0.0  # of the processor, a frame


@dataclass(frozen=True)
class Comparison:
    """One take, solved in several ways."""

    case: tuple[str, str]  # markers and scene
    ours: Figures
    linear: Figures  # correctives ignored
    ours_learned: Figures  # with a learned prior
    linear_learned: Figures
    straight: Figures  # the take of the linear part itself, solved on it
    floor: Figures  # told which sliders are on


def rows() -> Iterator[Row]:
    for one in everything():
        case = ", ".join(one.case)
        time, name = one.ours.milliseconds, "its linear part"
        yield Row(TASK, f"{case}, a frame", time, time, name, one.linear.milliseconds, "400 frames/s: 2.5 ms")
        yield _error(f"{case}: mean mesh error", one.ours, "correctives ignored", one.linear, "half")
        learned = f"{case}, learned prior: mean mesh error"
        yield _error(learned, one.ours_learned, "correctives ignored", one.linear, "half")
        yield _error(learned, one.ours_learned, "correctives ignored, learned prior", one.linear_learned)
        if one.floor.error > 1e-6:
            yield _error(f"{case}: mean mesh error", one.ours, "told which sliders are on", one.floor)


def _error(case: str, ours: Figures, baseline: str, other: Figures, goal: str = "") -> Row:
    return Row(TASK, case, ours.error, ours.worst, baseline, other.error, goal, unit="", percentile=90)


def everything() -> Iterator[Comparison]:
    if not FOLDER.is_dir():
        return
    rig, linear = production_rig(), linear_part()
    prior = fw.Prior.learn(rig, animation()[:LEARNED])
    bindings = {"41 markers evenly spread": markers(rig, "evenly spread", 0)}
    if has_takes():
        bindings = {"41 markers as in recordings": named_binding(rig)} | bindings
    for layout, binding in bindings.items():
        for scene in SCENES:
            known, straight = (recorded(one, binding, scene) for one in (rig, linear))
            yield Comparison(
                (layout, scene.name),
                solved(known, rig, scene),
                solved(known, linear, scene),
                solved(known, rig, scene, prior),
                solved(known, linear, scene, prior),
                solved(straight, linear, scene),
                figures(known, weights_told_which_are_on(known)),
            )


def recorded(rig: fw.Rig, binding: fw.Binding, scene: Scene) -> Known:
    """The second half of the animation on a rig, as a scene shows it."""
    moves = scene.head != "still"
    return known_markers(rig, animation()[LEARNED:], binding, noise=scene.noise, gaps=scene.gaps, moves=moves)


def solved(known: Known, rig: fw.Rig, scene: Scene, prior: fw.Prior | None = None) -> Figures:
    """A take solved on a rig, and its weights played on the rig that is behind the take."""
    solver = fw.TakeSolver(rig, known.binding, head=scene.head, prior=prior)
    start = process_time()
    found = solver.solve(known.take)
    return replace(figures(known, found.weights), milliseconds=1000 * (process_time() - start) / len(found))


def figures(known: Known, weights: Floats) -> Figures:
    """Weights (frames, n) played on the rig that is behind a take."""
    away, moved = distances(known, weights)
    error, worst = float(away.mean() / moved.mean()), float(np.percentile(away, 90) / moved.mean())
    return Figures(error, worst, float((weights > 0.01).sum(axis=1).mean()))


def distances(known: Known, weights: Floats) -> tuple[Floats, Floats]:
    """Mean distance of the skin from the truth, and how far the truth moves it, in some of the frames (f,), (f,)."""
    face, frames, skin = fw.Evaluator(known.rig), np.arange(0, len(weights), EVERY), known.skin
    there, wanted = (face(each[frames])[:, skin] for each in (weights, known.weights))
    rest = known.rig.neutral[skin]
    return np.linalg.norm(there - wanted, axis=2).mean(axis=1), np.linalg.norm(wanted - rest, axis=2).mean(axis=1)


def table() -> str:
    """The figures as markdown."""
    errors = ["mesh error", "correctives ignored", "of that", "learned prior", "of that", "its correctives ignored"]
    head = [
        "markers",
        "take",
        *errors,
        "without correctives",
        "told which are on",
        "sliders on",
        "frames/s",
        "linear part",
    ]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for one in everything():
        cells = [f"{one.ours.error:.3f}", f"{one.linear.error:.3f}", f"{one.ours.error / one.linear.error:.2f}"]
        cells += [f"{one.ours_learned.error:.3f}", f"{one.ours_learned.error / one.linear.error:.2f}"]
        cells += [f"{each.error:.3f}" for each in (one.linear_learned, one.straight, one.floor)]
        cells += [f"{one.ours.on:.0f}", *(f"{1000 / each.milliseconds:,.0f}" for each in (one.ours, one.linear))]
        lines.append(f"| {' | '.join([*one.case, *cells])} |")
    return "\n".join(lines)
