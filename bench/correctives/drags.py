"""Updates of drags towards frames of an animation: time, and how far the mesh is from the frame at the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

import facewright as fw
from bench.correctives.generated import generated_animation, generated_rig
from bench.correctives.production import FOLDER, animation, linear_part, production_rig
from bench.row import Row

FRAMES = slice(7, None, 40)
STEPS, PINS = 8, 8
TASK = "drag update"


def rows() -> Iterator[Row]:
    if FOLDER.is_dir():
        poses = animation()[FRAMES]
        yield from _compared("production rig", production_rig(), linear_part(), poses, "4 times; 90 % within 8 ms")
    rig = generated_rig()
    poses = generated_animation()
    yield from _compared("50K x 946 behind 64 sliders", rig, _own_shapes(rig), poses, "16 ms")


def _compared(name: str, rig: fw.Rig, linear: fw.Rig, poses: np.ndarray, goal: str) -> Iterator[Row]:
    for pins in (PINS, 1):
        case = f"{name}, {pins} {'pins' if pins > 1 else 'pin'}"
        ours, theirs = Drags(rig, pins), Drags(linear, pins)
        for number, pose in enumerate(poses):
            for each in (ours, theirs):
                each.towards(pose, seed=number)
        times = [1000 * np.array(each.seconds) for each in (ours, theirs)]
        median, base = (float(np.median(each)) for each in times)
        slow = float(np.percentile(times[0], 90))
        yield Row(TASK, case, median, slow, "its linear part", base, goal, percentile=90)
        if pins == PINS:
            yield _errors(case, ours.errors, _ignoring(rig, linear, poses), name)


def _errors(case: str, errors: Sequence[float], ignoring: Sequence[float], name: str) -> Row:
    goal = "at most .02" if name == "production rig" else ""
    what = f"{case}: mesh error"
    median, slow, base = np.median(errors), np.percentile(errors, 90), np.median(ignoring)
    return Row(TASK, what, median, slow, "correctives ignored", base, goal, unit="", percentile=90)


def _ignoring(rig: fw.Rig, linear: fw.Rig, poses: np.ndarray) -> list[float]:
    """Mesh errors where the drag knows the linear part alone and the face is the whole rig's."""
    drags = Drags(linear, PINS, truth=rig)
    for number, pose in enumerate(poses):
        drags.towards(pose, seed=number)
    return drags.errors


@dataclass(eq=False)
class Drags:
    """Drags from rest: pins go straight to where a pose has them, the poses being of `truth`."""

    rig: fw.Rig
    pins: int
    truth: fw.Rig | None = None

    def __post_init__(self) -> None:
        self._solver = fw.PoseSolver(self.rig)
        self._face = fw.Evaluator(self.rig if self.truth is None else self.truth)
        self.seconds: list[float] = []
        self.errors: list[float] = []  # of the mesh at the end, relative to its motion

    def towards(self, pose: np.ndarray, *, seed: int) -> None:
        truth, rest = self._face(pose), self.rig.neutral
        moved = np.linalg.norm(truth - rest, axis=1)
        if not moved.any():
            return
        rng = np.random.default_rng(seed)
        single = [int(moved.argmax())]
        chosen = single if self.pins == 1 else rng.choice(len(moved), self.pins, replace=False, p=moved / moved.sum())
        drag = self._solver.drag([fw.Pin(vertex=int(v), target=truth[v]) for v in chosen], sliders="all")
        for share in np.linspace(0, 1, STEPS + 1)[1:]:
            targets = rest[chosen] + share * (truth - rest)[chosen]
            start = perf_counter()
            found = drag.to(targets)
            self.seconds.append(perf_counter() - start)
        off = np.linalg.norm(self._face(found.weights) - truth)
        self.errors.append(float(off / np.linalg.norm(truth - rest)))


def _own_shapes(rig: fw.Rig) -> fw.Rig:
    own = tuple(shape for shape in rig.shapes if shape.name in rig.sliders)
    return fw.Rig(rig.neutral, rig.polygons, own, sliders=rig.sliders)
