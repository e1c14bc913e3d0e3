"""Following a face in the sequence that a document has, as a job that another process can be given."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facewright import jobs
from facewright.arrays import Floats, Ints
from facewright.capture.followers import following_rig
from facewright.document import Document
from facewright.errors import BadValue
from facewright.mesh.align import Similarity
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.depth import ScanSequence
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.rig.scanned import Scanned, TrackedClip
from facewright.tracking.options import TrackOptions
from facewright.tracking.solution import TrackSolution
from facewright.tracking.solver import TrackSolver, TrackStatus
from facewright.tracking.track import TrackProgress, first_head, shown_frames, track
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.track.person import person_at_rest, person_note

_WORDS = tuple(status.value for status in TrackStatus)


@dataclass(frozen=True, eq=False)
class TrackJob:
    """What following the face in a sequence needs, as plain data."""

    rig: Rig
    sequence: ScanSequence
    prior: Prior | None = None
    locked: tuple[str, ...] = ()
    rest: tuple[int, ...] = ()  # frames at rest, of which the person's own face is made; none: the rig is the person's
    keys: float | None = None  # tolerance of key reduction; None: a key on every frame


@dataclass(frozen=True, eq=False)
class TrackedScan:
    """A clip and how it was tracked, as plain data that another process can send."""

    name: str
    rate: float
    curves: dict[str, Curve]
    rig: Rig | None  # with the face of the person who is seen, where frames at rest were named
    status: Ints  # (frames,) as numbered by the words of `tracked`
    residual: Floats  # (frames,) metres
    rotations: Floats  # (frames, 3, 3)
    offsets: Floats  # (frames, 3) metres
    scale: float
    notes: tuple[str, ...]
    frames: int  # of the whole sequence; a stopped one has fewer in `status`
    line: str  # how well the face was followed, for a person

    @property
    def clip(self) -> Clip:
        return Clip(self.name, self.curves, self.rate)

    def tracked(self, clip: str) -> TrackedClip:
        """What is kept of it beside a clip of that name."""
        return TrackedClip(
            clip, self.status, _WORDS, self.residual, self.rotations, self.offsets, self.scale, self.notes
        )


def scanned_of(document: Document) -> Scanned:
    """The document's sequence."""
    if document.scanned is None:
        raise BadValue("there is no depth or scan sequence; load one first: .npz, .zip, a folder of .png, .ply, .obj")
    return document.scanned


def track_job(document: Document, *, own_face: bool = False, keys: float | None = None) -> TrackJob:
    """What following the face in the document's sequence needs; sliders that are locked stay at rest."""
    scanned = scanned_of(document)
    if own_face and not scanned.rest:
        raise BadValue("no frame is said to be at rest; go to one in which the face is, and say so")
    rest = scanned.rest if own_face else ()
    return TrackJob(document.rig, scanned.sequence, document.usable_prior, document.locked, rest, keys)


def track_in_background(task: jobs.Task, job: TrackJob) -> TrackedScan:
    """Follow the face, as work for a job. Once stopped, what there is by then is kept."""
    task.report(jobs.Progress(0, len(job.sequence)))
    rig, scale, said = job.rig, None, list[str]()
    if job.rest:
        person = person_at_rest(rig, job.sequence, job.rest)
        rig, scale = person.rig, person.scale
        said.append(person_note(person, len(job.rest)))

    def told(step: TrackProgress) -> bool:
        task.report(jobs.Progress(step.frame, step.frames))
        return not task.stopped

    options = TrackOptions(locked=job.locked)
    found = track(rig, job.sequence, prior=job.prior, options=options, scale=scale, progress=told)
    clip = TakeOptions(keys=job.keys).finish(found.clip)
    return TrackedScan(
        job.sequence.name,
        found.rate,
        dict(clip.curves),
        following_rig(rig) if job.rest else None,
        np.array([_WORDS.index(status.value) for status in found.status], np.int64),
        found.residual,
        np.array([place.rotation for place in found.places]),
        np.array([place.offset for place in found.places]),
        found.scale,
        (*said, *found.notes),
        len(job.sequence),
        described(found),
    )


def described(found: TrackSolution) -> str:
    """How well a face was followed, in a sentence."""
    seen = sum(each.seen for each in found.status)
    left = 1000 * float(np.nanmedian(found.residual)) if seen else float("nan")
    active = float((found.weights > 0.01).sum(axis=1).mean()) if len(found) else 0.0
    return f"{seen:,} of {len(found):,} frames seen, {left:.2f} mm off along the normals; {active:.1f} sliders on"


def placed_scan(rig: Rig, sequence: ScanSequence) -> Scanned:
    """A sequence with the head of a rig in it, where it is found in a first frame; a note says why it is not."""
    sequence = replace(sequence, times=sequence.times - sequence.times[:1])
    seen = shown_frames(sequence)
    try:
        _, head = first_head(TrackSolver(rig), sequence, seen)
    except BadValue as problem:
        return Scanned(sequence, notes=(str(problem),))
    place = head.place
    return Scanned(sequence, Similarity(place.rotation, place.offset, place.scale))
