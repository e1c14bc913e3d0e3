"""A take from file to file: solved, or retargeted where it holds weights, and written with its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from facewright.capture.bind import bind
from facewright.capture.calibrate import Calibration
from facewright.capture.followers import following_rig
from facewright.capture.playback import Playback
from facewright.capture.solution import TakeSolution
from facewright.capture.statistics import TakeStatistics, largest_step, take_statistics
from facewright.document import Document
from facewright.errors import BadFile, UnknownFormat
from facewright.formats.clips import save_clip
from facewright.formats.files import write_atomically
from facewright.formats.json_files import save_binding
from facewright.formats.name_map import load_name_map
from facewright.formats.point_cache import save_point_cache
from facewright.formats.sources import naming
from facewright.jobs import Task, interruptions
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.rig.binding import Binding
from facewright.rig.prior import Prior
from facewright.rig.regions import Regions
from facewright.rig.retarget import MappedName, check_map
from facewright.rig.slider_sets import sliders_among
from facewright.workflow.export import lost_words, save_baked
from facewright.workflow.file_kind import FileKind, kind_of
from facewright.workflow.head_rig import with_moving_clip
from facewright.workflow.open import open_any, open_as, open_face, open_prior
from facewright.workflow.pose_file import load_pose
from facewright.workflow.report.take.page import take_report
from facewright.workflow.report.take.weights import weights_report
from facewright.workflow.take.retarget import retarget_clips
from facewright.workflow.take.solve import (
    SolvedTake,
    SolveJob,
    on_grown_rig,
    recorded_calibration,
    solve,
    solver_of,
)
from facewright.workflow.take.take_files import TakeFiles

Progress = Callable[[int, int], None]
_WORST = 3  # frames that are named
_TAKES = (
    "markers in .c3d, .trc or .csv files, weights in .csv, .json, .jsonl or .vrma files, "
    "and clips in .glb, .gltf, .fbx and .fwface files"
)


@dataclass(frozen=True)
class WorstFrame:
    """A frame that the sliders meet badly."""

    frame: int
    seconds: float
    residual: float  # mean of its markers, in millimetres


@dataclass(frozen=True)
class TakeFigures:
    """How well markers are met, in millimetres."""

    mean: float
    most: float  # 95 % of the markers are nearer
    worst: float
    spread: float  # the mean once what is left is spread over the skin
    frames: tuple[WorstFrame, ...]  # the worst first


@dataclass(frozen=True)
class SolvedFile:
    """How a take was solved, for a person."""

    take: str  # the file's name
    frames: int
    seconds: float
    line: str  # how well the markers are met, or how many curves were mapped
    notes: tuple[str, ...] = ()
    finished: bool = True  # False if it was stopped before its end
    retargeted: bool = False  # a recording of weights, mapped by names
    figures: TakeFigures | None = None  # of markers


def solve_file_in_pool(task: Task, job: TakeFiles) -> SolvedFile:
    """`solve_file`, as work for a pool of processes."""
    return solve_file(job, stopped=lambda: task.stopped)


def solve_file(
    job: TakeFiles, progress: Progress | None = None, stopped: Callable[[], object] | None = None
) -> SolvedFile:
    """Solve a take of markers, or retarget a clip of weights, and write what was asked for.

    stopped: whether to end with what is solved by now; without it, Ctrl-C asks for that.
    """
    recorded = _recording(job, job.take)
    if isinstance(recorded, Take):
        job.check_for_markers()
        return _solved(job, open_face(job.rig), recorded, progress, stopped)
    calibrating = _calibrating(job)
    if not isinstance(calibrating, Take):  # otherwise the options are for the markers of that one
        job.check_for_weights()
    return _retargeted(job, open_face(job.rig), recorded, calibrating)


def _solved(
    job: TakeFiles,
    document: Document,
    take: Take,
    progress: Progress | None = None,
    stopped: Callable[[], object] | None = None,
) -> SolvedFile:
    binding = _bound(job, document, take)
    if job.save_bind is not None:
        save_binding(binding, job.save_bind)
    solving = _solve_job(job, document, take, binding)
    start = perf_counter()
    with interruptions() as pressed, naming(job.take):
        found = solve(solving, progress, stopped or (lambda: pressed))
    seconds = perf_counter() - start
    assert found.solution is not None
    solution = replace(found.solution, notes=(*binding.notes, *found.solution.notes))
    said = _write_solved(job, replace(document, regions=solving.regions or document.regions), found)
    if job.cache is not None:
        save_point_cache(job.cache, solution.times, Playback(solution).chunks(), vertices=solution.rig.vertex_count)
    if job.report is not None:
        write_atomically(job.report, take_report(job.rig.name, solution).encode())
    finished = len(solution) == len(take)
    figures = take_statistics(solution)
    return SolvedFile(
        job.take.name,
        len(solution),
        seconds,
        _line(solution, figures),
        (*solution.notes, *said),
        finished,
        figures=_figures(solution, figures),
    )


def _solve_job(job: TakeFiles, document: Document, take: Take, binding: Binding) -> SolveJob:
    regions = None if job.regions is None else open_as(job.regions, Regions)
    rest = _calibrating(job)
    return SolveJob(
        document.rig,
        take,
        binding,
        job.options,
        regions,
        job.level,
        sliders=_sliders(job, document),
        prior=_prior(job, document),
        rest=rest,
        shows_range=job.range is not None,
    )


def _sliders(job: TakeFiles, document: Document) -> str | tuple[str, ...] | None:
    """The sliders that were asked for, or else those that the document says."""
    if job.sliders:
        return sliders_among(document.rig, job.sliders, document.slider_sets)
    return document.take_sliders or None


def _prior(job: TakeFiles, document: Document) -> Prior | None:
    """The prior that was given, which has to know the rig's sliders, or else the document's."""
    if job.prior is None:
        return document.usable_prior
    found = open_prior(job.prior)
    with naming(job.prior):
        found.on(document.rig)
    return found


def _recording(job: TakeFiles, path: Path) -> Take | tuple[Clip, ...]:
    """The take of markers in a file, with those markers that are to be used, or the clips in it."""
    if _kind(path) is FileKind.RIG:
        clips = open_as(path, Document).clips
        if not clips:
            raise BadFile(f"{path}: there is no clip in this file, and no markers")
        return clips
    found = open_any(path, rate=job.rate, unit=job.unit)
    if isinstance(found, Take):
        return found.matching(job.only, job.without)
    if isinstance(found, Clip):
        return (found,)
    raise BadFile(f"{path}: this file holds {kind_of(path).words}, but no take; takes are {_TAKES}")


def _kind(path: Path) -> FileKind:
    """What a file holds; where it is none of ours, the error lists what takes are kept in."""
    try:
        return kind_of(path)
    except UnknownFormat as problem:
        raise UnknownFormat(f"{path}: this is no take; takes are {_TAKES}") from problem


def _calibrating(job: TakeFiles) -> Take | Clip | None:
    """The recording of the actor's rest, or range."""
    path = job.range or job.rest
    if path is None:
        return None
    found = _recording(job, path)
    return found if isinstance(found, Take) else found[0]


def _bound(job: TakeFiles, document: Document, take: Take) -> Binding:
    if job.bind is not None:
        return open_as(job.bind, Binding)
    rig, neutral = document.rig, _neutral(job)
    pose = load_pose(job.rest_pose, rig) if isinstance(job.rest_pose, Path) else job.rest_pose
    with naming(job.take):
        return bind(rig, take, job.pairs or None, neutral=neutral, rest_pose=pose, mirrored=job.mirrored)


def _neutral(job: TakeFiles) -> Take | tuple[int, ...] | None:
    if not isinstance(job.neutral, Path):
        return job.neutral or None
    found = _recording(job, job.neutral)
    if not isinstance(found, Take):
        raise BadFile(f"{job.neutral}: this file holds weights; a take of markers shows the face at rest")
    return found


def _write_solved(job: TakeFiles, document: Document, found: SolvedTake) -> tuple[str, ...]:
    """Write the clip, on its rig and with what regions add; returns what a person should know about it."""
    if not job.is_table:
        return write(on_grown_rig(document, following_rig(found.rig or document.rig)), found.clip, job.out)
    curves = {name: curve for name, curve in found.curves.items() if name not in found.regional}
    save_clip(replace(found.clip, curves=curves), job.out)
    lost = "a table has one weight for each slider: what regions add is not in it; .glb and .fwface have it"
    assert found.solution is not None
    return (lost,) if found.solution.region_weights is not None else ()


def write(document: Document, clip: Clip, out: Path) -> tuple[str, ...]:
    """Write the document with one more clip; returns which shapes regions became, if they did."""
    saved = save_baked(with_moving_clip(document, clip), out)
    return tuple(filter(None, (saved.note, lost_words(saved, out))))


def _retargeted(
    job: TakeFiles, document: Document, clips: tuple[Clip, ...], calibrating: Take | Clip | None
) -> SolvedFile:
    """Clips of weights on another rig, by names."""
    start, rig = perf_counter(), document.rig
    names = _name_map(job, document)
    with naming(job.take):
        calibration = _clip_calibration(job, document, calibrating, names)
        found = retarget_clips(document.rig, clips, job.options, calibration, names=names)
    for clip in found.clips:
        document = with_moving_clip(document, clip)
    notes = list(found.notes)
    if job.is_table:
        save_clip(found.clips[-1], job.out)
        if others := [clip.name for clip in found.clips[:-1]]:
            notes.append(f"a table keeps one clip; not in it: {', '.join(others)}; .glb and .fwface keep all")
    else:
        notes += write(replace(document, rig=following_rig(document.rig)), found.clips[-1], job.out)
    if job.report is not None:
        page = weights_report(job.rig.name, rig, clips, found.found, found.clips)
        write_atomically(job.report, page.encode())
    frames = sum(len(clip.times()) for clip in clips)
    return SolvedFile(job.take.name, frames, perf_counter() - start, found.line, tuple(notes), retargeted=True)


def _name_map(job: TakeFiles, document: Document) -> tuple[MappedName, ...]:
    if job.map is None:
        return ()
    names = load_name_map(job.map)
    with naming(job.map):
        check_map(names, document.rig)
    return names


def _clip_calibration(
    job: TakeFiles, document: Document, recording: Take | Clip | None, names: Sequence[MappedName]
) -> Calibration:
    solver = None
    if isinstance(recording, Take):
        solver = solver_of(SolveJob(document.rig, recording, _bound(job, document, recording), job.options))
    return recorded_calibration(document.rig, recording, solver, full=job.range is not None, names=names)


def _figures(solved: TakeSolution, figures: TakeStatistics) -> TakeFigures:
    means = np.nan_to_num(figures.of_frames)
    worst = [
        WorstFrame(number, float(solved.times[number]), float(means[number]))
        for number in figures.worst_frames(_WORST, solved.rate).tolist()
    ]
    worst.sort(key=lambda each: -each.residual)
    quantiles = figures.quantile(0.95), figures.quantile(1.0)
    return TakeFigures(figures.mean(), *quantiles, figures.mean_after(), tuple(worst))


def _line(solved: TakeSolution, figures: TakeStatistics) -> str:
    active = (solved.weights > 0.01).sum(axis=1)
    return (
        f"markers {figures.mean():.2f} mm off (95 %: {figures.quantile(0.95):.2f}), "
        f"{figures.mean_after():.2f} mm with the residual; {np.mean(active):.1f} sliders on; "
        f"largest step {largest_step(solved):.2f} a frame"
    )
