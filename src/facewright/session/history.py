"""What was done, step by step: undo and redo put whole documents back."""

from __future__ import annotations

from dataclasses import dataclass, field

from facewright.document import Document
from facewright.errors import BadValue

LONGEST = 500  # steps


@dataclass(frozen=True, eq=False)
class Step:
    """One change: what it is called, the document before it and after it."""

    label: str
    before: Document
    after: Document


@dataclass
class History:
    """Steps, of which the first `at` are done; the others can be done again."""

    steps: list[Step] = field(default_factory=list)
    at: int = 0

    @property
    def labels(self) -> list[str]:
        return [step.label for step in self.steps]

    @property
    def last(self) -> Step | None:
        """The step that led to where we are."""
        return self.steps[self.at - 1] if self.at else None

    def add(self, step: Step) -> None:
        """A step from here; what had been undone is gone."""
        self.steps = [*self.steps[: self.at], step][-LONGEST:]
        self.at = len(self.steps)

    def go_to(self, at: int) -> Document | None:
        """Move to a place in the list: the document there, or None where we are there already."""
        if not 0 <= at <= len(self.steps):
            raise BadValue(f"the history has {len(self.steps)} steps; there is no place {at} in it")
        going_back, there = at < self.at, at == self.at
        self.at = at
        return None if there else self.steps[at].before if going_back else self.steps[at - 1].after
