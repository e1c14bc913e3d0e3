"""What edits, tasks and views reach besides the value they are about."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.session.fields import SessionName
from facewright.session.ids import ContentIds
from facewright.session.preferences import Preferences
from facewright.session.session import Session, Snapshot, StepKind
from facewright.workflow.solver_cache import SolverCache

if TYPE_CHECKING:
    from facewright.session.edits.edit import Edit
    from facewright.workflow.build.plan import BuildPlan
    from facewright.workflow.drag.drag import DragResult

T = TypeVar("T")
Finish = Callable[["Context", Document, Document], Document]
FINISHERS: list[Finish] = []


def finishes(finish: Finish) -> Finish:
    """Declare a function of the context and the document before and after a step to have the last word on the step."""
    FINISHERS.append(finish)
    return finish


class Post(Protocol):
    """Run something later; of those with the same `newest` only the last one counts."""

    def __call__(self, run: Callable[[], None], newest: Hashable | None = None) -> None: ...


class Context:
    """The values that are worked on and what belongs to them. For one thread, but for reading the values.

    `post` runs a function later in that thread, and may be called from any. The hooks (`on_…`) are set by the part that
    keeps and shows the values.
    """

    def __init__(self, document: Document, plan: BuildPlan, post: Post) -> None:
        self.document = Session(document)
        self.plan: Session[BuildPlan] = Session(plan)
        self.name = "face"  # of the document
        self.saves_to = ""  # where it is saved, as it is shown; "": nowhere yet
        self.ids = ContentIds()
        self.preferences = Preferences()
        self.solvers = SolverCache()
        self.solvers_aside = SolverCache()  # for what is worked out beside the session
        self.scratch = Path(tempfile.gettempdir())  # for files that nobody needs after a crash
        self.pose_folder: Path | None = None  # a library of poses that all documents share
        self.dragged: DragResult | None = None  # what the last drag came to
        self.along: Floats | None = None  # (n,) by how much setting some sliders moved all of them, held points sparing
        self.post = post
        self.on_change: Callable[[], None] = _nothing  # raises where the values cannot be shown
        self.on_step: Callable[[SessionName, StepKind], None] = _keep_nothing  # keeps the step that was made
        self.on_preferences: Callable[[], None] = _nothing
        self._notices: list[str] = []
        self._waiting: list[Callable[[], None]] = []
        self._tasks: dict[type[Any], Any] = {}

    @property
    def document(self) -> Session[Document]:
        """The document that is open, with its past."""
        return self._document

    @document.setter
    def document(self, session: Session[Document]) -> None:
        session.finish = self._finished
        self._document = session

    def _finished(self, before: Document, after: Document) -> Document:
        for finish in FINISHERS:
            after = finish(self, before, after)
        return after

    def session(self, name: SessionName) -> Session[Any]:
        return self.document if name == "document" else self.plan

    def task(self, kind: type[T]) -> T:
        """The one task of a kind; it is made when it is first asked for."""
        if kind not in self._tasks:
            self._tasks[kind] = kind(self)  # type: ignore[call-arg]  # every task is made from a context
        found: T = self._tasks[kind]
        return found

    @property
    def tasks(self) -> list[Any]:
        """All tasks that were asked for."""
        return list(self._tasks.values())

    def apply(self, edit: Edit) -> bool:
        """Carry out a whole edit. Returns whether it left a step, which is kept before this returns.

        An edit whose result cannot be shown is refused: everything is as before.
        """
        session = self.session(edit.session)
        with self._all_or_nothing(session) as before:
            self.dragged = self.along = None
            if not edit.undoable:
                session.go(lambda value: edit.apply(value, self))
            else:
                session.do(edit.label, lambda value: edit.apply(value, self))
            if session.value is before.value:
                return False
            self._check_shown()
        if edit.undoable:
            self.on_step(edit.session, "new")
        return edit.undoable

    def update(self, edit: Edit) -> None:
        """Let the open gesture do this instead of what it did so far."""
        session = self.session(edit.session)
        with self._all_or_nothing(session):
            self.dragged = self.along = None
            session.update(lambda value: edit.apply(value, self))
            self._check_shown()

    def discard(self, name: SessionName) -> None:
        """Close the open gesture and put back the value at its beginning, and forget what a drag came to."""
        self.session(name).discard()
        self.dragged = self.along = None

    def fill_in(self, name: SessionName, change: Callable[[Any], Any]) -> None:
        """Add what the program found out; it is undone with the last step."""
        session = self.session(name)
        with self._all_or_nothing(session):
            is_changed = session.amend(change)
            if is_changed:
                self._check_shown()
        if is_changed:
            self.on_step(name, "amended")

    def go_to(self, name: SessionName, at: int) -> None:
        """Undo or redo to a place in the history of a session."""
        session = self.session(name)
        with self._all_or_nothing(session) as before:
            self.dragged = self.along = None
            session.go_to(at)
            is_moved = session.history.at != before.history.at
            if is_moved:
                self._check_shown()
        if is_moved:
            self.on_step(name, "moved")

    def prefer(self, preferences: Preferences) -> None:
        """Use other preferences from now on, and keep them."""
        self.preferences = preferences
        self.on_preferences()

    def post_after(self, seconds: float, run: Callable[[], None]) -> None:
        """Run something in the session's thread once some time is over."""
        timer = threading.Timer(seconds, lambda: self.post(run))
        timer.daemon = True
        timer.start()

    def when_idle(self, run: Callable[[], None]) -> None:
        """Run something once no gesture is open."""
        self._waiting.append(run)
        self.run_waiting()

    def run_waiting(self) -> bool:
        """Run what waited for gestures to end. Returns whether anything did."""
        has_run = False
        while self._waiting and self.document.gesture is None and self.plan.gesture is None:
            self._waiting.pop(0)()
            has_run = True
        return has_run

    def say(self, notice: str) -> None:
        """Something the person should know."""
        self._notices.append(notice)

    def say_later(self, notice: str) -> None:
        """The same, from any thread."""
        self.post(lambda: self.say(notice))

    def notices(self) -> list[str]:
        """What the person should know since the last time."""
        found, self._notices = self._notices, []
        return found

    @contextmanager
    def _all_or_nothing(self, session: Session[Any]) -> Iterator[Snapshot[Any]]:
        """Put back the session and the result of the last drag where something is raised in the `with`."""
        before, dragged, along = session.snapshot(), self.dragged, self.along
        try:
            yield before
        except BaseException:
            session.reset(before)
            self.dragged, self.along = dragged, along
            raise

    def _check_shown(self) -> None:
        try:
            self.on_change()
        except Exception as problem:
            raise BadValue(f"the face cannot be shown after this: {problem}") from problem


def _nothing() -> None:
    """Nobody listens."""


def _keep_nothing(name: SessionName, kind: StepKind) -> None:
    """Nobody keeps steps."""
