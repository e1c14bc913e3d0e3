"""One take from file to file: what `facewright solve` does for each of them, in this process or another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from facewright.capture.bind import bind
from facewright.capture.calibrate import Calibration, calibrate
from facewright.capture.finish import finish_clip
from facewright.capture.followers import following_rig
from facewright.capture.residual_shapes import with_residual_shapes
from facewright.capture.solution import TakeSolution
from facewright.capture.solver import TakeSolver
from facewright.capture.statistics import largest_step, take_statistics
from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.clips import load_clip, save_clip
from facewright.formats.files import write_atomically
from facewright.formats.json_files import save_binding
from facewright.formats.registry import load_document, save
from facewright.formats.takes import is_marker_file, load_take
from facewright.jobs import Task, interruptions
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.regions.bake import bake_regions
from facewright.rig.binding import Binding
from facewright.rig.regions import Regions
from facewright.rig.retarget import retarget
from facewright.workflow.open import open_as, open_face
from facewright.workflow.report.take.page import take_report
from facewright.workflow.take.solve import on_grown_rig, region_curves

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Job:
    """All that one take needs; plain values, so that another process can be given it."""

    rig: Path
    take: Path
    out: Path
    report: Path | None = None
    bind: Path | None = None
    save_bind: Path | None = None
    pairs: dict[str, int] = field(default_factory=dict)
    regions: Path | None = None
    level: int = 0
    neutral: int | None = None
    rate: float | None = None
    unit: str = ""
    residual: bool = False  # add shapes for what the sliders leave
    smooth: str = ""  # euro, or a cutoff in Hz
    keys: float | None = None  # tolerance of key reduction
    options: dict[str, Any] = field(default_factory=dict)  # of the fit
    only: tuple[str, ...] = ()  # patterns of the markers to go by; none: all
    without: tuple[str, ...] = ()  # and of those to do without
    mirrored: bool | None = None  # None: found
    rest: Path | None = None  # a recording of the actor's face at rest
    range: Path | None = None  # the same, which shows each slider's whole range as well

    @property
    def is_table(self) -> bool:
        return self.out.suffix.lower() == ".csv"

    def chosen(self, take: Take) -> Take:
        """The take with the markers to go by."""
        return take.matching(self.only, self.without)


@dataclass(frozen=True)
class Outcome:
    """What became of it, for the terminal."""

    take: str
    frames: int
    seconds: float
    line: str
    notes: tuple[str, ...] = ()
    finished: bool = True


def run_in_pool(task: Task, job: Job) -> Outcome:
    """`run`, as work for a pool of processes."""
    return run(job, stopped=lambda: task.stopped)


def not_begun(job: Job) -> Outcome:
    """The outcome of a job that was stopped before its turn."""
    return Outcome(job.take.name, 0, 0.0, "not begun", finished=False)


def run(job: Job, progress: Progress | None = None, stopped: Callable[[], object] | None = None) -> Outcome:
    """Solve a take of markers, or retarget a clip of weights, and write what was asked for.

    stopped: whether to end with what is solved by now; not given, Ctrl-C says so.
    """
    document = open_face(job.rig)
    if not is_marker_file(job.take):
        return _retargeted(job, document)
    take = job.chosen(load_take(job.take, rate=job.rate, unit=job.unit))
    binding = _bound(job, document, take)
    if job.save_bind is not None:
        save_binding(binding, job.save_bind)
    regions = None if job.regions is None else open_as(job.regions, Regions)
    solver = TakeSolver(document.rig, binding, regions, level=job.level, **job.options)
    calibration = _calibration(job, document, solver)
    start = perf_counter()
    with interruptions() as pressed:
        solved = solver.solve(take, progress=progress, stopped=stopped or (lambda: pressed))
    seconds = perf_counter() - start
    solved = replace(solved, notes=(*binding.notes, *solved.notes))
    said = _write_solved(job, replace(document, regions=regions or document.regions), solved, calibration)
    if job.report is not None:
        write_atomically(job.report, take_report(job.rig.name, solved).encode())
    line = _line(solved)
    return Outcome(job.take.name, len(solved), seconds, line, (*solved.notes, *said), len(solved) == len(take))


def _bound(job: Job, document: Document, take: Take) -> Binding:
    if job.bind is not None:
        return open_as(job.bind, Binding)
    return bind(document.rig, take, job.pairs or None, neutral=job.neutral, mirrored=job.mirrored)


def _calibration(job: Job, document: Document, solver: TakeSolver | None) -> Calibration:
    """From the recording of the actor's rest, or range, solved as the take is."""
    path = job.range or job.rest
    if path is None:
        return Calibration()
    if is_marker_file(path):
        take = job.chosen(load_take(path, rate=job.rate, unit=job.unit))
        solver = solver or TakeSolver(document.rig, _bound(job, document, take), **job.options)
        recorded = solver.solve(take).clip
    else:
        recorded = retarget(_clips(path, job.rate)[0], document.rig).clip
    return calibrate(recorded, document.rig, full=job.range is not None)


def _write_solved(job: Job, document: Document, solved: TakeSolution, calibration: Calibration) -> tuple[str, ...]:
    """The clip, finished, on the rig and with what regions add; and what had to be said about it."""
    rig, clip = with_residual_shapes(solved) if job.residual else (document.rig, solved.clip)
    clip = calibration(clip, document.rig)
    if not job.is_table:
        clip = replace(clip, curves={**clip.curves, **region_curves(solved)})
        return write(on_grown_rig(document, following_rig(rig)), finish_clip(clip, job.smooth, job.keys), job.out)
    save_clip(finish_clip(clip, job.smooth, job.keys), job.out)
    lost = "a table has one weight for each slider: what regions add is not in it; .glb and .fwface have it"
    return (lost,) if solved.region_weights is not None else ()


def write(document: Document, clip: Clip, out: Path) -> tuple[str, ...]:
    """The document with one more clip; what regions say becomes shapes, except in our own format. Says which."""
    document = replace(document, clips=_with_clip(document, clip), clip=clip.name)
    if out.suffix.lower() == ".fwface":
        save(document, out)
        return ()
    baked = bake_regions(document)
    save(baked.document, out)
    return (str(baked),) if baked.added else ()


def _retargeted(job: Job, document: Document) -> Outcome:
    """Clips of weights on another rig, by names."""
    start = perf_counter()
    clips, calibration = _clips(job.take, job.rate), _calibration(job, document, None)
    notes: list[str] = []
    for clip in clips:
        found = retarget(clip, document.rig)
        notes += [f"{clip.name}: nothing on the rig is meant by {', '.join(found.left)}"] if found.left else []
        notes += [f"{clip.name}: nothing moves {', '.join(found.idle)}"] if found.idle else []
        last = finish_clip(calibration(found.clip, document.rig), job.smooth, job.keys)
        document = replace(document, clips=_with_clip(document, last), clip=last.name)
    if job.is_table:
        save_clip(last, job.out)
    else:
        notes += write(replace(document, rig=following_rig(document.rig)), last, job.out)
    frames = sum(len(clip.times()) for clip in clips)
    line = f"{len(clips)} clips retargeted by names" if len(clips) > 1 else "retargeted by names"
    return Outcome(job.take.name, frames, perf_counter() - start, line, tuple(notes))


def _clips(path: Path, rate: float | None) -> tuple[Clip, ...]:
    if path.suffix.lower() == ".csv":
        return (load_clip(path, rate=rate or 30.0),)
    found = load_document(path).clips
    if not found:
        raise BadFile(f"{path}: there is no clip in this file, and no markers")
    return found


def _with_clip(document: Document, clip: Clip) -> tuple[Clip, ...]:
    return (*(other for other in document.clips if other.name != clip.name), clip)


def _line(solved: TakeSolution) -> str:
    figures = take_statistics(solved)
    active = (solved.weights > 0.01).sum(axis=1)
    return (
        f"markers {figures.mean():.2f} mm off (95 %: {figures.quantile(0.95):.2f}), "
        f"{figures.mean_after():.2f} mm with the residual; {np.mean(active):.1f} sliders on; "
        f"largest step {largest_step(solved):.2f} a frame"
    )
