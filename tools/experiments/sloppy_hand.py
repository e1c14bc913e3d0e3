"""A sloppy hand: one pin where a slider moves the face most, dragged roughly where that slider would take it.

Nobody drags along the exact path of a shape. The hand is up to 30 degrees off, and goes 0.4 to 1.5 times as far as the
slider reaches. What is measured: how far the face is from the one that was meant, and how often a slider that hardly
moves the pin runs to its stop.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import lsq_linear
from tools.experiments.faces import arkit_faces
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats

MEANT = (
    "browDownLeft", "browInnerUp", "browOuterUpRight", "cheekSquintLeft", "eyeBlinkRight", "jawOpen",
    "mouthFrownLeft", "mouthLowerDownRight", "mouthPucker", "mouthSmileRight", "mouthUpperUpLeft", "noseSneerRight",
)  # fmt: skip
ANGLE = 30.0  # degrees
SHARES = (0.4, 1.5)  # of the slider's reach
WEAK = 0.2  # of how far the meant slider moves the pin: one that moves it less is weak
STOP = 0.98  # of the full value
DRAGS = 20  # of each slider


@dataclass(frozen=True, eq=False)
class SloppyDrag:
    """What was meant, and what the hand did."""

    slider: str
    meant: Floats  # (n,) the pose
    vertex: int
    target: Floats  # (3,)

    def pins(self) -> list[fw.Pin]:
        return [fw.Pin(vertex=self.vertex, target=self.target)]


def sloppy_drags(rig: fw.Rig, *, drags: int = DRAGS, seed: int = 1) -> Iterator[SloppyDrag]:
    """Drags of the meant sliders that a rig has, in any spelling of their names."""
    rng = np.random.default_rng(seed)
    known = {fw.canonical_name(name): name for name in rig.sliders}
    for name in (known[name] for name in MEANT if name in known):
        motion = fw.evaluate(rig, {name: 1.0}) - rig.neutral
        vertex = int(np.linalg.norm(motion, axis=1).argmax())
        for _ in range(drags):
            share = rng.uniform(*SHARES)
            way = share * turned(motion[vertex], np.radians(rng.uniform(0, ANGLE)), rng)
            yield SloppyDrag(name, rig.weights({name: min(share, 1.0)}), vertex, rig.neutral[vertex] + way)


def turned(vector: Floats, angle: float, rng: np.random.Generator) -> Floats:
    """A vector (3,) turned by an angle about a random axis across it."""
    length = np.linalg.norm(vector)
    aside = np.cross(vector, rng.normal(size=3))
    return np.asarray(np.cos(angle) * vector + np.sin(angle) * length * aside / np.linalg.norm(aside))


@dataclass(frozen=True)
class SloppyScore:
    """Of all drags on one face."""

    distance: float  # mean distance from what was meant, as a share of its motion
    stopped: float  # share of drags that end with a weak slider at its stop
    reached: float  # mean share of the wanted motion that the pin made, along the drag


def score(rig: fw.Rig, method: Callable[[SloppyDrag], Floats], *, drags: int = DRAGS, seed: int = 1) -> SloppyScore:
    """How a method, which gives the weights (n,) for a drag, treats a sloppy hand."""
    deltas = rig.deltas()
    distances, stopped, reached = [], [], []
    for drag in sloppy_drags(rig, drags=drags, seed=seed):
        weights = method(drag)
        off = np.tensordot(weights - drag.meant, deltas, axes=1)
        distances.append(np.linalg.norm(off) / np.linalg.norm(np.tensordot(drag.meant, deltas, axes=1)))
        speed = np.linalg.norm(deltas[:, drag.vertex], axis=1)
        weak = speed < WEAK * speed[rig.slider_index(drag.slider)]
        stopped.append(bool((weak & (weights > STOP)).any()))
        way = drag.target - rig.neutral[drag.vertex]
        reached.append(float(weights @ deltas[:, drag.vertex] @ way / (way @ way)))
    return SloppyScore(float(np.mean(distances)), float(np.mean(stopped)), float(np.mean(reached)))


def results() -> Results:
    """A table of methods and faces."""
    faces = {name: (rig, fw.PoseSolver(rig)) for name, rig in arkit_faces().items()}
    rows = []
    for name, solve in METHODS.items():
        cells = []
        for rig, solver in faces.values():
            found = score(rig, lambda drag, solver=solver, solve=solve: solve(solver, drag))  # type: ignore[misc]
            cells.append(f"{found.distance:.2f} / {100 * found.stopped:.0f} % / {100 * found.reached:.0f} %")
        rows.append([name, *cells])
    return Results("posing.md", {"sloppy-hand": markdown(["method", *faces], rows)})


def _by(method: str, **options: Any) -> Callable[[fw.PoseSolver, SloppyDrag], Floats]:
    return lambda solver, drag: solver.solve(drag.pins(), method=method, **options).weights


def _flat(solver: fw.PoseSolver, drag: SloppyDrag) -> Floats:
    """Least squares within bounds, and nothing else but a little damping."""
    B = solver.rig.deltas()[:, drag.vertex].T
    damped = np.vstack([B, 0.03 * np.linalg.norm(B, 2) * np.eye(B.shape[1])])
    wanted = np.concatenate([drag.target - solver.rig.neutral[drag.vertex], np.zeros(B.shape[1])])
    return np.asarray(lsq_linear(damped, wanted, (0.0, 1.0)).x)


METHODS: dict[str, Callable[[fw.PoseSolver, SloppyDrag], Floats]] = {
    "**bounded** (default)": _by("bounded"),
    "bounded, with all sliders": _by("bounded", sliders="all"),
    "least squares within bounds": _flat,
    "pseudo-inverse": _by("pinv"),
    "Tikhonov": _by("tikhonov"),
    "transpose": _by("transpose"),
    "hybrid": _by("hybrid"),
}
