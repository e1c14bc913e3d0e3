"""A step whose result cannot be shown is refused before it is kept, and everything is as before."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.session import history
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.pose import SetWeights
from facewright.workflow.drag.drag import DragResult
from tests.session.faces import document


class Kept:
    """A context that shows no value of a certain kind, and the steps that were kept."""

    def __init__(self) -> None:
        self.context = Context(document(), fresh_plan(), lambda run, newest=None: run())
        self.context.on_change = self._check
        self.steps: list[str] = []
        self.context.on_step = lambda name, kind: self.steps.append(kind)
        self.slider = self.context.document.value.rig.sliders[0]

    def _check(self) -> None:
        if self.context.document.value.pose[0] == 0.75 or self.context.document.value.time == 9.0:
            raise OverflowError("a number is too large for the page")

    def weights(self, value: float) -> SetWeights:
        return SetWeights(weights={self.slider: value})


def refused(kept: Kept) -> list[Callable[[], object]]:
    context = kept.context
    return [
        lambda: context.apply(kept.weights(0.75)),
        lambda: context.fill_in("document", lambda value: replace(value, time=9.0)),
    ]


@pytest.mark.parametrize("way", range(2))
def test_it_is_refused_and_nothing_is_kept(way: int) -> None:
    kept = Kept()
    kept.context.apply(kept.weights(0.5))
    before, labels = kept.context.document.value, kept.context.document.history.labels
    with pytest.raises(BadValue, match="cannot be shown after this: a number is too large"):
        refused(kept)[way]()
    assert kept.context.document.value is before
    assert kept.context.document.history.labels == labels
    assert kept.steps == ["new"]
    kept.context.go_to("document", 0)
    kept.context.go_to("document", 1)
    assert kept.context.document.value is before
    assert kept.steps == ["new", "moved", "moved"]


def test_what_the_last_drag_came_to_stays_where_the_next_edit_is_refused() -> None:
    kept = Kept()
    drag = kept.context.dragged = DragResult((), (), np.zeros((0, 3)))
    for value, problem in ((0.75, BadValue), (0.5, UnknownName)):
        if problem is UnknownName:
            kept.slider = "no slider"
        with pytest.raises(problem):
            kept.context.apply(kept.weights(value))
        assert kept.context.dragged is drag


def test_a_refused_step_does_not_drop_the_oldest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LONGEST", 2)
    kept = Kept()
    session = kept.context.document
    for value in (0.2, 0.3):
        kept.context.apply(kept.weights(value))
        if value == 0.2:
            session.mark_saved()
    with pytest.raises(BadValue):
        kept.context.apply(kept.weights(0.75))
    session.go_to(0)
    assert session.unsaved
    session.go_to(1)
    assert not session.unsaved


def test_an_update_of_a_gesture_that_cannot_be_shown_leaves_the_last_one() -> None:
    kept = Kept()
    session = kept.context.document
    session.begin("drag")
    kept.context.update(kept.weights(0.25))
    with pytest.raises(BadValue):
        kept.context.update(kept.weights(0.75))
    assert session.commit()
    assert session.value.pose[0] == 0.25
