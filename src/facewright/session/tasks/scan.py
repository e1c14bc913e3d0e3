"""Following the face in the document's sequence in a process of its own, so that it can be worked on meanwhile."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from facewright import jobs
from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.edits.scans import AddTrackedScan
from facewright.session.tasks.action import Action
from facewright.session.tasks.rig_change import why_outdated
from facewright.session.tasks.take import SolvingInfo
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


class ScanTracking:
    """The tracking that is under way, if there is one. For the session's thread."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._job: jobs.Job[TrackedScan] | None = None
        self._tracking: TrackJob | None = None
        self.info: SolvingInfo | None = None

    def start(self, job: TrackJob) -> None:
        if self._job is not None:
            raise BadValue("a sequence is being tracked; stop it, or wait for it to end")
        self._job = jobs.start(track_in_background, job, where="process", heard=lambda news: self._hear(job, news))
        self._tracking = job
        self.info = SolvingInfo(job.sequence.name[:200], 0, len(job.sequence), 0.0, False)

    def stop(self) -> None:
        """End with what is tracked by now."""
        if self._job is None or self.info is None:
            raise BadValue("no sequence is being tracked")
        self._job.stop()
        self.info = replace(self.info, stopping=True)

    def document_changed(self) -> None:
        """End a tracking whose weights would be of another rig than the open one."""
        tracking = self._tracking
        if tracking is not None and (why := self._why_outdated(tracking)):
            self.close()
            self._context.say(f"{why}: {tracking.sequence.name} is not tracked any further. Solve it again.")

    def _why_outdated(self, tracking: TrackJob) -> str:
        """Why the open face has no use for what is tracked; "" where it has."""
        document = self._context.document.value
        scanned = document.scanned
        if document.rig is not tracking.rig and (
            scanned is None or scanned.sequence.frames is not tracking.sequence.frames
        ):
            return "Another face is open, or this one without the sequence"
        return why_outdated(tracking.rig, document.rig)

    def close(self) -> None:
        """End the tracking and drop what it has."""
        if self._job is not None:
            self._job.kill()
        self._job = self._tracking = self.info = None

    def _hear(self, tracking: TrackJob, news: jobs.Progress | jobs.Finished[TrackedScan] | jobs.Failed) -> None:
        """In the job's thread: hand over to the session's."""
        if isinstance(news, jobs.Progress):
            self._context.post(lambda: self._progress(tracking, news), newest=("tracking", id(self)))
        else:
            self._context.post(lambda: self._context.when_idle(lambda: self._finish(tracking, news)))

    def _progress(self, tracking: TrackJob, news: jobs.Progress) -> None:
        if self.info is not None and tracking is self._tracking:
            self.info = replace(self.info, done=news.done, total=news.total, speed=news.speed)

    def _finish(self, tracking: TrackJob, news: jobs.Finished[TrackedScan] | jobs.Failed) -> None:
        """No gesture is open: the clip is added, as one step."""
        context = self._context
        if tracking is not self._tracking:
            return  # it was closed, and perhaps another one has begun
        self._job = self._tracking = self.info = None
        if isinstance(news, jobs.Failed):
            context.say(f"The sequence was not tracked: {news.message}")
        elif why := self._why_outdated(tracking):
            context.say(f"{why}: what was tracked of {tracking.sequence.name} before is gone. Solve it again.")
        else:
            context.apply(AddTrackedScan(found=news.value, sequence=tracking.sequence))
            context.say(_summary(news.value))


def _summary(found: TrackedScan) -> str:
    done = len(found.status)
    partly = "" if done == found.frames else f" Stopped before the end, at frame {done:,}."
    return f"Tracked {found.name}: {found.line}.{partly}"
