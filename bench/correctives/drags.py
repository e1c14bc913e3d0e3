"""Updates of drags towards frames of an animation: time, and how far the mesh is from the frame at the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np

import facewright as fw
from bench.correctives.generated import generated_animation, generated_rig
from bench.correctives.production import FOLDER, animation, linear_part, production_rig
from bench.row import Row
from facewright.pose.drag import Drag

FRAMES = slice(7, None, 40)
STEPS, PINS = 8, 8
FEW_PINS, LATER, UPDATES = 4, 40, 128  # of drags from one frame to a later one
LARGE = 0.1  # jump of a slider
SLIPS = (0.05, 0.1)  # of how far a pin goes
TASK = "drag update"


def rows() -> Iterator[Row]:
    if FOLDER.is_dir():
        poses = animation()[FRAMES]
        yield from _compared("production rig", production_rig(), linear_part(), poses, "4 times; 90 % within 8 ms")
        yield from jumps("chosen on", 7)
        yield from jumps("others", 57)
    rig = generated_rig()
    poses = generated_animation()
    yield from _compared("50K x 946 behind 64 sliders", rig, _own_shapes(rig), poses, "16 ms")


def jumps(which: str, first: int) -> Iterator[Row]:
    """The largest change of a slider between two updates of a drag with four pins, beside that of the linear part.

    The pace of sliders was chosen on drags from some frames; those from others show what it is worth.
    """
    face, poses = fw.Evaluator(production_rig()), animation()
    solvers = [fw.PoseSolver(rig) for rig in (production_rig(), linear_part())]
    found = []
    for frame in range(first, len(poses) - LATER, 100):
        start, goal = poses[frame], poses[frame + LATER]
        before, after = face(np.stack([start, goal]))
        moved = np.linalg.norm(after - before, axis=1)
        if not moved.any():
            continue
        chosen = np.random.default_rng(frame).choice(len(moved), FEW_PINS, replace=False, p=moved / moved.sum())
        pins = [fw.Pin(vertex=int(v), target=after[v]) for v in chosen]
        found.append([_largest_jump(solver.drag(pins, start, sliders="all"), after[chosen]) for solver in solvers])
    ours, theirs = np.array(found).T
    case = f"production rig, {FEW_PINS} pins, {len(found)} drags ({which})"
    medians = float(np.median(ours)), float(np.median(theirs))
    jump = f"{case}: largest jump of a slider, of {UPDATES} updates"
    worst = float(np.percentile(ours, 90))
    yield Row(TASK, jump, medians[0], worst, "its linear part", medians[1], unit="", percentile=90)
    count = float((ours > LARGE).sum())
    largest, drags = float(ours.max()), f"of {len(found)} drags"
    yield Row(TASK, f"{case}: jumps over {LARGE}", count, largest, drags, len(found), unit="", percentile=100)


def _largest_jump(drag: Drag, targets: np.ndarray) -> float:
    shares = np.linspace(0, 1, UPDATES)
    poses = [drag.to(drag.places + share * (targets - drag.places)).weights for share in shares]
    return float(np.abs(np.diff(poses, axis=0)).max())


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
        exact = "at most .02" if pins == PINS and name == "production rig" else ""
        ignoring = _drags(linear, poses, pins, truth=rig)
        yield _errors(f"{case}: mesh error", ours.errors, "correctives ignored", ignoring.errors, exact)
        yield _errors(f"{case}: mesh error", ours.errors, "linear part, own poses", theirs.errors)
        for slip in SLIPS if pins == PINS else ():
            slipped = [_drags(each, poses, pins, truth=rig, slip=slip).errors for each in (rig, linear)]
            yield _errors(f"{case}, {slip:.0%} slip: mesh error", slipped[0], "correctives ignored", slipped[1])


def _errors(case: str, errors: Sequence[float], baseline: str, others: Sequence[float], goal: str = "") -> Row:
    median, slow, base = np.median(errors), np.percentile(errors, 90), np.median(others)
    return Row(TASK, case, median, slow, baseline, base, goal, unit="", percentile=90)


def _drags(rig: fw.Rig, poses: np.ndarray, pins: int, *, truth: fw.Rig | None = None, slip: float = 0.0) -> "Drags":
    """Drags of one rig towards poses, which are of `truth`."""
    drags = Drags(rig, pins, truth, slip)
    for number, pose in enumerate(poses):
        drags.towards(pose, seed=number)
    return drags


@dataclass(eq=False)
class Drags:
    """Drags from rest: pins go straight to where a pose has them, or slip off that, the poses being of `truth`."""

    rig: fw.Rig
    pins: int
    truth: fw.Rig | None = None
    slip: float = 0.0  # of how far each pin goes

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
        off = self.slip * moved[chosen, None] * rng.normal(size=(len(chosen), 3)) / np.sqrt(3)
        drag = self._solver.drag([fw.Pin(vertex=int(v), target=truth[v]) for v in chosen], sliders="all")
        for share in np.linspace(0, 1, STEPS + 1)[1:]:
            targets = rest[chosen] + share * ((truth - rest)[chosen] + off)
            start = process_time()
            found = drag.to(targets)
            self.seconds.append(process_time() - start)
        missed = np.linalg.norm(self._face(found.weights) - truth)
        self.errors.append(float(missed / np.linalg.norm(truth - rest)))


def _own_shapes(rig: fw.Rig) -> fw.Rig:
    own = tuple(shape for shape in rig.shapes if shape.name in rig.sliders)
    return fw.Rig(rig.neutral, rig.polygons, own, sliders=rig.sliders)
