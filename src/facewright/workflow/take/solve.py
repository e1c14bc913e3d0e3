"""Solving a document's take: its input and its result as plain data that can be sent to another process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from facewright import jobs
from facewright.arrays import Ints
from facewright.capture.finish import cutoff_of, finish_clip
from facewright.capture.residual_shapes import GROUP, with_residual_shapes
from facewright.capture.solution import FrameStatus, TakeSolution
from facewright.capture.solver import Progress, TakeSolver
from facewright.capture.statistics import largest_step, take_statistics
from facewright.document import Document
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.take import Take
from facewright.regions.local_pose import local_name
from facewright.rig.binding import Binding
from facewright.rig.captured import Captured
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

_ADDED = 0.005  # weight that a region must add somewhere to have a curve
STATUSES = tuple(FrameStatus)  # what a frame's status counts


@dataclass(frozen=True, kw_only=True)
class SolveOptions:
    """What a person chooses."""

    smooth: str = ""  # euro, or a cutoff in Hz
    keys: float = 0.005  # tolerance of key reduction; 0: a key on every frame
    residual: bool = False  # add shapes, so that the markers are met
    gaze: bool = False  # solve gaze and tongue as well
    steady: float = 1.0

    def __post_init__(self) -> None:
        if self.smooth and self.smooth != "euro":
            cutoff_of(self.smooth)
        if not (np.isfinite(self.keys) and self.keys >= 0):
            raise BadValue(f"the tolerance of keys is a number from 0 up, not {self.keys}")


@dataclass(frozen=True, eq=False)
class SolveJob:
    """A take, ready to be solved anywhere."""

    rig: Rig
    take: Take
    binding: Binding
    locked: tuple[str, ...]
    options: SolveOptions
    regions: Regions | None = None
    level: int = 0


@dataclass(frozen=True, eq=False)
class SolvedTake:
    """What came of it: plain values and arrays, so that another process can send it."""

    name: str
    rate: float
    curves: dict[str, Curve]
    rig: Rig | None  # with more shapes, where markers are met by them
    status: Ints  # (frames,)
    doubted: Ints  # (q, 2)
    notes: tuple[str, ...]
    frames: int  # of the whole take
    line: str  # how good it is, in words

    @property
    def clip(self) -> Clip:
        return Clip(self.name, self.curves, self.rate)


def captured_of(document: Document) -> Captured:
    """The document's take."""
    if document.captured is None:
        raise BadValue("there is no take; load one first: markers as .c3d, .trc or .csv")
    return document.captured


def solve_job(document: Document, options: SolveOptions, *, regions: Regions | None = None, level: int = 0) -> SolveJob:
    """What solving the document's take needs; sliders that are locked stay at rest."""
    captured, rig = captured_of(document), document.rig
    binding = captured.active
    if binding is None:
        raise BadValue(
            "the take is not bound yet: bind it by names, or choose three markers and click where they belong"
        )
    if len(binding) < 3:
        raise BadValue(f"only {len(binding)} markers are left to solve with; three are the least")
    added = tuple(name for name, group in zip(rig.sliders, rig.groups, strict=True) if group == GROUP)
    locked = tuple(dict.fromkeys((*document.locked, *added)))
    return SolveJob(rig, captured.take, binding, locked, options, regions, level)


def solve(job: SolveJob, progress: Progress | None = None, stopped: Callable[[], object] | None = None) -> SolvedTake:
    """Solve a take, or what there is of it once it is stopped."""
    options = job.options
    solver = TakeSolver(
        job.rig, job.binding, job.regions, level=job.level, locked=job.locked, gaze=options.gaze, steady=options.steady
    )
    solved = solver.solve(job.take, progress=progress, stopped=stopped)
    rig, clip = with_residual_shapes(solved) if options.residual else (None, solved.clip)
    clip = replace(clip, curves={**clip.curves, **region_curves(solved)})
    clip = finish_clip(clip, options.smooth, options.keys or None)
    return SolvedTake(
        job.take.name,
        solved.rate,
        dict(clip.curves),
        rig,
        np.array([STATUSES.index(status) for status in solved.status], np.int64),
        _doubted(job, solved),
        solved.notes,
        len(job.take),
        told(solved),
    )


def solve_in_background(task: jobs.Task, job: SolveJob) -> SolvedTake:
    """`solve`, as work for a job."""
    task.report(jobs.Progress(0, len(job.take)))
    return solve(job, lambda done, total: task.report(jobs.Progress(done, total)), lambda: task.stopped)


def region_curves(solved: TakeSolution) -> dict[str, Curve]:
    """What each region adds to the whole face's weights, as curves; regions that add next to nothing have none."""
    if solved.regions is None or solved.region_weights is None:
        return {}
    found = {}
    for region, weights in zip(solved.regions.names_at(solved.level), solved.region_weights, strict=True):
        added = weights - solved.weights
        for slider in np.flatnonzero(np.abs(added).max(axis=0, initial=0.0) > _ADDED).tolist():
            found[local_name(solved.rig.sliders[slider], region)] = Curve(solved.times, added[:, slider])
    return found


def told(solved: TakeSolution) -> str:
    """How well a take was met, in a sentence."""
    figures = take_statistics(solved)
    return (
        f"{len(solved):,} frames; markers {figures.mean():.2f} mm off on average, 95 % below "
        f"{figures.quantile(0.95):.2f} mm; largest step of a slider {largest_step(solved):.2f} a frame"
    )


def on_grown_rig(document: Document, rig: Rig) -> Document:
    """The document with another rig: its own with shapes added at the end, which rest."""
    more = len(rig.sliders) - len(document.rig.sliders)
    local = None if document.local is None else np.pad(document.local, ((0, 0), (0, more)), constant_values=0.0)
    return replace(document, rig=rig, pose=np.pad(document.pose, (0, more)), local=local)


def _doubted(job: SolveJob, solved: TakeSolution) -> Ints:
    """Frame and marker (q, 2) that the take shows but the solver did not go by."""
    here = [job.take.names.index(name) if name in job.take.names else -1 for name in job.binding.markers]
    seen = job.take.seen[: len(solved), here] & (np.array(here) >= 0)
    return np.argwhere(seen & ~solved.believed)
