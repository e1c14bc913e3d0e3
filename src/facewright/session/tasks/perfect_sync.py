"""Making the expressions of ARKit beside the session; what comes of it is one step of the document."""

from __future__ import annotations

from dataclasses import dataclass

from facewright import jobs
from facewright.document import Document
from facewright.jobs.task import Task
from facewright.rig.expression import Expression
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.expressions import AddPerfectSync
from facewright.session.tasks.action import Action
from facewright.session.tasks.rig_check import RigCheck
from facewright.workflow.perfect_sync import Addition, perfect_sync


class MakePerfectSync(Action, frozen=True, kw_only=True):
    """Make the 52 expressions of ARKit, and the shapes that they need: State.perfect_sync tells how far it is."""

    def run(self, context: Context) -> None:
        context.task(PerfectSyncing).start()


class StopPerfectSync(Action, frozen=True, kw_only=True):
    """Stop making the expressions of ARKit."""

    def run(self, context: Context) -> None:
        context.task(PerfectSyncing).stop()


@dataclass(frozen=True, eq=False)
class _Avatar:
    """What of a document goes to the process."""

    rig: Rig
    expressions: tuple[Expression, ...]
    attachments: dict[str, bytes]


@dataclass(frozen=True, eq=False)
class MadeExpressions:
    """What comes back."""

    added: Addition
    words: str


class PerfectSyncing(RigCheck[MadeExpressions]):
    """The work that is under way, if any."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "perfect sync", _make)

    def given(self, document: Document) -> _Avatar:
        return _Avatar(document.rig, document.expressions, dict(document.attachments))

    def finished(self, rig: Rig, found: MadeExpressions) -> None:
        if self._context.document.value.rig.polygons is not rig.polygons:
            self._context.say("The expressions of ARKit were made for a face that is no longer open; make them again.")
            return
        self._context.apply(AddPerfectSync(added=found.added))
        self._context.say(found.words)


def _make(task: Task, avatar: _Avatar) -> MadeExpressions:
    document = Document(avatar.rig, expressions=avatar.expressions, attachments=avatar.attachments)
    found = perfect_sync(
        document, progress=lambda one: task.report(jobs.Progress(one.step, one.steps, "laying the template on"))
    )
    return MadeExpressions(found.added, f"{found}.")
