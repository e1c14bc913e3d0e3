"""Something that is worked out about the document's rig beside the session, and is kept until it is asked for anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from facewright import jobs
from facewright.document import Document
from facewright.errors import BadValue
from facewright.jobs.task import Task
from facewright.rig.rig import Rig
from facewright.session.context import Context

R = TypeVar("R")


class CheckProgress(Struct, frozen=True):
    """How far a check of the rig is."""

    done: int  # steps
    total: int  # 0 where it is not known
    note: str


class RigCheck(Generic[R]):
    """A check in a process of its own: what was last found, for which rig, and what is under way."""

    def __init__(self, context: Context, what: str, work: Callable[[Task, Any], R]) -> None:
        """work: is given what `given` says of the document."""
        self._context, self._what, self._work = context, what, work
        self._job: jobs.Job[R] | None = None
        self._count = 0  # of the checks that were started
        self._session = context.document  # whose rig they are about
        self.progress: CheckProgress | None = None  # None: nothing is under way
        self.found: R | None = None
        self.rig: Rig | None = None  # what was found is about it

    @property
    def is_current(self) -> bool:
        """Whether what was found is about the rig as it is now."""
        return self.rig is self._context.document.value.rig

    def start(self) -> None:
        """Begin with the rig as it is now."""
        if self.progress is not None:
            raise BadValue(f"{self._what}: this is being worked out already; stop it, or wait for it to end")
        self.document_changed()
        rig = self._context.document.value.rig
        self._count += 1
        run = self._count
        self.progress = CheckProgress(0, 0, "")
        self._job = jobs.start(
            self._work,
            self.given(self._context.document.value),
            where="process",
            heard=lambda news: self._hear(run, rig, news),
        )

    def given(self, document: Document) -> Any:
        """What of the document the work is given."""
        return document.rig

    def document_changed(self) -> None:
        """Forget what was found about a document that is no longer open."""
        if self._context.document is not self._session:
            self.close()
            self._session, self.found, self.rig = self._context.document, None, None

    def stop(self) -> None:
        """End what is under way; what was found before stays."""
        if self.progress is None:
            raise BadValue(f"{self._what}: nothing is being worked out")
        self.close()

    def wait(self, seconds: float) -> None:
        """Wait until what is under way has ended."""
        if self._job is not None:
            self._job.wait(seconds)

    def close(self) -> None:
        if self._job is not None:
            self._job.kill()
        self._job = self.progress = None

    def _hear(self, run: int, rig: Rig, news: jobs.Progress | jobs.Finished[R] | jobs.Failed) -> None:
        """In the job's thread: hand over to the session's."""
        if isinstance(news, jobs.Progress):
            self._context.post(lambda: self._advance(run, news), newest=("check", id(self)))
        else:
            self._context.post(lambda: self._finish(run, rig, news))

    def _advance(self, run: int, news: jobs.Progress) -> None:
        if run == self._count and self.progress is not None:
            self.progress = CheckProgress(news.done, news.total, news.note)

    def _finish(self, run: int, rig: Rig, news: jobs.Finished[R] | jobs.Failed) -> None:
        if run != self._count or self.progress is None:
            return  # it was stopped meanwhile
        self._job = self.progress = None
        if isinstance(news, jobs.Failed):
            self._context.say(f"{self._what[0].upper()}{self._what[1:]}: {news.message}")
        else:
            self.finished(rig, news.value)

    def finished(self, rig: Rig, found: R) -> None:
        """Keep what was found about a rig."""
        self.found, self.rig = found, rig
