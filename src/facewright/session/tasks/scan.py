"""Following the face in the document's sequence in a process of its own, so that it can be worked on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from facewright import jobs
from facewright.document import Document
from facewright.motion.depth import ScanSequence
from facewright.session.context import Context
from facewright.session.edits.scans import AddTrackedScan
from facewright.session.tasks.action import Action
from facewright.session.tasks.background_solve import BackgroundSolve, News, summary
from facewright.workflow.track.scan import TrackedScan, TrackJob, track_in_background, track_job


class TrackScan(Action, frozen=True, kw_only=True):
    """Follow the face in the background: State.tracking tells how far it is, and the clip comes as a step."""

    own_face: bool = False  # give the rig the face of the person who is seen in the frames at rest
    keys: Annotated[float, Meta(ge=0, le=1)] = 0.005  # curves may change by as much for fewer keys; 0: keep all

    def run(self, context: Context) -> None:
        job = track_job(context.document.value, own_face=self.own_face, keys=self.keys or None)
        context.task(ScanTracking).start(job)


class StopTrack(Action, frozen=True, kw_only=True):
    """Stop following the face, and keep the frames so far."""

    def run(self, context: Context) -> None:
        context.task(ScanTracking).stop()


class ScanTracking(BackgroundSolve[TrackJob, TrackedScan]):
    """The tracking of the sequence that is under way, if there is one."""

    thing = "sequence"
    solved = "tracked"

    def begin(self, work: TrackJob, heard: Callable[[News[TrackedScan]], None]) -> jobs.Job[TrackedScan]:
        return jobs.start(track_in_background, work, where="process", heard=heard)

    def recorded(self, work: TrackJob) -> ScanSequence:
        return work.sequence

    def is_in(self, document: Document, work: TrackJob) -> bool:
        scanned = document.scanned
        return scanned is not None and scanned.sequence.frames is work.sequence.frames

    def keep(self, work: TrackJob, found: TrackedScan) -> str:
        self._context.apply(AddTrackedScan(found=found, sequence=work.sequence))
        return summary(self.solved, found.name, found.line, len(found.status), found.frames)
