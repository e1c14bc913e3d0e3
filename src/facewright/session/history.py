"""The past of a value, step by step: undo and redo put whole values back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from facewright.errors import BadValue

V = TypeVar("V")
LONGEST = 500  # steps


@dataclass(frozen=True, eq=False)
class Step(Generic[V]):
    """One change: its label, the value before it and after it."""

    label: str
    before: V
    after: V


@dataclass
class History(Generic[V]):
    """Steps, of which the first `at` are done; the others can be done again. The list is replaced, never changed."""

    steps: list[Step[V]] = field(default_factory=list)
    at: int = 0

    @property
    def labels(self) -> list[str]:
        return [step.label for step in self.steps]

    @property
    def last(self) -> Step[V] | None:
        """The step that led to the present value."""
        return self.steps[self.at - 1] if self.at else None

    def add(self, step: Step[V]) -> None:
        """Append a step to those that are done, and drop those that were undone."""
        self.steps = [*self.steps[: self.at], step][-LONGEST:]
        self.at = len(self.steps)

    def amend_last(self, value: V) -> None:
        """Let the last step that is done lead to another value, and the next one start from it."""
        done, undone = self.steps[: self.at], self.steps[self.at :]
        if done:
            done[-1] = Step(done[-1].label, done[-1].before, value)
        if undone:
            undone[0] = Step(undone[0].label, value, undone[0].after)
        self.steps = [*done, *undone]

    def go_to(self, at: int) -> V | None:
        """Move to a place in the list and return the value there, or None if it is the present place."""
        if not 0 <= at <= len(self.steps):
            raise BadValue(f"the history has {len(self.steps)} steps; there is no place {at} in it")
        going_back, there = at < self.at, at == self.at
        self.at = at
        return None if there else self.steps[at].before if going_back else self.steps[at - 1].after
