"""Weights for whole meshes: our Gauss-Newton steps beside two published ways, on the same cost."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np

import facewright as fw
from bench.correctives.coordinate_descent import CoordinateDescent
from bench.correctives.generated import generated_animation, generated_rig
from bench.correctives.majorise_minimise import MajoriseMinimise, is_quadratic
from bench.correctives.production import FOLDER, animation, production_rig
from bench.row import Row
from facewright.arrays import Floats
from facewright.build.mesh_rows import MeshRows
from facewright.rig.combine import Combine
from facewright.solve.many import solve_many
from facewright.terms.bent_poses import BentPoses, PoseTargets
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.limits import Limits

TASK = "inverse rig"
FRAMES = slice(3, None, 20)
ALPHA = 1e-3  # of the mean square motion of a slider: the price of a unit of weight
ON = 0.01  # weight
_STEPS, _ESCAPES, _RIDGE = 8, 6, 1e-9

OURS, PUBLISHED = "ours", "coordinate descent"
LINEAR = f"{PUBLISHED}, linear part"
PRODUCTS = f"{PUBLISHED}, products alone (as published)"
WHOLE = f"{PUBLISHED}, whole rig"
MAJORISED = "majorise-minimise, pairs alone (as published)"
OURS_OF_PAIRS = "ours, pairs alone"


@dataclass(frozen=True, eq=False)
class Figures:
    """What a method makes of some frames."""

    error: Floats  # (frames,) root mean square distance of the mesh, over that of the frame's motion
    on: float  # mean number of sliders
    cost: float  # mean of what is minimised, of the whole rig
    milliseconds: float  # of the processor, a frame


def rows() -> Iterator[Row]:
    for name, figures in everything().items():
        ours, whole = figures[OURS], figures[WHOLE]
        yield Row(TASK, f"{name}, a frame", ours.milliseconds, ours.milliseconds, WHOLE, whole.milliseconds)
        error, theirs = (float(np.median(one.error)) for one in (ours, whole))
        worst = float(np.percentile(ours.error, 90))
        yield Row(TASK, f"{name}: mesh error", error, worst, WHOLE, theirs, unit="", percentile=90)
        yield Row(TASK, f"{name}: sliders on", ours.on, ours.on, WHOLE, whole.on, unit="")
        pairs, majorised = figures[OURS_OF_PAIRS], figures[MAJORISED]
        case, time = f"{name}, pairs alone", pairs.milliseconds
        yield Row(TASK, f"{case}, a frame", time, time, MAJORISED, majorised.milliseconds)
        error, theirs = (float(np.median(one.error)) for one in (pairs, majorised))
        worst = float(np.percentile(pairs.error, 90))
        yield Row(TASK, f"{case}: mesh error", error, worst, MAJORISED, theirs, unit="", percentile=90)
        yield Row(TASK, f"{case}: sliders on", pairs.on, pairs.on, MAJORISED, majorised.on, unit="")


def everything() -> dict[str, dict[str, Figures]]:
    """The figures of every method on both rigs; on the generated one alone where there is no other."""
    found = {}
    if FOLDER.is_dir():
        moving = animation()[FRAMES]
        found["production rig"] = compared(production_rig(), moving[moving.any(axis=1)])
    found["50K x 946 behind 64 sliders"] = compared(generated_rig(), generated_animation())
    return found


def compared(rig: fw.Rig, poses: Floats) -> dict[str, Figures]:
    """Every method on the meshes of some poses (frames, n), in coordinates that keep distances."""
    combine, mesh = Combine(rig), MeshRows(DeltaMatrix(rig).shape_gram)
    wanted = combine(poses) @ mesh.rows.T
    alone = mesh.rows @ combine(np.eye(len(rig.sliders))).T
    alpha = ALPHA * float((alone**2).sum(axis=0).mean())
    cost = CoordinateDescent(rig, mesh.rows).cost
    solvers: dict[str, Callable[[], Floats]] = {OURS: lambda: gauss_newton(rig, mesh.rows, alone, wanted, alpha)}
    for name, kept in PARTS.items():
        part, rows = _part(rig, mesh.rows, kept)
        descent = CoordinateDescent(part, rows)
        solvers[name] = lambda descent=descent: descent(wanted, alpha)  # type: ignore[misc]
    pairs, rows = _part(rig, mesh.rows, is_quadratic)
    majorise = MajoriseMinimise(pairs, rows)
    solvers[MAJORISED] = lambda: majorise(wanted, alpha, linear_answer(pairs, alone, wanted, alpha))
    solvers[OURS_OF_PAIRS] = lambda: gauss_newton(pairs, rows, alone, wanted, alpha)
    found = {}
    for name, solve in solvers.items():
        start = process_time()
        weights = solve()
        spent = 1000 * (process_time() - start) / len(poses)
        left = np.linalg.norm(combine(weights) @ mesh.rows.T - wanted, axis=1) / np.linalg.norm(wanted, axis=1)
        on = float((weights > ON).sum(axis=1).mean())
        found[name] = Figures(left, on, float(cost(weights, wanted, alpha).mean()), spent)
    return found


def _part(rig: fw.Rig, rows: Floats, kept: Callable[[fw.Rig, fw.Shape], bool]) -> tuple[fw.Rig, Floats]:
    """A rig with some of its shapes alone, and their columns of the rows (r, s)."""
    chosen = np.array([kept(rig, shape) for shape in rig.shapes])
    own = tuple(shape for shape, is_kept in zip(rig.shapes, chosen, strict=True) if is_kept)
    return fw.Rig(rig.neutral, rig.polygons, own, sliders=rig.sliders), rows[:, chosen]


def _is_own(rig: fw.Rig, shape: fw.Shape) -> bool:
    return shape.name in rig.sliders


def _is_product(rig: fw.Rig, shape: fw.Shape) -> bool:
    return _is_own(rig, shape) or (shape.is_combination and set(shape.at) == {1.0} and not any(shape.spans))


PARTS: dict[str, Callable[[fw.Rig, fw.Shape], bool]] = {
    LINEAR: _is_own,
    PRODUCTS: _is_product,
    WHOLE: lambda rig, shape: True,
}


def gauss_newton(rig: fw.Rig, mesh: Floats, alone: Floats, wanted: Floats, alpha: float) -> Floats:
    """Weights (frames, n) for meshes (frames, r): the answer of the linear part, then steps on the whole rig."""
    start = linear_answer(rig, alone, wanted, alpha)
    low, high = rig.bounds.T
    targets = PoseTargets(wanted, _ridge(alone), np.full(start.shape, alpha / 2))
    return BentPoses(Combine(rig), mesh, Limits(low, high), steps=_STEPS, escapes=_ESCAPES)(targets, start)


def linear_answer(rig: fw.Rig, alone: Floats, wanted: Floats, alpha: float) -> Floats:
    """Weights (frames, n) for meshes (frames, r), exactly those of the linear part, `alone` (r, n)."""
    low, high = rig.bounds.T
    return solve_many(alone.T @ alone + _ridge(alone), alpha / 2 - wanted @ alone, low, high).x


def _ridge(alone: Floats) -> Floats:
    return np.asarray(_RIDGE * float((alone**2).sum(axis=0).max()) * np.eye(alone.shape[1]))


def table() -> str:
    """The figures as markdown."""
    lines = [
        "| rig | method | mesh error | 90 % | sliders on | cost, of ours | ms a frame |",
        "|---|---|---|---|---|---|---|",
    ]
    for rig, figures in everything().items():
        for name, one in figures.items():
            cells = [f"{np.median(one.error):.4f}", f"{np.percentile(one.error, 90):.3f}", f"{one.on:.1f}"]
            cells += [f"{one.cost / figures[OURS].cost:.2f}", f"{one.milliseconds:.2f}"]
            lines.append(f"| {rig} | {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
