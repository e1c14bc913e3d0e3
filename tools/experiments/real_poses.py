"""Real poses, reached by dragging: frames of a recorded performance, and the pins that an animator would set on them.

Constants were chosen on the first third of the recording, on the embedded head and Face Cap, with a prior learned from
the second third. Reported is the last third, with a prior learned from the first two, on all faces.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from tools.experiments.animator import Task, placed
from tools.experiments.dragging import NOISES, Face
from tools.experiments.faces import SHARED, arkit_faces
from tools.experiments.methods import PUBLISHED
from tools.experiments.result import Results, markdown
from tools.experiments.takes import has_takes, real_weights

import facewright as fw
from facewright.arrays import Floats

COUNT = 150
PINS = (4, 14)
PLACEMENT = "drawn by motion"
_STILL = 2e-3  # of the rig's size: a pose that moves nothing further is left out
Solve = Callable[[Task], Floats]


LEARNED, NAMES, WRONG = (
    "**natural**, learned from other minutes",
    "**natural**, by names alone",
    "**natural**, learned from another rig's animation",
)


def results() -> Results:
    """One table: median mesh errors by face, for an exact hand and two that slip."""
    if not has_takes():
        return Results("posing.md")
    columns = {}
    for name, rig in arkit_faces().items():
        first, second, last = thirds(real_weights(rig))
        columns[name] = of_face(rig, last, np.concatenate([first, second]))
    rows = [
        [method, *(_cell(found[method], 3) for found in columns.values())] for method in next(iter(columns.values()))
    ]
    for method in (LEARNED, NAMES, WRONG):
        shares = [found[method] / np.min([found[each] for each in PUBLISHED], axis=0) for found in columns.values()]
        rows.append([f"*{method.replace('**', '')}, over the best published*", *(_cell(share, 2) for share in shares)])
    return Results("posing.md", {"real-poses": markdown(["method", *columns], rows)})


def _cell(numbers: Floats, digits: int) -> str:
    return " / ".join(f"{number:.{digits}f}" for number in numbers)


def of_face(rig: fw.Rig, poses: Floats, learned: Floats, *, count: int = COUNT) -> dict[str, Floats]:
    """Median errors (noises,) by method, on poses (frames, n), with a prior learned from others (frames, n)."""
    face = Face.of(rig)
    own = fw.PoseSolver(rig, prior=fw.Prior.learn(rig, learned))
    wrong = fw.PoseSolver(rig, prior=fw.Prior.learn(rig, production_clip()))
    solves: dict[str, Solve] = {
        LEARNED: _by(own, "natural"),
        NAMES: _by(face.solver, "natural"),
        WRONG: _by(wrong, "natural"),
        "automatic, learned from other minutes": _by(own, "automatic"),
        "automatic, by names alone": _by(face.solver, "automatic"),
        "bounded (default)": _by(face.solver, "bounded"),
    }
    solves |= {name: partial(method, face.solver) for name, method in PUBLISHED.items()}
    cases = [list(tasks(rig, poses, noise=noise, count=count)) for noise in NOISES]
    return {name: np.array([_median(face, solve, case) for case in cases]) for name, solve in solves.items()}


def thirds(weights: Floats) -> tuple[Floats, Floats, Floats]:
    """The recording (frames, n) in three parts."""
    third = len(weights) // 3
    return weights[:third], weights[third : 2 * third], weights[2 * third :]


def production_clip() -> fw.Clip:
    """The hand-made animation of another character."""
    with np.load(SHARED / "production_rig" / "controls.npz") as data:
        names, values = data["names"].tolist(), data["weights"].astype(np.float64)
    return fw.Clip.from_table("production rig", names, np.arange(len(values)) / 30, values)


def tasks(rig: fw.Rig, poses: Floats, *, noise: float, count: int = COUNT, seed: int = 1) -> Iterator[Task]:
    """Frames of the recording, and pins on what they move."""
    rng = np.random.default_rng(seed)
    evaluate = fw.Evaluator(rig)
    for frame in rng.choice(len(poses), count, replace=False):
        positions = evaluate(poses[frame])
        moved = np.linalg.norm(positions - rig.neutral, axis=1)
        vertices = placed(rig, moved, PLACEMENT, int(rng.integers(PINS[0], PINS[1] + 1)), rng)
        slip = rng.normal(size=(len(vertices), 3)) * noise * np.sqrt((moved[vertices] ** 2).mean() / 3)
        if moved.max() > _STILL * rig.size:
            yield Task(poses[frame], vertices, positions[vertices] + slip)


def _by(solver: fw.PoseSolver, method: str) -> Solve:
    """A recording has any slider, so any may be used."""
    return lambda task: solver.solve(task.pins(), method=method, sliders="all").weights


def _median(face: Face, solve: Solve, runs: list[Task]) -> float:
    errors = []
    for task in runs:
        off = solve(task) - task.pose
        errors.append(np.sqrt((off @ face.gram @ off) / (task.pose @ face.gram @ task.pose)))
    return float(np.median(errors))
