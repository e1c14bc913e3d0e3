"""Following a face from files: what `facewright track` does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from facewright.capture.followers import following_rig
from facewright.document import Document
from facewright.formats.clips import save_clip
from facewright.formats.files import write_atomically
from facewright.formats.registry import save
from facewright.formats.scans import load_scan
from facewright.formats.sources import naming
from facewright.jobs.interrupts import interruptions
from facewright.motion.depth import ScanSequence
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.tracking.options import TrackOptions
from facewright.tracking.refine import RefinedRig, RefineProgress, refine_rig
from facewright.tracking.solution import TrackSolution
from facewright.tracking.track import TrackProgress, track
from facewright.workflow.open import open_face, open_prior
from facewright.workflow.report.track.page import track_report
from facewright.workflow.take.files import write
from facewright.workflow.track.person import person_at_rest, person_note
from facewright.workflow.track.scan import described


@dataclass(frozen=True)
class TrackFiles:
    """What to follow, with which rig, and where to write."""

    rig: Path
    scan: Path
    out: Path
    report: Path | None = None
    prior: Path | None = None
    rest: tuple[int, ...] = ()  # frames at rest, of which the person's own face is made; none: the rig is the person's
    unit: str = ""
    rate: float | None = None
    refine: int = 0  # frames by which the rig is refined; 0: it is left as it is
    rig_out: Path | None = None  # where the refined rig is written
    template: Path | None = None  # whose shapes were transferred to the rig, of its topology
    landmarks: Path | None = None  # of all frames, or a folder; None: those beside the frames, if there are some
    mirror: bool = False  # the pictures were mirrored when they were written


@dataclass(frozen=True)
class TrackedFile:
    """How it went, for a person."""

    frames: int
    seconds: float
    line: str
    notes: tuple[str, ...]
    finished: bool


def track_file(job: TrackFiles, progress: Callable[[int, int], None] | None = None) -> TrackedFile:
    """Follow a face and write what was asked for. Ctrl-C ends with the frames that are followed by then."""
    document = open_face(job.rig)
    sequence = load_scan(job.scan, unit=job.unit, rate=job.rate, landmarks=job.landmarks, mirror=job.mirror)
    prior = _prior(job, document)
    # the rig that gets a person's face is the template itself
    template = open_face(job.template).rig if job.template else document.rig if job.rest else None
    start = perf_counter()
    with interruptions() as pressed, naming(job.scan):
        document, scale, said = _person(job, document, sequence)

        def told(done: int, total: int) -> bool:
            if progress is not None:
                progress(done, total)
            return not pressed

        found, refined = _followed(job, document, sequence, template, prior, scale, told)
    seconds = perf_counter() - start
    if refined is not None:
        document = replace(document, rig=refined.rig)
        said = (*said, refined_note(refined))
    notes = (*said, *found.notes, *_write(job, document, found))
    if job.report is not None:
        page = track_report(job.rig.name, replace(found, notes=notes), sequence, refined)
        write_atomically(job.report, page.encode())
    finished = found.finished and (refined is None or refined.finished)
    return TrackedFile(len(found), seconds, described(found), notes, finished)


def _followed(
    job: TrackFiles,
    document: Document,
    sequence: ScanSequence,
    template: Rig | None,
    prior: Prior | None,
    scale: float | None,
    told: Callable[[int, int], bool],
) -> tuple[TrackSolution, RefinedRig | None]:
    """The face as it was followed, with the rig as it is or refined by the frames."""
    options = TrackOptions(locked=document.locked)

    def followed(step: TrackProgress) -> bool:
        return told(step.frame, step.frames)

    def again(step: RefineProgress) -> bool:
        return told(step.done, step.total)

    if not job.refine:
        rig = document.rig
        return track(rig, sequence, prior=prior, options=options, scale=scale, progress=followed), None
    refined = refine_rig(
        document.rig,
        sequence,
        count=job.refine,
        template=template,
        prior=prior,
        options=options,
        scale=scale,
        progress=again,
    )
    return refined.after, refined


def _prior(job: TrackFiles, document: Document) -> Prior | None:
    if job.prior is None:
        return document.usable_prior
    found = open_prior(job.prior)
    with naming(job.prior):
        found.on(document.rig)
    return found


def _person(
    job: TrackFiles, document: Document, sequence: ScanSequence
) -> tuple[Document, float | None, tuple[str, ...]]:
    """The document with the face of the person who is seen, if frames at rest are named."""
    if not job.rest:
        return document, None, ()
    found = person_at_rest(document.rig, sequence, job.rest)
    return replace(document, rig=found.rig), found.scale, (person_note(found, len(job.rest)),)


def refined_note(found: RefinedRig) -> str:
    """What refining brought, in a sentence."""
    gain, used = found.improvement, f"the rig was refined by {len(found.used)} frames"
    if not gain.frames:
        return f"{used}; none is left that could tell what improved"
    before, after = (1000 * each for each in gain.shape)
    return (
        f"{used}; in {gain.frames} others, what it does not make of the face is {after:.2f} mm along the normals,"
        f" {gain.share:.0%} of the {before:.2f} mm before"
    )


def _write(job: TrackFiles, document: Document, found: TrackSolution) -> tuple[str, ...]:
    if job.rig_out is not None:
        save(document, job.rig_out)
    if job.out.suffix.lower() == ".csv":
        save_clip(found.clip, job.out)
        return ()
    return write(replace(document, rig=following_rig(document.rig)), found.clip, job.out)
