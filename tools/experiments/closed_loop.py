"""Cetinaslan 2017, sec. 4: an animator who looks, drags where the face is furthest off, and looks again.

And why our tables contradict the printed ones: the unit, the step, where pins sit, how exact the hand is, and how often
she drags, each varied alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from tools.experiments.animator import PLACEMENTS, Task, hidden_pose, tasks
from tools.experiments.methods import rows as rows_of
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats
from facewright.pose.pin_rows import PinRows
from facewright.rig.edit import scale
from facewright.solve import printed
from facewright.solve.filters import Filter, Hybrid, PseudoInverse, Spectrum, Tikhonov, Transpose

POSES = 60
DRAGS = (1, 2, 4, 8, 16)
SLIPS = (0.0, 0.05, 0.1, 0.2, 0.4)
CONTENT = 0.05  # of the pose's motion: nearer than that she is content
_CLOSE = 0.03  # of the rig's size: pins of one cluster

Step = Callable[[fw.PoseSolver, Sequence[fw.Pin], Floats], Floats]  # a solver, pins and the pose before -> the next


def ours(solver: fw.PoseSolver, pins: Sequence[fw.Pin], start: Floats) -> Floats:
    return solver.solve(pins, start, sliders="all").weights


def published(filter: Filter) -> Step:
    """A weight update, added to the pose that is there."""

    def run(solver: fw.PoseSolver, pins: Sequence[fw.Pin], start: Floats) -> Floats:
        at = PinRows(solver.deltas, pins, start)
        return start + Spectrum(at.by_slider).apply(filter, at.wanted(at.targets()))

    return run


def clipped(step: Step) -> Step:
    """Sliders stop at their ends, as they do in a program."""

    def run(solver: fw.PoseSolver, pins: Sequence[fw.Pin], start: Floats) -> Floats:
        return np.clip(step(solver, pins, start), *solver.rig.bounds.T)

    return run


STEPS: dict[str, Step] = {
    "**bounded** (default)": ours,
    "pseudo-inverse": published(PseudoInverse()),
    "Tikhonov 1e-3": published(Tikhonov(1e-3)),
    "transpose, exact step": published(Transpose()),
    "hybrid, relative gamma": published(Hybrid()),
}
STEPS |= {f"{name}, sliders stop": clipped(step) for name, step in list(STEPS.items())[1:]}
ONE_SHOT: dict[str, Filter] = {
    "pseudo-inverse": PseudoInverse(),
    "Tikhonov 1e-3": Tikhonov(1e-3),
    "transpose": Transpose(),
    "hybrid": Hybrid(),
}


@dataclass(frozen=True, eq=False)
class Animator:
    """Drags on a face until she is content; every drag adds a pin where the face is furthest off."""

    solver: fw.PoseSolver
    slip: float = 0.0  # how far her hand is off, as a share of the way that a pin has to go
    keeps: bool = True  # whether earlier pins keep their targets

    def __post_init__(self) -> None:
        object.__setattr__(self, "_evaluate", fw.Evaluator(self.solver.rig))

    def reach(self, goal: Floats, step: Step, drags: int, seed: int = 0) -> list[Floats]:
        """Her poses (n,) after each drag; the last one again once she is content."""
        rng, pins = np.random.default_rng(seed), dict[int, fw.Pin]()
        wanted, pose = self._face(goal), self.solver.rig.weights()
        size, found = np.linalg.norm(wanted - self.solver.rig.neutral), []
        for _ in range(drags):
            face = self._face(pose)
            if np.linalg.norm(face - wanted) > CONTENT * size:
                worst = int(np.linalg.norm(face - wanted, axis=1).argmax())
                way = np.linalg.norm(wanted[worst] - self.solver.rig.neutral[worst])
                target = wanted[worst] + self.slip * way / np.sqrt(3) * rng.normal(size=3)
                pins = (pins if self.keeps else {}) | {worst: fw.Pin(vertex=worst, target=target)}
                pose = step(self.solver, list(pins.values()), pose)
            found.append(pose)
        return found

    def off(self, pose: Floats, goal: Floats) -> float:
        """The distance of a pose from the hidden one over all vertices, as a share of its motion."""
        wanted = self._face(goal)
        return float(np.linalg.norm(self._face(pose) - wanted) / np.linalg.norm(wanted - self.solver.rig.neutral))

    def _face(self, pose: Floats) -> Floats:
        return self._evaluate(pose)  # type: ignore[attr-defined,no-any-return]


def results() -> Results:
    rig = replace(fw.sample(), ties=())  # hidden poses know no ties
    solver, rng = fw.PoseSolver(rig), np.random.default_rng(1)
    goals = [hidden_pose(rig, rng) for _ in range(POSES)]
    tables = {
        "loop-drags": drags_table(solver, goals),
        "loop-slips": slips_table(solver, goals),
        "why-unit": units_table(rig),
        "why-step": step_table(solver),
        "why-pins": pins_table(solver),
    }
    return Results("papers-experiments.md", tables)


def drags_table(solver: fw.PoseSolver, goals: list[Floats]) -> str:
    """Median mesh error / weight error (eq. 9) after so many drags, and how many were content."""
    animator = Animator(solver)
    return markdown(
        ["method", *(f"{count} drag{'s' if count > 1 else ''}" for count in DRAGS), "content after 16"],
        [[name, *_after(animator, goals, step)] for name, step in STEPS.items()],
    )


def _after(animator: Animator, goals: list[Floats], step: Step) -> list[str]:
    paths = [animator.reach(goal, step, DRAGS[-1], seed) for seed, goal in enumerate(goals)]
    cells = []
    for count in DRAGS:
        mesh = [animator.off(path[count - 1], goal) for path, goal in zip(paths, goals, strict=True)]
        weight = [np.sqrt(((path[count - 1] - goal) ** 2).mean()) for path, goal in zip(paths, goals, strict=True)]
        cells.append(f"{np.median(mesh):.3f} / {np.median(weight):.3f}")
    return [*cells, f"{np.mean(np.array(mesh) <= CONTENT):.0%}"]


def slips_table(solver: fw.PoseSolver, goals: list[Floats]) -> str:
    """Mesh error after eight drags by hands that slip."""
    rows = []
    for name, step in STEPS.items():
        cells = []
        for slip in SLIPS:
            animator = Animator(solver, slip)
            ends = [animator.reach(goal, step, 8, seed)[-1] for seed, goal in enumerate(goals)]
            cells.append(f"{np.median([animator.off(*pair) for pair in zip(ends, goals, strict=True)]):.3f}")
        rows.append([name, *cells])
    return markdown(["method, 8 drags", *(f"off by {slip:.0%}" for slip in SLIPS)], rows)


def _one_shot(solver: fw.PoseSolver, runs: list[Task], update: Callable[[Floats, Floats], Floats]) -> tuple[str, ...]:
    """Median mesh error, weight error (eq. 9) and sliders in use of one update from rest."""
    animator, found = Animator(solver), [update(*rows_of(solver, task)) for task in runs]
    mesh = np.median([animator.off(pose, task.pose) for pose, task in zip(found, runs, strict=True)])
    weight = np.median([np.sqrt(((pose - task.pose) ** 2).mean()) for pose, task in zip(found, runs, strict=True)])
    return f"{mesh:.3f}", f"{weight:.3f}"


def units_table(rig: fw.Rig) -> str:
    """Equations as printed, on the same face in other units."""
    equations = {
        "pseudo-inverse, eq. 3": printed.equation_3,
        "Tikhonov, eq. 4": lambda B, m: printed.equation_4(B, m, np.zeros(B.shape[1]), 1e-3),
        "transpose, eq. 6": printed.equation_6,
        "hybrid, eq. 8": printed.equation_8,
    }
    units = {"1 mm": 10.0, "1 cm": 1.0, "3 cm": 1 / 3, "10 cm": 0.1, "1 m": 0.01}
    cells: dict[str, list[str]] = {name: [] for name in equations}
    for factor in units.values():
        solver = fw.PoseSolver(scale(rig, factor))
        runs = list(tasks(solver.rig, "drawn by motion", count=POSES))
        for name, equation in equations.items():
            cells[name].append(" / ".join(_one_shot(solver, runs, equation)))
    return markdown(["as printed, one drag", *units], [[name, *row] for name, row in cells.items()])


def step_table(solver: fw.PoseSolver) -> str:
    """The transpose by steps that are shares of the one that comes nearest to the pins."""
    runs, shares = list(tasks(solver.rig, "drawn by motion", count=POSES)), (0.1, 0.3, 0.5, 1.0, 1.5, 2.0)

    def stepped(share: float) -> Callable[[Floats, Floats], Floats]:
        return lambda B, m: share * Spectrum(B).apply(Transpose(), m)

    rows = [["transpose", *(" / ".join(_one_shot(solver, runs, stepped(share))) for share in shares)]]
    rows += [
        ["pseudo-inverse, the same share", *(" / ".join(_one_shot(solver, runs, _part(share))) for share in shares)]
    ]
    return markdown(["share of the exact step", *(f"{share:g}" for share in shares)], rows)


def _part(share: float) -> Callable[[Floats, Floats], Floats]:
    return lambda B, m: share * Spectrum(B).apply(PseudoInverse(), m)


def pins_table(solver: fw.PoseSolver) -> str:
    """Where pins sit, with an exact hand and one that is off by a tenth; the last column: many pins close together."""
    places = {place: list(tasks(solver.rig, place, count=POSES)) for place in PLACEMENTS}
    slipped = {place: list(tasks(solver.rig, place, noise=0.1, count=POSES)) for place in PLACEMENTS}
    places["eight, close together"] = [clustered(solver.rig, task) for task in places["drawn by motion"]]
    slipped["eight, close together"] = [clustered(solver.rig, task, 0.1) for task in places["drawn by motion"]]
    rows = []
    for name, filter in ONE_SHOT.items():
        update = _filtered(filter)
        cells = [
            " / ".join(_one_shot(solver, runs[place], update)[0] for runs in (places, slipped)) for place in places
        ]
        rows.append([name, *cells])
    return markdown(["one drag; exact hand / off by 10 %", *places], rows)


def _filtered(filter: Filter) -> Callable[[Floats, Floats], Floats]:
    return lambda B, m: Spectrum(B).apply(filter, m)


def clustered(rig: fw.Rig, task: Task, noise: float = 0.0) -> Task:
    """The same pose with eight pins about the first one."""
    away = np.linalg.norm(rig.neutral - rig.neutral[task.vertices[0]], axis=1)
    rng = np.random.default_rng(int(task.vertices[0]))
    near = np.flatnonzero(away < _CLOSE * rig.size)
    vertices = rng.choice(near, min(8, len(near)), replace=False)
    face = fw.evaluate(rig, task.pose)[vertices]
    way = np.sqrt(((face - rig.neutral[vertices]) ** 2).sum(axis=1).mean() / 3)
    return Task(task.pose, vertices, face + noise * way * rng.normal(size=face.shape))
