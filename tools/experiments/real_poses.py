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
_STILL = 0.02  # of the rig's size: a pose that moves nothing further is left out
Solve = Callable[[Task], Floats]


def results() -> Results:
    """One table: median mesh errors by face, for an exact hand and two that slip."""
    if not has_takes():
        return Results("posing.md")
    columns = {name: of_face(rig, thirds(real_weights(rig))[2]) for name, rig in arkit_faces().items()}
    methods = list(next(iter(columns.values())))
    rows = [
        [method, *(" / ".join(f"{e:.3f}" for e in columns[face][method]) for face in columns)] for method in methods
    ]
    for name, shown in (
        ("natural, learned", LEARNED),
        ("natural, names alone", NAMES),
        ("natural, wrong habits", WRONG),
    ):
        shares = {
            face: column[shown] / np.min([column[each] for each in PUBLISHED], axis=0)
            for face, column in columns.items()
        }
        rows.append(
            [f"*{name}, over the best published*", *(" / ".join(f"{e:.2f}" for e in shares[face]) for face in columns)]
        )
    return Results("posing.md", {"real-poses": markdown(["method", *columns], rows)})


LEARNED, NAMES, WRONG = (
    "**natural**, learned from other minutes",
    "**natural**, by names alone",
    "**natural**, learned from another rig's animation",
)


def of_face(rig: fw.Rig, poses: Floats, learned: Floats | None = None) -> dict[str, Floats]:
    """The median errors (noises,) of every method on poses (frames, n)."""
    first, second, _ = thirds(real_weights(rig))
    face = Face.of(rig)
    natural = {
        LEARNED: fw.PoseSolver(
            rig, prior=fw.Prior.learn(rig, np.concatenate([first, second]) if learned is None else learned)
        ),
        NAMES: fw.PoseSolver(rig),
        WRONG: fw.PoseSolver(rig, prior=fw.Prior.learn(rig, production_clip())),
    }
    solves: dict[str, Solve] = {name: _natural(solver) for name, solver in natural.items()}
    solves["bounded (default)"] = lambda task: face.solver.solve(task.pins(), sliders="all").weights
    solves |= {name: partial(method, face.solver) for name, method in PUBLISHED.items()}
    cases = [list(tasks(rig, poses, noise=noise)) for noise in NOISES]
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


def tasks(rig: fw.Rig, poses: Floats, *, noise: float, seed: int = 1) -> Iterator[Task]:
    """Frames of the recording, and pins on what they move."""
    rng = np.random.default_rng(seed)
    evaluate = fw.Evaluator(rig)
    for frame in rng.choice(len(poses), COUNT, replace=False):
        positions = evaluate(poses[frame])
        moved = np.linalg.norm(positions - rig.neutral, axis=1)
        vertices = placed(rig, moved, PLACEMENT, int(rng.integers(PINS[0], PINS[1] + 1)), rng)
        slip = rng.normal(size=(len(vertices), 3)) * noise * np.sqrt((moved[vertices] ** 2).mean() / 3)
        if moved.max() > _STILL * rig.size / 10:
            yield Task(poses[frame], vertices, positions[vertices] + slip)


def _natural(solver: fw.PoseSolver) -> Solve:
    return lambda task: solver.solve(task.pins(), method="natural", sliders="all").weights


def _median(face: Face, solve: Solve, runs: list[Task]) -> float:
    errors = []
    for task in runs:
        off = solve(task) - task.pose
        errors.append(np.sqrt((off @ face.gram @ off) / (task.pose @ face.gram @ task.pose)))
    return float(np.median(errors))
