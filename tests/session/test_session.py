"""A gesture is one step or none, and undo puts the very document back."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from facewright.document import Document
from facewright.errors import BadValue
from facewright.session.history import LONGEST
from facewright.session.session import Session
from tests.session.faces import document


def at(time: float) -> Callable[[Document], Document]:
    return lambda document: replace(document, time=time)


def fail(document: Document) -> Document:
    raise RuntimeError("on purpose")


def test_a_gesture_of_many_updates_is_one_step() -> None:
    session = Session(document())
    before = session.value
    session.begin("scrub")
    for time in range(100):
        session.update(at(float(time)))
    assert session.commit()
    assert session.history.labels == ["scrub"]
    session.undo()
    assert session.value is before


def test_an_update_counts_from_the_beginning_so_that_lost_ones_do_not_matter() -> None:
    session = Session(document())
    session.begin("move")
    session.update(lambda one: replace(one, locked=one.rig.sliders[:1]))
    session.update(at(7.0))
    assert session.value.locked == ()
    assert session.value.time == 7.0


def test_a_discarded_gesture_leaves_nothing() -> None:
    session = Session(document())
    before = session.value
    session.begin("drag")
    session.update(at(3.0))
    session.discard()
    assert session.value is before
    assert session.history.labels == []
    assert not session.unsaved


def test_a_gesture_that_fails_leaves_nothing_and_another_can_begin() -> None:
    session = Session(document())
    before = session.value
    with pytest.raises(RuntimeError):
        session.do("broken", fail)
    assert session.value is before
    assert session.history.labels == []
    session.do("fine", at(1.0))
    assert session.history.labels == ["fine"]


def test_an_update_that_fails_leaves_what_the_last_one_did() -> None:
    session = Session(document())
    session.begin("drag")
    session.update(at(3.0))
    with pytest.raises(RuntimeError):
        session.update(fail)
    assert session.value.time == 3.0
    assert session.commit()


def test_a_gesture_that_changes_nothing_is_no_step() -> None:
    session = Session(document())
    session.do("nothing", lambda document: document)
    assert session.history.labels == []


def test_undo_and_redo_walk_through_the_very_same_documents() -> None:
    session = Session(document())
    seen = [session.value]
    for time in (1.0, 2.0, 3.0):
        session.do(f"to {time}", at(time))
        seen.append(session.value)
    for back in reversed(seen[:-1]):
        session.undo()
        assert session.value is back
    session.undo()
    assert session.value is seen[0]
    for forth in seen[1:]:
        session.redo()
        assert session.value is forth
    session.go_to(1)
    assert session.value is seen[1]
    assert session.history.at == 1


def test_a_step_after_undo_drops_what_was_undone() -> None:
    session = Session(document())
    session.do("one", at(1.0))
    session.do("two", at(2.0))
    session.undo()
    session.do("three", at(3.0))
    assert session.history.labels == ["one", "three"]
    session.redo()
    assert session.value.time == 3.0


def test_a_place_that_the_history_does_not_have_is_refused() -> None:
    session = Session(document())
    with pytest.raises(BadValue, match="0 steps"):
        session.go_to(1)


def test_the_history_forgets_its_oldest_steps() -> None:
    session = Session(document())
    for time in range(LONGEST + 5):
        session.do(str(time), at(float(time + 1)))
    assert len(session.history.labels) == LONGEST
    session.go_to(0)
    assert session.value.time == 5.0


@pytest.mark.parametrize("what", ["undo", "redo", "begin", "go"])
def test_nothing_else_happens_while_a_gesture_is_open(what: str) -> None:
    session = Session(document())
    session.do("one", at(1.0))
    session.begin("drag")
    arguments: dict[str, list[Any]] = {"begin": ["other"], "go": [at(2.0)]}
    with pytest.raises(BadValue, match="'drag' is still going on"):
        getattr(session, what)(*arguments.get(what, []))


@pytest.mark.parametrize("what", ["commit", "discard"])
def test_a_gesture_that_never_began_cannot_end(what: str) -> None:
    with pytest.raises(BadValue, match="no gesture"):
        getattr(Session(document()), what)()


def test_going_to_another_time_is_no_step_and_is_not_unsaved_work() -> None:
    session = Session(document())
    session.go(at(5.0))
    assert session.history.labels == []
    assert not session.unsaved


def test_work_is_unsaved_exactly_when_it_is_not_where_it_was_saved() -> None:
    session = Session(document())
    session.do("one", at(1.0))
    assert session.unsaved
    session.mark_saved()
    assert not session.unsaved
    session.do("two", at(2.0))
    assert session.unsaved
    session.undo()
    assert not session.unsaved
    session.undo()
    assert session.unsaved
