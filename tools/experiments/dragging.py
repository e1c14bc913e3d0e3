"""Cetinaslan 2017, figures 2 to 6: hidden poses reached by dragging pins, by every method."""

from dataclasses import dataclass, replace

import numpy as np
from tools.experiments.animator import PLACEMENTS, Task, tasks
from tools.experiments.faces import faces
from tools.experiments.methods import METHODS, OURS, PUBLISHED, Method
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats

NOISES = (0.0, 0.05, 0.1)
MAIN = ("drawn by motion", 0.0)
_ACTIVE = 0.01
_OUTSIDE = 1e-3
_FAR = 1 / 8  # of the rig's size


@dataclass(frozen=True, eq=False)
class Face:
    """A rig with what measuring needs."""

    rig: fw.Rig
    solver: fw.PoseSolver
    deltas: Floats  # (s, v, 3)
    gram: Floats  # (s, s)

    @classmethod
    def of(cls, rig: fw.Rig) -> "Face":
        deltas = rig.deltas()
        flat = deltas.reshape(len(deltas), -1)
        return cls(rig, fw.PoseSolver(rig), deltas, flat @ flat.T)


def results() -> Results:
    """Two tables for each face."""
    tables = {}
    for name, rig in faces().items():
        face = Face.of(replace(rig, ties=()))  # hidden poses know no ties
        runs = {
            (placement, noise): list(tasks(rig, placement, noise=noise)) for placement in PLACEMENTS for noise in NOISES
        }
        errors = {(method, case): mesh_errors(face, METHODS[method], runs[case]) for method in METHODS for case in runs}
        key = name.replace(" ", "-")
        tables[f"dragging-{key}"] = markdown(
            ["method", "RMS weight error (eq. 9)", "mesh error", "sliders in use", "out of bounds", "stray motion"],
            [row(face, method, runs[MAIN], errors[method, MAIN]) for method in METHODS],
        )
        tables[f"placements-{key}"] = placements(errors)
    return Results("posing.md", tables)


def mesh_errors(face: Face, method: Method, runs: list[Task]) -> Floats:
    """|D (w - w*)| / |D w*| of each task."""
    found = np.array([method(face.solver, task) - task.pose for task in runs])
    poses = np.array([task.pose for task in runs])
    size = [np.sqrt(np.einsum("ti,ij,tj->t", each, face.gram, each)) for each in (found, poses)]
    return np.asarray(size[0] / size[1])


def row(face: Face, name: str, runs: list[Task], errors: Floats) -> list[str]:
    found = np.array([METHODS[name](face.solver, task) for task in runs])
    poses = np.array([task.pose for task in runs])
    weight = np.sqrt(((found - poses) ** 2).mean(axis=1))
    active = (np.abs(found) > _ACTIVE).sum(axis=1)
    outside = ((found < -_OUTSIDE) | (found > 1 + _OUTSIDE)).sum(axis=1)
    stray = [stray_motion(face, weights, task) for weights, task in zip(found, runs, strict=True)]
    return [
        name,
        f"{np.median(weight):.3f}",
        f"{np.median(errors):.3f}",
        f"{np.median(active):.0f}",
        f"{outside.mean():.1f}",
        f"{100 * np.median(stray):.1f} %",
    ]


def stray_motion(face: Face, weights: Floats, task: Task) -> float:
    """The largest motion far from every pin, where the hidden pose moves nothing; of the pose's largest motion."""
    apart = np.linalg.norm(face.rig.neutral[:, None] - face.rig.neutral[task.vertices], axis=2).min(axis=1)
    wanted, found = (np.linalg.norm(np.tensordot(w, face.deltas, axes=1), axis=1) for w in (task.pose, weights))
    meant_still = (apart > _FAR * face.rig.size) & (wanted < 0.01 * wanted.max())
    return float(found[meant_still].max(initial=0.0) / wanted.max())


def placements(errors: dict[tuple[str, tuple[str, float]], Floats]) -> str:
    """Median mesh error by placement, for an exact hand and two that slip, and our share of the best published one."""
    medians = {key: float(np.median(values)) for key, values in errors.items()}
    best = {case: min(medians[method, case] for method in PUBLISHED) for _, case in errors}
    shares = {case: medians[OURS, case] / best[case] for case in best}
    table = [[method, *_cells({case: medians[method, case] for case in best}, 3)] for method in METHODS]
    return markdown(["method", *PLACEMENTS], [*table, ["*ours over the best published*", *_cells(shares, 2)]])


def _cells(values: dict[tuple[str, float], float], digits: int) -> list[str]:
    return [" / ".join(f"{values[placement, noise]:.{digits}f}" for noise in NOISES) for placement in PLACEMENTS]
