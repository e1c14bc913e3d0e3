"""Cetinaslan 2017, figures 2 to 7, on rigs of more than 100 shapes: a production rig, and a mask of 136 sliders."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from bench.correctives.production import FOLDER, production_rig
from tools.experiments.animator import Task, far_apart, hidden_pose
from tools.experiments.closed_loop import Animator
from tools.experiments.dragging_pictures import sheet
from tools.experiments.faces import motion
from tools.experiments.methods import METHODS, OURS, PUBLISHED, rows
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats
from facewright.render.face_renderer import face_picture
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.samples import mask
from facewright.solve.filters import Filter, Hybrid, PseudoInverse, Spectrum, Transpose

POSES = 60
PINS = (1, 2, 4, 8, 15)
NOISES = (0.0, 0.05, 0.1)
SHOWN = (OURS, "pseudo-inverse, eq. 3", "Tikhonov 1e-3", "transpose, exact step", "hybrid, relative gamma")
HIDDEN = {"lipCornerPuller_L": 0.8, "jawDrop": 0.35, "innerBrowRaiser_R": 0.8, "noseWrinkler_R": 0.6}
_BAR, _HEIGHT, _ROOM = 9, 96, 8
_RELEVANT, _OTHER, _GROUND = (110, 200, 255), (255, 120, 90), (27, 28, 32)


def results() -> Results:
    if not FOLDER.is_dir():
        raise SystemExit("the production rig is not beside the checkout: docs/papers-experiments.md stays as it is")
    production, large = fw.PoseSolver(production_rig()), fw.PoseSolver(mask(vertices=5792, shapes=136, seed=1))
    tables = {
        "many-production": errors_table(production),
        "many-mask": errors_table(large),
        "many-pins": pins_table(production),
    }
    pose, vertices = shown_pose(production.rig)
    pictures = {
        "papers-many-pin.png": one_pin(production),
        "papers-many-pose.png": sheet(production.rig, production, Task(pose, vertices, _at(production, pose, vertices)),
                                      ("to reach by five pins", "off")),
        "papers-many-weights.png": weight_errors(production, pose, vertices),
        "papers-many-hybrid.png": by_pins(production, pose),
    }  # fmt: skip
    return Results("papers-experiments.md", tables, pictures)


def _at(solver: fw.PoseSolver, pose: Floats, vertices: Sequence[int] | np.ndarray) -> Floats:
    return np.asarray(fw.evaluate(solver.rig, pose)[vertices])


def poses_of(rig: fw.Rig) -> list[Floats]:
    """Hidden poses of two to four sliders."""
    own = {shape.name: shape for shape in rig.shapes if shape.name in rig.sliders}
    plain = replace(rig, shapes=tuple(own[name] for name in rig.sliders), sliders=rig.sliders)
    rng = np.random.default_rng(1)
    return [hidden_pose(plain, rng) for _ in range(POSES)]


def errors_table(solver: fw.PoseSolver) -> str:
    """Medians over hidden poses, eight pins far apart; the mesh error of slipping hands, too."""
    animator, goals = Animator(solver), poses_of(solver.rig)
    table = []
    for name in (*SHOWN, *(other for other in PUBLISHED if "as printed" in other)):
        cells, weights = list[str](), list[list[float]]()
        for noise in NOISES:
            tasks = [eight_pins(solver.rig, goal, noise, seed) for seed, goal in enumerate(goals)]
            found = [METHODS[name](solver, task) for task in tasks]
            mesh = [animator.off(*pair) for pair in zip(found, goals, strict=True)]
            cells.append(f"{np.median(mesh):.3f}")
            weights = weights or [_weight_figures(*pair) for pair in zip(found, goals, strict=True)]
        rms, relevant, other, used = np.median(weights, axis=0)
        table.append([name, *cells, f"{rms:.3f}", f"{relevant:.3f}", f"{other:.3f}", f"{used:.0f}"])
    head = ["method", *(f"mesh error, off by {noise:.0%}" for noise in NOISES), "weight error (eq. 9)",
            "of the pose's sliders", "of the others", "sliders in use"]  # fmt: skip
    return markdown(head, table)


def _weight_figures(found: Floats, goal: Floats) -> list[float]:
    """Fig. 6: RMS error of all weights, of those of the pose, of the others, and how many are in use."""
    off = (found - goal) ** 2
    on = goal > 0
    parts = [float(np.sqrt(part.mean())) for part in (off, off[on], off[~on])]
    return [*parts, float((np.abs(found) > 0.01).sum())]


def eight_pins(rig: fw.Rig, goal: Floats, noise: float, seed: int) -> Task:
    face = fw.evaluate(rig, goal)
    vertices = far_apart(rig, motion(rig, goal), 8)
    way = np.sqrt(((face - rig.neutral)[vertices] ** 2).sum(axis=1).mean() / 3)
    slip = noise * way * np.random.default_rng(seed).normal(size=(len(vertices), 3))
    return Task(goal, vertices, face[vertices] + slip)


def pins_table(solver: fw.PoseSolver) -> str:
    """Fig. 7: the hybrid by the number of pins."""
    animator, goals, table = Animator(solver), poses_of(solver.rig), []
    filters: dict[str, Filter] = {"pseudo-inverse": PseudoInverse(), "hybrid": Hybrid(), "transpose": Transpose()}
    for count in PINS:
        off: dict[str, list[float]] = {name: [] for name in filters}
        printed, relative = [], []
        for goal in goals:
            vertices = far_apart(solver.rig, motion(solver.rig, goal), count)
            B, m = rows(solver, Task(goal, vertices, _at(solver, goal, vertices)))
            spectrum = Spectrum(B)
            printed.append(np.linalg.svd(B, compute_uv=False).min())
            relative.append(spectrum.independence)
            for name, filter in filters.items():
                off[name].append(animator.off(spectrum.apply(filter, m), goal))
        gammas = f"{np.median(printed):.3f}", f"{np.median(relative):.3f}"
        table.append([f"{count}", *gammas, *(f"{np.median(values):.3f}" for values in off.values())])
    return markdown(["pins", "gamma in print", "gamma, relative", *filters], table)


def shown_pose(rig: fw.Rig) -> tuple[Floats, np.ndarray]:
    """A pose, and a vertex for each of its sliders and one more."""
    pose = rig.weights(HIDDEN)
    moved = [motion(rig, rig.weights({name: 1.0})) for name in HIDDEN]
    chosen = [int(one.argmax()) for one in moved]
    side = np.sign(rig.neutral[chosen[0], 0]) != np.sign(rig.neutral[:, 0])
    return pose, np.array([*chosen, int((moved[1] * side).argmax())])


def one_pin(solver: fw.PoseSolver) -> Bytes:
    """Figs. 2 and 5: one pin at the corner of the mouth, dragged along its slider; the heat is the motion."""
    rig = solver.rig
    full = fw.evaluate(rig, {"lipCornerPuller_L": 0.8})
    corner = int(np.linalg.norm(full - rig.neutral, axis=1).argmax())
    task = Task(rig.weights(), np.array([corner]), full[[corner]])
    return sheet(rig, solver, task, ("one pin, dragged up", "moved"))


def weight_errors(solver: fw.PoseSolver, pose: Floats, vertices: np.ndarray) -> Bytes:
    """Fig. 6: the error of every weight, blue for sliders of the pose, red for others; a full bar is 1."""
    task = Task(pose, vertices, _at(solver, pose, vertices))
    tiles = []
    for name in SHOWN:
        off = np.abs(METHODS[name](solver, task) - pose)
        tile = np.full((_HEIGHT + 2 * _ROOM, _BAR * len(off) + 2 * _ROOM, 3), _GROUND, np.uint8)
        for at, (error, on) in enumerate(zip(np.minimum(off, 1.0), pose > 0, strict=True)):
            left, top = _ROOM + _BAR * at, _ROOM + round(_HEIGHT * (1 - error))
            tile[top : _ROOM + _HEIGHT, left : left + _BAR - 2] = _RELEVANT if on else _OTHER
        tile[_ROOM + _HEIGHT : _ROOM + _HEIGHT + 1, _ROOM:-_ROOM] = 90
        tiles.append(tile)
    labels = [f"{name.split(' (')[0].strip('*')}: largest error {_largest(solver, task, name):.2f}" for name in SHOWN]
    return contact_sheet(tiles, labels, columns=1)


def _largest(solver: fw.PoseSolver, task: Task, name: str) -> float:
    return float(np.abs(METHODS[name](solver, task) - task.pose).max())


def by_pins(solver: fw.PoseSolver, pose: Floats) -> Bytes:
    """Fig. 7: the hybrid's answer for more and more pins of the same pose."""
    tiles, labels = [face_picture(solver.rig, pose, size=(300, 340))], ["to reach"]
    for count in PINS:
        vertices = far_apart(solver.rig, motion(solver.rig, pose), count)
        B, m = rows(solver, Task(pose, vertices, _at(solver, pose, vertices)))
        tiles.append(face_picture(solver.rig, np.clip(Spectrum(B).apply(Hybrid(), m), 0, 1), size=(300, 340)))
        labels.append(f"hybrid, {count} pin{'s' if count > 1 else ''}")
    return contact_sheet(tiles, labels, columns=3)
