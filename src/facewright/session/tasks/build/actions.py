"""What a page asks of a build."""

from __future__ import annotations

from facewright.session.context import Context
from facewright.session.tasks.action import Action
from facewright.session.tasks.build.building import Building
from facewright.workflow.build.register import ready_to_register


class SolveBuild(Action, frozen=True, kw_only=True):
    """Build the rig now."""

    def run(self, context: Context) -> None:
        context.task(Building).ask("solve")


class StopBuild(Action, frozen=True, kw_only=True):
    """Stop, and keep the last whole iteration."""

    def run(self, context: Context) -> None:
        context.task(Building).stop()


class SolveAlong(Action, frozen=True, kw_only=True):
    """Whether to solve by itself after each change."""

    on: bool

    def run(self, context: Context) -> None:
        context.task(Building).solve_along(self.on)


class ProposePairs(Action, frozen=True, kw_only=True):
    """Let pairs be found."""

    def run(self, context: Context) -> None:
        context.task(Building).ask("pair")


class RegisterTemplate(Action, frozen=True, kw_only=True):
    """Register the template to the neutral by the pairs."""

    def run(self, context: Context) -> None:
        ready_to_register(context.plan.value)
        context.task(Building).ask("register")
