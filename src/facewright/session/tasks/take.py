"""Solving the document's take in a process of its own, so that the face can be worked on meanwhile."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from facewright import jobs
from facewright.document import Document
from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.edits.takes import AddSolvedTake
from facewright.session.fields import Index, Label
from facewright.session.tasks.action import Action
from facewright.session.tasks.rig_change import why_outdated
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.take.solve import SolvedTake, SolveJob, solve_in_background, solve_job


class SolvingInfo(Struct, frozen=True):
    """A solve under way."""

    take: Label
    done: int  # frames
    total: int
    speed: float  # frames a second, 0 where it is not known yet
    stopping: bool


class SolveTake(Action, frozen=True, kw_only=True):
    """Solve the take in the background: State.solving tells how far it is, and the clip comes as a step."""

    smooth: Annotated[str, Meta(max_length=20)] = ""  # euro, or a cutoff in Hz
    keys: Annotated[float, Meta(ge=0, le=1)] = 0.005  # curves may change by as much for fewer keys; 0: keep all
    residual: bool = False  # add shapes, so that markers are met exactly
    gaze: bool | None = None  # whether gaze and tongue are solved too; None: gaze, where the markers tell it
    head: Literal["solved", "still"] = "solved"  # still: a helmet camera, whose takes have no head motion
    steady: Annotated[float, Meta(ge=0, le=1000)] = 1.0
    by_region: bool = False
    level: Index = 0

    def run(self, context: Context) -> None:
        context.task(TakeSolving).start(self.job(context.document.value))

    def job(self, document: Document) -> SolveJob:
        """The document's take with these options, ready to be solved."""
        options = TakeOptions(
            smooth=self.smooth,
            keys=self.keys or None,
            residual=self.residual,
            gaze=self.gaze,
            steady=self.steady,
            head=self.head,
        )
        if self.by_region and document.regions is None:
            raise BadValue("this face has no regions yet; find them first, or solve it whole")
        regions = document.regions if self.by_region else None
        level = 0 if regions is None else min(self.level, regions.levels - 1)
        return solve_job(document, options, regions=regions, level=level)


class StopSolve(Action, frozen=True, kw_only=True):
    """Stop solving, and keep what is solved so far."""

    def run(self, context: Context) -> None:
        context.task(TakeSolving).stop()


class TakeSolving:
    """The solve that is under way, if there is one. For the session's thread."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._job: jobs.Job[SolvedTake] | None = None
        self._solving: SolveJob | None = None
        self.info: SolvingInfo | None = None

    def start(self, job: SolveJob) -> None:
        """Begin to solve."""
        if self._job is not None:
            raise BadValue("a take is being solved; stop it, or wait for it to end")
        self._job = jobs.start(solve_in_background, job, where="process", heard=lambda news: self._hear(job, news))
        self._solving = job
        self.info = SolvingInfo(job.take.name[:200], 0, len(job.take), 0.0, False)

    def stop(self) -> None:
        """End with what is solved by now."""
        if self._job is None or self.info is None:
            raise BadValue("no take is being solved")
        self._job.stop()
        self.info = replace(self.info, stopping=True)

    def document_changed(self) -> None:
        """End a solve whose weights would be of another rig than the open one."""
        solving = self._solving
        if solving is not None and (why := self._why_outdated(solving)):
            self.close()
            self._context.say(f"{why}: {solving.take.name} is not solved any further. Solve it again.")

    def _why_outdated(self, solving: SolveJob) -> str:
        """Why the open face has no use for what is solved; "" where it has.

        The same face may have been opened anew: then its rig is another object, and it does not have the take.
        """
        document = self._context.document.value
        has_take = document.captured is not None and document.captured.take is solving.take
        if document.rig is not solving.rig and not has_take:
            return "Another face is open, or this one without the take"
        return why_outdated(solving.rig, document.rig)

    def close(self) -> None:
        """End the solve and drop what it has."""
        if self._job is not None:
            self._job.kill()
        self._job = self._solving = self.info = None

    def _hear(self, solving: SolveJob, news: jobs.Progress | jobs.Finished[SolvedTake] | jobs.Failed) -> None:
        """In the job's thread: hand over to the session's."""
        if isinstance(news, jobs.Progress):
            self._context.post(lambda: self._progress(solving, news), newest=("solving", id(self)))
        else:
            self._context.post(lambda: self._context.when_idle(lambda: self._finish(solving, news)))

    def _progress(self, solving: SolveJob, news: jobs.Progress) -> None:
        if self.info is not None and solving is self._solving:
            self.info = replace(self.info, done=news.done, total=news.total, speed=news.speed)

    def _finish(self, solving: SolveJob, news: jobs.Finished[SolvedTake] | jobs.Failed) -> None:
        """No gesture is open: the clip is added, as one step."""
        context = self._context
        if solving is not self._solving:
            return  # it was closed, and perhaps another one has begun
        self._job = self._solving = self.info = None
        if isinstance(news, jobs.Failed):
            context.say(f"The take was not solved: {news.message}")
        elif why := self._why_outdated(solving):
            context.say(f"{why}: what was solved of {solving.take.name} before is gone. Solve it again.")
        else:
            context.apply(AddSolvedTake(solved=news.value, take=solving.take))
            context.say(_summary(news.value))


def _summary(found: SolvedTake) -> str:
    partly = "" if len(found.status) == found.frames else f" Stopped before the end, at frame {len(found.status):,}."
    return f"Solved {found.name}: {found.line}.{partly}"
