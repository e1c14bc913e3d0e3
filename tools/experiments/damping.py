"""What damping does: single drags with it and without, where the face moves much and where it hardly does."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from tools.experiments.faces import arkit_faces
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.rig.symmetry import symmetry

HAND = 0.01  # of the face's size: how far the hand goes
MIDDLE = 0.01  # of the face's size: points so near to the middle plane are on it
EDGE = 0.1  # of how far the liveliest point of the brows goes: where they move the forehead less, the scalp begins


@dataclass(frozen=True)
class Place:
    """A point, by the slider that moves it most or by "nose" or "scalp", and the direction of the drag."""

    point: str
    way: tuple[float, float, float]


PLACES = {
    "corner up": Place("mouthSmileLeft", (0, 1, 0)),
    "corner up and out": Place("mouthSmileLeft", (1, 1, 0)),
    "brow up": Place("browOuterUpLeft", (0, 1, 0)),
    "lid down": Place("eyeBlinkLeft", (0, -1, 0)),
    "cheek down": Place("cheekSquintLeft", (0, -1, 0)),
    "tip of the nose up": Place("nose", (0, 1, 0)),
    "tip of the nose down": Place("nose", (0, -1, 0)),
    "edge of the scalp down": Place("scalp", (0, -1, 0)),
}


class Dragged(NamedTuple):
    """How far the pin went along the drag, and the point of the face that went furthest, by the hand's way."""

    pin: float
    face: float


def vertex_at(rig: fw.Rig, place: Place) -> int:
    """The vertex of a place."""
    names = {fw.canonical_name(name): name for name in rig.sliders}
    if place.point in names:
        return int(_motion(rig, {names[place.point]: 1.0}).argmax())
    plane = symmetry(rig).plane
    middle = np.linalg.norm(rig.neutral - plane.mirror(rig.neutral), axis=1) / 2 < MIDDLE * rig.size
    if place.point == "nose":
        return int(np.where(middle, rig.neutral[:, 2], -np.inf).argmax())
    brows = {name: 1.0 for known, name in names.items() if known.startswith(("browInnerUp", "browOuterUp"))}
    moved = _motion(rig, brows)
    return int(np.where(middle & (moved > EDGE * moved.max()), rig.neutral[:, 1], -np.inf).argmax())


def dragged(solver: fw.PoseSolver, place: Place, *, damped: bool) -> Dragged:
    """A drag at a place, by `HAND`."""
    rig, vertex = solver.rig, vertex_at(solver.rig, place)
    way = HAND * rig.size * np.array(place.way) / np.linalg.norm(place.way)
    found = solver.solve([fw.Pin(vertex=vertex, target=rig.neutral[vertex] + way)], damped=damped)
    moved = fw.evaluate(rig, found.weights) - rig.neutral
    length = np.linalg.norm(way)
    return Dragged(float(moved[vertex] @ way / length**2), float(np.linalg.norm(moved, axis=1).max() / length))


def results() -> Results:
    """A table of places and faces."""
    solvers = {name: fw.PoseSolver(rig) for name, rig in arkit_faces().items()}
    rows = []
    for label, place in PLACES.items():
        cells = []
        for solver in solvers.values():
            plain, less = (dragged(solver, place, damped=damped) for damped in (False, True))
            cells.append(f"{plain.pin:.2f} / {plain.face:.1f} → {less.pin:.2f} / {less.face:.1f}")
        rows.append([label, *cells])
    return Results("posing.md", {"damping": markdown(["drag", *solvers], rows)})


def _motion(rig: fw.Rig, pose: dict[str, float]) -> np.ndarray:
    return np.asarray(np.linalg.norm(fw.evaluate(rig, pose) - rig.neutral, axis=1))
