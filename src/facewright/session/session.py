"""A frozen value that is worked on, its past, and a change in flight. Documents and build plans are such values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Generic, Literal, TypeVar

from facewright.errors import BadValue
from facewright.session.history import History, Step

V = TypeVar("V")
# What became of the history: a step was added, the last one was changed, or another one is the last that is done.
StepKind = Literal["new", "amended", "moved"]


@dataclass(frozen=True, eq=False)
class Gesture(Generic[V]):
    """A change in flight."""

    label: str
    before: V


@dataclass(frozen=True, eq=False)
class Snapshot(Generic[V]):
    """All that a session is made of, for putting it back after a change that cannot be kept."""

    value: V
    history: History[V]  # a copy
    gesture: Gesture[V] | None
    saved: object


class Session(Generic[V]):
    """A value, its history, and an open gesture. For one thread at a time."""

    def __init__(self, value: V) -> None:
        self.value = value
        self.number = next(_NUMBERS)  # of no other session in this process: another document was opened
        self.history: History[V] = History()
        self.gesture: Gesture[V] | None = None
        self._saved: object = self.history.place
        self.finish: Callable[[V, V], V] = lambda before, after: after  # what a step becomes when it ends

    @property
    def unsaved(self) -> bool:
        """Whether there are steps that the last saving does not have."""
        return self.history.place is not self._saved

    def mark_saved(self, saved: bool = True) -> None:
        """Say that the present value is in a file, or that it is in none."""
        self._saved = self.history.place if saved else _NEVER

    def begin(self, label: str) -> Gesture[V]:
        """Open a gesture: updates until `commit` are one step."""
        self._check_idle()
        self.gesture = Gesture(label, self.value)
        return self.gesture

    def update(self, command: Callable[[V], V]) -> None:
        """Replace what the gesture has done so far: the command is given the value at the gesture's beginning.

        A command that fails leaves the value as the last update made it.
        """
        self.value = command(self._open().before)

    def commit(self, label: str = "") -> bool:
        """Close the gesture, under another label where one is given. Returns whether it left a step."""
        gesture, self.gesture = self._open(), None
        if self.value is gesture.before:
            return False
        self.value = self.finish(gesture.before, self.value)
        self.history.add(Step(label or gesture.label, gesture.before, self.value))
        return True

    def discard(self) -> None:
        """Close the gesture and put back the value at its beginning."""
        self.value, self.gesture = self._open().before, None

    @contextmanager
    def doing(self, label: str) -> Iterator[Gesture[V]]:
        """A gesture that commits at the end, and discards on any failure."""
        gesture = self.begin(label)
        try:
            yield gesture
        except BaseException:
            self.discard()
            raise
        self.commit()

    def do(self, label: str, command: Callable[[V], V]) -> None:
        """A whole gesture with one update."""
        with self.doing(label):
            self.update(command)

    def go(self, command: Callable[[V], V]) -> None:
        """A change that is no step: another time, another clip."""
        self._check_idle()
        self.value = command(self.value)

    def amend(self, command: Callable[[V], V]) -> bool:
        """A change that belongs to the last step, and is undone with it. Returns whether anything changed."""
        self._check_idle()
        changed, was_saved = command(self.value), not self.unsaved
        if changed is self.value:
            return False
        self.value = changed
        self.history.amend_last(changed)
        if was_saved and self.history.last is not None:
            self._saved = self.history.place
        return True

    def undo(self) -> None:
        """Undo the last step, if there is one."""
        self.go_to(max(self.history.at - 1, 0))

    def redo(self) -> None:
        """Redo the next step, if there is one."""
        self.go_to(min(self.history.at + 1, len(self.history.steps)))

    def go_to(self, at: int) -> None:
        """Undo or redo to a place in the history."""
        self._check_idle()
        found = self.history.go_to(at)
        self.value = self.value if found is None else found

    def snapshot(self) -> Snapshot[V]:
        return Snapshot(self.value, replace(self.history), self.gesture, self._saved)

    def reset(self, to: Snapshot[V]) -> None:
        """Put back everything as it was when the snapshot was taken."""
        self.value, self.gesture, self._saved = to.value, to.gesture, to.saved
        self.history = replace(to.history)

    def _open(self) -> Gesture[V]:
        if self.gesture is None:
            raise BadValue("no gesture is open; begin one first")
        return self.gesture

    def _check_idle(self) -> None:
        if self.gesture is not None:
            raise BadValue(f"{self.gesture.label!r} is still going on; finish it first, or cancel it with Escape")


_NUMBERS = count(1)
_NEVER = object()  # as the last saved step: no step is this object
