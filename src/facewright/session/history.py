"""The past of a value, step by step: undo and redo put whole values back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from facewright.errors import BadValue
from facewright.session.sizes import added_bytes, held_bytes

V = TypeVar("V")
LONGEST = 500  # steps
LARGEST = 512 << 20  # bytes of arrays in the values of all steps, each array counted once
_LEFT = 0.75  # share of LARGEST that is left after the oldest steps were dropped, so that this is rare


@dataclass(frozen=True, eq=False)
class Step(Generic[V]):
    """One change: its label, the value before it and after it."""

    label: str
    before: V
    after: V
    mark: object = field(default_factory=object)  # tells steps apart without holding their values


@dataclass
class History(Generic[V]):
    """Steps, of which the first `at` are done; the others can be done again. The list is replaced, never changed.

    The oldest steps are dropped where there are too many, or where their values take too much memory; never the last.
    """

    steps: list[Step[V]] = field(default_factory=list)
    at: int = 0
    _held: int = 0  # at most so many bytes are in the steps
    _dropped: object = None  # the mark of the last step that is not kept any more

    @property
    def labels(self) -> list[str]:
        return [step.label for step in self.steps]

    @property
    def last(self) -> Step[V] | None:
        """The step that led to the present value."""
        return self.steps[self.at - 1] if self.at else None

    @property
    def place(self) -> object:
        """The mark of the step that led to the present value, also where it is not kept any more."""
        return self.last.mark if self.last is not None else self._dropped

    def add(self, step: Step[V]) -> None:
        """Append a step to those that are done, and drop those that were undone."""
        self.steps = [*self.steps[: self.at], step]
        self.at = len(self.steps)
        self.keep_newest(LONGEST)
        self._grow(step)

    def amend_last(self, value: V) -> None:
        """Let the last step that is done lead to another value, and the next one start from it."""
        done, undone = self.steps[: self.at], self.steps[self.at :]
        if done:
            done[-1] = Step(done[-1].label, done[-1].before, value)
        if undone:
            undone[0] = Step(undone[0].label, value, undone[0].after)
        self.steps = [*done, *undone]
        if done:
            self._grow(done[-1])

    def keep_newest(self, count: int) -> None:
        """Drop the oldest steps, of those that are done, until so many are left."""
        dropped = min(max(len(self.steps) - count, 0), self.at)
        if dropped:
            self._dropped = self.steps[dropped - 1].mark
            self.steps, self.at = self.steps[dropped:], self.at - dropped

    def go_to(self, at: int) -> V | None:
        """Move to a place in the list and return the value there, or None if it is the present place."""
        if not 0 <= at <= len(self.steps):
            raise BadValue(f"the history has {len(self.steps)} steps; there is no place {at} in it")
        going_back, there = at < self.at, at == self.at
        self.at = at
        return None if there else self.steps[at].before if going_back else self.steps[at - 1].after

    def _grow(self, step: Step[V]) -> None:
        """Note what a step adds; the exact sum is made only where the notes exceed the limit."""
        if len(self.steps) == 1:
            self._held = added_bytes(None, step.before)
        self._held += added_bytes(step.before, step.after)
        if self._held > LARGEST:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        newest_first = held_bytes((step.before, step.after) for step in reversed(self.steps))
        if newest_first[-1] > LARGEST:
            self.keep_newest(max(sum(total <= LARGEST * _LEFT for total in newest_first), 1))
        self._held = newest_first[len(self.steps) - 1]
