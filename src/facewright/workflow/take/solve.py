"""Solving a document's take: its input and its result as plain data that can be sent to another process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facewright import jobs
from facewright.arrays import Ints
from facewright.capture.calibrate import Calibration, calibrate
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
from facewright.rig.prior import Prior
from facewright.rig.regions import Regions
from facewright.rig.retarget import MappedName, retarget
from facewright.rig.rig import Rig
from facewright.rig.slider import sliders_of, with_sliders
from facewright.workflow.take.options import TakeOptions

_ADDED = 0.005  # weight that a region must add somewhere to have a curve
STATUSES = tuple(FrameStatus)  # what a frame's status counts


@dataclass(frozen=True, eq=False)
class SolveJob:
    """A take and all that solving it needs, as plain data for this process or another."""

    rig: Rig
    take: Take
    binding: Binding
    options: TakeOptions
    regions: Regions | None = None  # solved one by one after the whole face
    level: int = 0  # of the regions, 0 being the finest
    locked: tuple[str, ...] = ()  # sliders that stay at 0
    sliders: str | tuple[str, ...] | None = None  # that are solved: the name of a set, or names; None: the usual ones
    prior: Prior | None = None  # which poses are likely; None: by names alone
    rest: Take | Clip | None = None  # a recording of the actor at rest, whose slider values become 0
    shows_range: bool = False  # the recording also shows each slider's whole range, which is brought to 1


@dataclass(frozen=True, eq=False)
class SolvedTake:
    """A clip and how it was solved, as plain data that another process can send."""

    name: str
    rate: float
    curves: dict[str, Curve]
    regional: tuple[str, ...]  # names of the curves that regions add
    rig: Rig | None  # with more shapes, where markers are met by them
    status: Ints  # (frames,) index into STATUSES
    doubted: Ints  # (q, 2) frame and marker that the take shows but the solver did not use
    notes: tuple[str, ...]
    frames: int  # of the whole take; a stopped solve has fewer in `status`
    line: str  # how well the markers are met, for a person
    solution: TakeSolution | None  # None where it was solved in another process

    @property
    def clip(self) -> Clip:
        return Clip(self.name, self.curves, self.rate)


def captured_of(document: Document) -> Captured:
    """The document's take."""
    if document.captured is None:
        raise BadValue("there is no take; load one first: markers as .c3d, .trc or .csv")
    return document.captured


def solve_job(document: Document, options: TakeOptions, *, regions: Regions | None = None, level: int = 0) -> SolveJob:
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
    return SolveJob(
        rig,
        captured.take,
        binding,
        options,
        regions,
        level,
        locked,
        sliders=document.take_sliders or None,
        prior=document.usable_prior,
    )


def solve(job: SolveJob, progress: Progress | None = None, stopped: Callable[[], object] | None = None) -> SolvedTake:
    """Solve a take and finish its clip. Once stopped, what there is by then is finished."""
    options, solver = job.options, solver_of(job)
    calibration = recorded_calibration(job.rig, job.rest, solver, full=job.shows_range)
    solution = solver.solve(job.take, progress=progress, stopped=stopped)
    rig, clip = with_residual_shapes(solution) if options.residual else (None, solution.clip)
    added = region_curves(solution)
    clip = calibration(clip, job.rig)
    clip = options.finish(replace(clip, curves={**clip.curves, **added}))
    return SolvedTake(
        job.take.name,
        solution.rate,
        dict(clip.curves),
        tuple(added),
        rig,
        np.array([STATUSES.index(status) for status in solution.status], np.int64),
        _doubted(job, solution),
        solution.notes,
        len(job.take),
        described(solution),
        solution,
    )


def solve_in_background(task: jobs.Task, job: SolveJob) -> SolvedTake:
    """`solve`, as work for a job."""
    task.report(jobs.Progress(0, len(job.take)))
    found = solve(job, lambda done, total: task.report(jobs.Progress(done, total)), lambda: task.stopped)
    return replace(found, solution=None)


def recorded_calibration(
    rig: Rig,
    recording: Take | Clip | None,
    solver: TakeSolver | None,
    *,
    full: bool = False,
    names: Sequence[MappedName] = (),
) -> Calibration:
    """The calibration from a recording of the actor at rest, or of the whole range (full); none without a recording.

    solver: for a recording of markers. names: map of the curves of a recording of weights.
    """
    if recording is None:
        return Calibration()
    if isinstance(recording, Clip):
        recorded = retarget(recording, rig, names=names).clip
    elif solver is not None:
        recorded = solver.solve(recording).clip
    else:
        raise BadValue("a recording of markers calibrates a take of markers; for weights record weights")
    return calibrate(recorded, rig, full=full)


def solver_of(job: SolveJob) -> TakeSolver:
    """The solver that a job asks for."""
    options = job.options
    return TakeSolver(
        job.rig,
        job.binding,
        job.regions,
        level=job.level,
        locked=job.locked,
        sliders=job.sliders,
        prior=job.prior,
        method=options.method,
        steady=options.steady,
        sparse=options.sparse,
        gaze=options.gaze,
        head=options.head,
    )


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


def described(solved: TakeSolution) -> str:
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


def grown_alike(rig: Rig, grown: Rig) -> Rig:
    """A rig with the shapes and sliders that another has beside its own, added at the end.

    The other one was grown from it before its ties, rules, groups or the order of its sliders were edited.
    """
    shapes = [shape for shape in grown.shapes if shape.name not in rig.shape_names]
    sliders = [slider for slider in sliders_of(grown) if slider.name not in rig.sliders]
    return with_sliders(rig, (*rig.shapes, *shapes), (*sliders_of(rig), *sliders))


def _doubted(job: SolveJob, solved: TakeSolution) -> Ints:
    """Frame and marker (q, 2) that the take shows but the solver did not go by."""
    here = [job.take.names.index(name) if name in job.take.names else -1 for name in job.binding.markers]
    seen = job.take.seen[: len(solved), here] & (np.array(here) >= 0)
    return np.argwhere(seen & ~solved.believed)
