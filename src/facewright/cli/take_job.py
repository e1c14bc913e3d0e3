"""One take from file to file: what `facewright solve` does for each of them, in this process or another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from facewright.capture.account import account, largest_step
from facewright.capture.bind import bind
from facewright.capture.finish import finished
from facewright.capture.residual_shapes import with_residual_shapes
from facewright.capture.solve import TakeSolver
from facewright.capture.solved import Solved
from facewright.cli.faces import document_named
from facewright.cli.interrupted import interruptions
from facewright.cli.take_page.page import page
from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.binding_json import load_binding, save_binding
from facewright.formats.files import write_atomically
from facewright.formats.regions_json import load_regions
from facewright.formats.registry import load_document, save
from facewright.formats.takes import is_marker_file, load_take
from facewright.formats.weights_csv import load_clip, save_clip
from facewright.motion.clip import Clip
from facewright.rig.retarget import retarget
from facewright.session.take_solve import on_grown_rig

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


@dataclass(frozen=True)
class Outcome:
    """What became of it, for the terminal."""

    take: str
    frames: int
    seconds: float
    line: str
    notes: tuple[str, ...] = ()
    finished: bool = True


def run(job: Job, progress: Progress | None = None) -> Outcome:
    """Solve a take of markers, or retarget a clip of weights, and write what was asked for."""
    document = document_named(job.rig)
    if not is_marker_file(job.take):
        return _retargeted(job, document)
    take = load_take(job.take, rate=job.rate, unit=job.unit)
    binding = load_binding(job.bind) if job.bind else bind(document.rig, take, job.pairs or None, neutral=job.neutral)
    if job.save_bind is not None:
        save_binding(binding, job.save_bind)
    regions = None if job.regions is None else load_regions(job.regions)
    solver = TakeSolver(document.rig, binding, regions, level=job.level, **job.options)
    start = perf_counter()
    solved = _solved(solver, take, progress)
    seconds = perf_counter() - start
    solved = replace(solved, notes=(*binding.notes, *solved.notes))
    rig, clip = with_residual_shapes(solved) if job.residual else (document.rig, solved.clip)
    write(on_grown_rig(document, rig), finished(clip, job.smooth, job.keys), job.out)
    if job.report is not None:
        write_atomically(job.report, page(job.rig.name, solved).encode())
    return Outcome(job.take.name, len(solved), seconds, _line(solved), solved.notes, len(solved) == len(take))


def write(document: Document, clip: Clip, out: Path) -> None:
    """The clip as a table, or the document with one more clip."""
    if out.suffix.lower() == ".csv":
        save_clip(clip, out)
        return
    others = tuple(other for other in document.clips if other.name != clip.name)
    save(replace(document, clips=(*others, clip), clip=clip.name), out)


def _solved(solver: TakeSolver, take: Any, progress: Progress | None) -> Solved:
    with interruptions() as pressed:
        return solver.solve(take, progress=progress, stopped=lambda: pressed)


def _retargeted(job: Job, document: Document) -> Outcome:
    """Clips of weights on another rig, by names."""
    start = perf_counter()
    clips = _clips(job)
    notes: list[str] = []
    for clip in clips:
        found = retarget(clip, document.rig)
        notes += [f"{clip.name}: nothing on the rig is meant by {', '.join(found.left)}"] if found.left else []
        notes += [f"{clip.name}: nothing moves {', '.join(found.idle)}"] if found.idle else []
        document = replace(document, clips=_with_clip(document, found.clip), clip=found.clip.name)
        last = finished(found.clip, job.smooth, job.keys)
        document = replace(document, clips=_with_clip(document, last))
    write(document, last, job.out)
    frames = sum(len(clip.times()) for clip in clips)
    line = f"{len(clips)} clips retargeted by names" if len(clips) > 1 else "retargeted by names"
    return Outcome(job.take.name, frames, perf_counter() - start, line, tuple(notes))


def _clips(job: Job) -> tuple[Clip, ...]:
    if job.take.suffix.lower() == ".csv":
        return (load_clip(job.take, rate=job.rate or 30.0),)
    found = load_document(job.take).clips
    if not found:
        raise BadFile(f"{job.take}: there is no clip in this file, and no markers")
    return found


def _with_clip(document: Document, clip: Clip) -> tuple[Clip, ...]:
    return (*(other for other in document.clips if other.name != clip.name), clip)


def _line(solved: Solved) -> str:
    figures = account(solved)
    active = (solved.weights > 0.01).sum(axis=1)
    return (
        f"markers {figures.mean():.2f} mm off (95 %: {figures.quantile(0.95):.2f}), "
        f"{figures.mean_after():.2f} mm with the residual; {np.mean(active):.1f} sliders on; "
        f"largest step {largest_step(solved):.2f} a frame"
    )
