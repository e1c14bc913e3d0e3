"""Searching the poses that break the modeller's rules most, beside the session."""

from __future__ import annotations

from facewright.jobs.task import Task
from facewright.report.breaches import Breach, breaches
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.tasks.action import Action
from facewright.session.tasks.rig_check import RigCheck


class CheckRules(Action, frozen=True, kw_only=True):
    """Search for the poses that break the rules most: State.rule_check tells when they are found."""

    def run(self, context: Context) -> None:
        context.task(RuleCheck).start()


class StopRuleCheck(Action, frozen=True, kw_only=True):
    """Stop searching for poses that break rules."""

    def run(self, context: Context) -> None:
        context.task(RuleCheck).stop()


class RuleCheck(RigCheck[tuple[Breach, ...]]):
    """The search that is under way, and what was last found."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "poses that break rules", _breaches)


def _breaches(task: Task, rig: Rig) -> tuple[Breach, ...]:
    return breaches(rig)
