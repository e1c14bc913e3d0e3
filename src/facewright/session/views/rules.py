"""The modeller's rules as pages see them: what they say, which the present pose breaks, and the worst poses found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats, Ints
from facewright.regions.local_pose import is_local
from facewright.report.breaches import Breach
from facewright.report.rule_motion import RuleMotion, RuleMotions
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy
from facewright.session.context import Context
from facewright.session.edits.rules import RuleKind
from facewright.session.frames import Array, Frame
from facewright.session.tasks.rig_check import CheckProgress
from facewright.session.tasks.rules import RuleCheck
from facewright.session.views.view import pushed, view


class RuleInfo(Struct):
    """A rule, and how far its vertices go in the present pose."""

    name: str
    kind: RuleKind  # only: some sliders may move the vertices; within: they stay near their rest
    sliders: list[str]  # of "only"
    allowed: float  # scene units: the distance of "within", the tolerance of "only"
    furthest: float  # scene units: how far the vertices go now, as far as the rule is about it
    broken: int  # number of vertices that go too far now


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleMap(Frame):
    """The rules and their vertices: those of rule i are entries starts[i] to starts[i + 1]. Sent after every change of
    the rules, and of the pose where there are rules.
    """

    rules: list[RuleInfo]
    starts: Annotated[Ints, Array("u4", ("r+1",))]
    vertices: Annotated[Ints, Array("u4", ("k",))]
    excess: Annotated[Floats, Array("f4", ("k",))]  # 0: within the rule; else how far beyond, of the face's size


class _PreparedRules:
    """The rules of the last rig that pages were told of."""

    def __init__(self, context: Context) -> None:
        self._last: tuple[Rig, RuleMotions] | None = None

    def of(self, rig: Rig) -> RuleMotions:
        if self._last is None or self._last[0] is not rig:
            self._last = (rig, RuleMotions(rig, None if self._last is None else self._last[1]))
        return self._last[1]


class BreachInfo(Struct):
    """A rule, and the pose that breaks it most. Distances are shares of the face's size."""

    rule: str
    vertex: int
    distance: float
    allowed: float
    pose: dict[str, float]  # sliders; the others are at 0


class RuleCheckInfo(Struct):
    """The search for poses that break rules."""

    progress: CheckProgress | None  # null: none is under way
    current: bool  # what was found is about the rig as it is now
    breaches: list[BreachInfo] | None  # null: nothing was searched yet


def _inputs(context: Context) -> tuple[object, ...]:
    document = context.document.value
    rules = document.rig.rules
    return (rules, document.rig, document.pose, document.local, document.regions) if rules else (rules, *[None] * 4)


@pushed(_inputs)
def rule_map(context: Context) -> RuleMap:
    """The rules in the present pose."""
    document, solvers = context.document.value, context.solvers
    rig = document.rig
    found = context.task(_PreparedRules).of(rig)(
        solvers.values(document), document.regions if is_local(document) else None
    )
    none = np.zeros(0, np.int64)
    return RuleMap(
        rules=[_rule_info(each) for each in found],
        starts=np.cumsum([0, *(len(each.rule.vertices) for each in found)]),
        vertices=np.concatenate([none, *(each.rule.vertices for each in found)]),
        excess=np.concatenate([np.zeros(0), *(_excess(each) / (rig.size or 1.0) for each in found)]),
    )


@view("rule_check", lambda context: (_task(context).progress, _task(context).found, _task(context).is_current))
def rule_check(context: Context) -> RuleCheckInfo:
    """The poses that break the rules most."""
    task = _task(context)
    return RuleCheckInfo(task.progress, task.is_current, None if task.found is None else list(map(_breach, task.found)))


def _task(context: Context) -> RuleCheck:
    return context.task(RuleCheck)


def _rule_info(motion: RuleMotion) -> RuleInfo:
    rule = motion.rule
    only = isinstance(rule, OnlyMovedBy)
    furthest = float(motion.distances.max(initial=0.0))
    sliders = list(rule.sliders) if isinstance(rule, OnlyMovedBy) else []
    return RuleInfo(
        rule.name, "only" if only else "within", sliders, motion.allowed, furthest, int(motion.broken.sum())
    )


def _excess(motion: RuleMotion) -> Floats:
    return np.where(motion.broken, motion.distances - motion.allowed, 0.0)


def _breach(breach: Breach) -> BreachInfo:
    return BreachInfo(breach.rule, breach.vertex, breach.distance, breach.allowed, dict(breach.pose))
