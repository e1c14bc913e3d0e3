"""What the methods make of a drag, as pictures of the embedded head."""

import numpy as np
from numpy.typing import NDArray
from tools.experiments.animator import Task
from tools.experiments.faces import close_up
from tools.experiments.marks import GHOST, PIN, draw_dots, draw_ways, places_in
from tools.experiments.methods import METHODS, OURS
from tools.experiments.result import Results

import facewright as fw
from facewright.arrays import Floats
from facewright.render.face_renderer import face_picture
from facewright.render.heat import Heat
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

SIZE = (380, 420)
SHOWN = {
    OURS: "bounded",
    "pseudo-inverse, eq. 3": "pseudo-inverse",
    "Tikhonov 1e-3": "Tikhonov 1e-3",
    "transpose, exact step": "transpose",
    "hybrid, relative gamma": "hybrid",
}
HIDDEN = {"mouthSmileLeft": 0.9, "jawOpen": 0.4, "browInnerUp": 0.8, "noseSneerRight": 0.7}


def results() -> Results:
    rig = fw.sample()
    solver = fw.PoseSolver(rig)
    return Results(
        "posing.md",
        pictures={"posing-one-pin.png": one_pin(rig, solver), "posing-methods.png": one_pose(rig, solver)},
    )


def one_pin(rig: fw.Rig, solver: fw.PoseSolver) -> Bytes:
    """Fig. 2: one pin at the corner of the mouth, dragged up and out; the heat is the motion."""
    corner = liveliest(rig, "mouthSmileLeft")
    target = rig.neutral[corner] + 0.8 * rig.shape("mouthSmileLeft").dense(rig.vertex_count)[corner]
    task = Task(rig.weights(), np.array([corner]), target[None])
    return sheet(rig, solver, task, ("one pin, dragged up", "moved, cm"))


def one_pose(rig: fw.Rig, solver: fw.PoseSolver) -> Bytes:
    """Fig. 4 and 6: a hidden pose, a pin for each shape and one for the other brow; how far each method is off."""
    pose = rig.weights(HIDDEN)
    chosen = [liveliest(rig, name) for name in HIDDEN]
    other_side = np.sign(rig.neutral[chosen[2], 0]) != np.sign(rig.neutral[:, 0])
    vertices = np.array([*chosen, liveliest(rig, "browInnerUp", among=other_side)])
    task = Task(pose, vertices, fw.evaluate(rig, pose)[vertices])
    return sheet(rig, solver, task, ("to reach by five pins", "off, cm"))


def liveliest(rig: fw.Rig, name: str, among: NDArray[np.bool_] | None = None) -> int:
    """The vertex that a shape moves most."""
    moved = np.linalg.norm(rig.shape(name).dense(rig.vertex_count), axis=1)
    return int((moved if among is None else moved * among).argmax())


def sheet(rig: fw.Rig, solver: fw.PoseSolver, task: Task, words: tuple[str, str]) -> Bytes:
    """The task, and each method's answer; the heat is its distance from the task's pose."""
    title, label = words
    wanted = fw.evaluate(rig, task.pose)
    found = {name: METHODS[name](solver, task) for name in SHOWN}
    off = {name: np.linalg.norm(fw.evaluate(rig, weights) - wanted, axis=1) for name, weights in found.items()}
    high = max(float(each.max()) for each in off.values())
    tiles = {title: shown(rig, task.pose, task)}
    for name, weights in found.items():
        used = int((np.abs(weights) > 0.01).sum())
        text = f"{SHOWN[name]}: {used} slider{'s' if used > 1 else ''}"
        tiles[text] = shown(rig, weights, task, Heat(off[name], 0.0, high, label=label))
    return contact_sheet(list(tiles.values()), list(tiles), columns=3)


def shown(rig: fw.Rig, weights: Floats, task: Task, heat: Heat | None = None) -> Bytes:
    """A face with its pins, each at the end of its way."""
    camera = close_up(rig, SIZE)
    picture = face_picture(rig, weights, size=SIZE, camera=camera, heat=heat)
    starts, ends = (places_in(camera, points, SIZE) for points in (rig.neutral[task.vertices], task.targets))
    draw_ways(picture, starts, ends, GHOST)
    draw_dots(picture, ends, PIN)
    return picture
