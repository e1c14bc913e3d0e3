"""Comparing all sliders and shapes of the rig beside the session, as `inspect --report` does."""

from __future__ import annotations

from facewright import jobs
from facewright.jobs.task import Task
from facewright.report.interference import Interference, interference
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.tasks.action import Action
from facewright.session.tasks.rig_check import RigCheck

_PAIRS = 100  # that are listed


class FindInterference(Action, frozen=True, kw_only=True):
    """Compare all sliders and shapes: State.interference tells how far it is, and what was found."""

    def run(self, context: Context) -> None:
        context.task(InterferenceCheck).start()


class StopInterference(Action, frozen=True, kw_only=True):
    """Stop comparing sliders and shapes."""

    def run(self, context: Context) -> None:
        context.task(InterferenceCheck).stop()


class InterferenceCheck(RigCheck[Interference]):
    """The comparison that is under way, and what was last found."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "interference", _compare)


def _compare(task: Task, rig: Rig) -> Interference:
    return interference(
        rig, pairs=_PAIRS, progress=lambda done, total, note: task.report(jobs.Progress(done, total, note))
    )
