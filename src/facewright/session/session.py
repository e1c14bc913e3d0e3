"""A document being worked on: replaced by commands, undone by putting back what was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from facewright.document import Document
from facewright.errors import BadValue
from facewright.session.history import History, Step
from facewright.session.remembered import Remembered
from facewright.workflow.solver_cache import SolverCache

Command = Callable[[Document], Document]


@dataclass(frozen=True, eq=False)
class Gesture:
    """A change in flight."""

    label: str
    before: Document


class Session:
    """State that is undoable (document, history), remembered, or in flight (gesture). For one thread at a time."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.history = History()
        self.remembered = Remembered()
        self.gesture: Gesture | None = None
        self.solvers = SolverCache()
        self._saved: object = self.history.last

    @property
    def unsaved(self) -> bool:
        """Whether there are steps that the last saving does not have."""
        return self.history.last is not self._saved

    def mark_saved(self, saved: bool = True) -> None:
        self._saved = self.history.last if saved else _NEVER

    def begin(self, label: str) -> Gesture:
        """Open a gesture: updates until `commit` are one step."""
        if self.gesture is not None:
            raise BadValue(f"{self.gesture.label!r} is still going on; commit or discard it first")
        self.gesture = Gesture(label, self.document)
        return self.gesture

    def update(self, command: Command) -> None:
        """Let the gesture do this instead of what it did: a command counts from the document at its beginning.

        A command that fails leaves the document as the last update made it.
        """
        self.document = command(self._open().before)

    def commit(self) -> bool:
        """Close the gesture; whether it left a step."""
        gesture, self.gesture = self._open(), None
        if self.document is gesture.before:
            return False
        self.history.add(Step(gesture.label, gesture.before, self.document))
        return True

    def discard(self) -> None:
        """Close the gesture as if it had never been."""
        self.document, self.gesture = self._open().before, None

    @contextmanager
    def doing(self, label: str) -> Iterator[Gesture]:
        """A gesture that commits at the end, and discards on any failure."""
        gesture = self.begin(label)
        try:
            yield gesture
        except BaseException:
            self.discard()
            raise
        self.commit()

    def do(self, label: str, command: Command) -> None:
        """A whole gesture with one update."""
        with self.doing(label):
            self.update(command)

    def go(self, command: Command) -> None:
        """A change that is no step: another time, another clip at hand."""
        self._check_idle()
        self.document = command(self.document)

    def undo(self) -> None:
        """Take the last step back; nothing where there is none."""
        self.go_to(max(self.history.at - 1, 0))

    def redo(self) -> None:
        """Do a step again; nothing where there is none."""
        self.go_to(min(self.history.at + 1, len(self.history.steps)))

    def go_to(self, at: int) -> None:
        """Undo or redo to a place in the history."""
        self._check_idle()
        self.document = self.history.go_to(at) or self.document

    def _open(self) -> Gesture:
        if self.gesture is None:
            raise BadValue("no gesture is open; begin one first")
        return self.gesture

    def _check_idle(self) -> None:
        if self.gesture is not None:
            raise BadValue(f"{self.gesture.label!r} is still going on; commit or discard it first")


_NEVER = object()  # as the last saved step: none is it
