"""Lewis 2005, sec. 1: 946 shapes behind 64 sliders; what attenuation and what the paper rejects cost on such a rig."""

from collections.abc import Callable
from itertools import pairwise
from time import process_time

import numpy as np
from bench.correctives.generated import SHAPES, SLIDERS, VERTICES, generated_animation, generated_rig
from tools.experiments.attenuation import Scene
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats
from facewright.pose.rejected import null_space, orthogonal_to, zeroed_rows

SELECTED = 40
SHARES = (0.25, 0.5, 0.75, 1.0)  # of the way that the sliders go, one update each

Update = Callable[[Floats], Floats]


def results() -> Results:
    rig, found = generated_rig(), dict[str, list[list[float]]]()
    solver = fw.PoseSolver(rig)
    poses = generated_animation()
    for before, after in pairwise(poses):
        for method, figures in measured(rig, solver, before, after).items():
            found.setdefault(method, []).append(figures)
    head = ["method", "drift, share of none", "of the other motion lost", "tear", "weights out of bounds by",
            "set up", "an update"]  # fmt: skip
    rows = [[method, *_cells(np.array(figures))] for method, figures in found.items()]
    size = f"{VERTICES:,} vertices, {SHAPES} shapes, {SLIDERS} sliders"
    return Results("papers-experiments.md", {"attenuation-946": markdown([f"{size}: {head[0]}", *head[1:]], rows)})


def measured(rig: fw.Rig, solver: fw.PoseSolver, before: Floats, after: Floats) -> dict[str, list[float]]:
    """Figures of each method for one move, the points about the one that moves most held."""
    way = np.linalg.norm(fw.evaluate(rig, after) - fw.evaluate(rig, before), axis=1)
    away = np.linalg.norm(rig.neutral - rig.neutral[way.argmax()], axis=1)
    selection = fw.Selection.of(np.argsort(away)[:SELECTED])
    scene = Scene(rig, before, selection, after)
    plain = scene.drift(after)
    return {name: _figures(scene, make, plain) for name, make in _methods(solver, scene).items()}


def _methods(solver: fw.PoseSolver, scene: Scene) -> dict[str, Callable[[], Update]]:
    """What is set up once, and gives the answer to each place of the sliders."""
    rig, selection, before = scene.rig, scene.selection, scene.reference
    used = [name for name, value in zip(rig.sliders, before, strict=True) if value]

    def attenuated() -> Update:
        attenuation = solver.attenuate(selection, before)
        return lambda weights: attenuation.solve(weights).weights

    return {
        "nothing": lambda: lambda weights: weights,
        "**attenuation**": attenuated,
        "null space": lambda: lambda weights: null_space(rig, selection, before, weights),
        "zeroed rows": lambda: lambda weights: zeroed_rows(rig, selection, before, weights),
        "orthogonal to the sliders used": lambda: lambda weights: orthogonal_to(rig, used, before, weights),
    }


def _figures(scene: Scene, make: Callable[[], Update], plain: float) -> list[float]:
    start = process_time()
    update = make()
    ready = process_time()
    answers = [update(scene.reference + share * (scene.wanted - scene.reference)) for share in SHARES]
    done = process_time()
    last = answers[-1]
    out = float(np.maximum(-last, last - 1).max().clip(0)) if last.ndim == 1 else np.nan
    times = 1000 * (ready - start), 1000 * (done - ready) / len(SHARES)
    return [scene.drift(last) / plain, scene.lost(last), scene.torn(last), out, *times]


def _cells(figures: Floats) -> list[str]:
    """Medians over the moves."""
    drift, lost, torn, out, ready, update = np.median(figures, axis=0)
    beyond = "-" if np.isnan(out) else f"{out:.2f}"
    return [f"{drift:.3f}", f"{lost:.0%}", f"{torn:.2f}", beyond, f"{ready:.0f} ms", f"{update:.2f} ms"]
