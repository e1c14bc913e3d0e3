"""A solve of what the document has recorded, in a process of its own, so that the face can be worked on meanwhile."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from facewright import jobs
from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.fields import Label
from facewright.session.tasks.rig_change import why_outdated


class SolvingInfo(Struct, frozen=True):
    """A solve under way."""

    take: Label
    done: int  # frames
    total: int
    speed: float  # frames a second, 0 where it is not known yet
    stopping: bool


class Recorded(Protocol):
    """A take of markers, or a sequence."""

    @property
    def name(self) -> str: ...
    def __len__(self) -> int: ...


class SolvesRig(Protocol):
    """What is to be solved, of a rig."""

    @property
    def rig(self) -> Rig: ...


WorkT = TypeVar("WorkT", bound=SolvesRig)
FoundT = TypeVar("FoundT")
News = jobs.Progress | jobs.Finished[FoundT] | jobs.Failed


class BackgroundSolve(ABC, Generic[WorkT, FoundT]):
    """The solve that is under way, if there is one. For the session's thread."""

    thing: ClassVar[str]  # what is solved, as messages call it
    solved: ClassVar[str]  # what becomes of it

    def __init__(self, context: Context) -> None:
        self._context = context
        self._job: jobs.Job[FoundT] | None = None
        self._work: WorkT | None = None
        self.info: SolvingInfo | None = None

    @abstractmethod
    def begin(self, work: WorkT, heard: Callable[[News[FoundT]], None]) -> jobs.Job[FoundT]:
        """Start it in a process."""

    @abstractmethod
    def recorded(self, work: WorkT) -> Recorded:
        """What is solved."""

    @abstractmethod
    def is_in(self, document: Document, work: WorkT) -> bool:
        """Whether a document has what is solved."""

    @abstractmethod
    def keep(self, work: WorkT, found: FoundT) -> str:
        """Add the clip to the document, as one step; says what it is."""

    def start(self, work: WorkT) -> None:
        """Begin to solve."""
        if self._job is not None:
            raise BadValue(f"a {self.thing} is being {self.solved}; stop it, or wait for it to end")
        self._job = self.begin(work, lambda news: self._hear(work, news))
        self._work = work
        recorded = self.recorded(work)
        self.info = SolvingInfo(recorded.name[:200], 0, len(recorded), 0.0, False)

    def stop(self) -> None:
        """End with what is solved by now."""
        if self._job is None or self.info is None:
            raise BadValue(f"no {self.thing} is being {self.solved}")
        self._job.stop()
        self.info = replace(self.info, stopping=True)

    def document_changed(self) -> None:
        """End a solve whose weights would be of another rig than the open one."""
        work = self._work
        if work is not None and (why := self._why_outdated(work)):
            self.close()
            name = self.recorded(work).name
            self._context.say(f"{why}: {name} is not {self.solved} any further. Solve it again.")

    def close(self) -> None:
        """End the solve and drop what it has."""
        if self._job is not None:
            self._job.kill()
        self._job = self._work = self.info = None

    def _why_outdated(self, work: WorkT) -> str:
        """Why the open face has no use for what is solved; "" where it has.

        The same face may have been opened anew: then its rig is another object, and it does not have what is solved.
        """
        document = self._context.document.value
        if document.rig is not work.rig and not self.is_in(document, work):
            return f"Another face is open, or this one without the {self.thing}"
        return why_outdated(work.rig, document.rig)

    def _hear(self, work: WorkT, news: News[FoundT]) -> None:
        """In the job's thread: hand over to the session's."""
        if isinstance(news, jobs.Progress):
            self._context.post(lambda: self._progress(work, news), newest=(self.solved, id(self)))
        else:
            self._context.post(lambda: self._context.when_idle(lambda: self._finish(work, news)))

    def _progress(self, work: WorkT, news: jobs.Progress) -> None:
        if self.info is not None and work is self._work:
            self.info = replace(self.info, done=news.done, total=news.total, speed=news.speed)

    def _finish(self, work: WorkT, news: jobs.Finished[FoundT] | jobs.Failed) -> None:
        """No gesture is open: the clip is added, as one step."""
        if work is not self._work:
            return  # it was closed, and perhaps another one has begun
        self._job = self._work = self.info = None
        if isinstance(news, jobs.Failed):
            self._context.say(f"The {self.thing} was not {self.solved}: {news.message}")
        elif why := self._why_outdated(work):
            name = self.recorded(work).name
            self._context.say(f"{why}: what was {self.solved} of {name} before is gone. Solve it again.")
        else:
            self._context.say(self.keep(work, news.value))


def summary(solved: str, name: str, line: str, done: int, frames: int) -> str:
    """What is said of a clip that was added: of so many frames that are done."""
    partly = "" if done == frames else f" Stopped before the end, at frame {done:,}."
    return f"{solved.capitalize()} {name}: {line}.{partly}"
