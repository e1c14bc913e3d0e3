"""Solving the document's take in a process of its own, so that the face can be worked on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta

from facewright import jobs
from facewright.document import Document
from facewright.errors import BadValue
from facewright.motion.take import Take
from facewright.session.context import Context
from facewright.session.edits.takes import AddSolvedTake
from facewright.session.fields import Index
from facewright.session.tasks.action import Action
from facewright.session.tasks.background_solve import BackgroundSolve, News, summary
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.take.solve import SolvedTake, SolveJob, solve_in_background, solve_job


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


class TakeSolving(BackgroundSolve[SolveJob, SolvedTake]):
    """The solve of the take that is under way, if there is one."""

    thing = "take"
    solved = "solved"

    def begin(self, work: SolveJob, heard: Callable[[News[SolvedTake]], None]) -> jobs.Job[SolvedTake]:
        return jobs.start(solve_in_background, work, where="process", heard=heard)

    def recorded(self, work: SolveJob) -> Take:
        return work.take

    def is_in(self, document: Document, work: SolveJob) -> bool:
        return document.captured is not None and document.captured.take is work.take

    def keep(self, work: SolveJob, found: SolvedTake) -> str:
        self._context.apply(AddSolvedTake(solved=found, take=work.take))
        return summary(self.solved, found.name, found.line, len(found.status), found.frames)
