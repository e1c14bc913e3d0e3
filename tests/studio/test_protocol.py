"""Every message that a page may send is one that something answers."""

from typing import Any, get_args

import msgspec
import pytest

from facewright.session.edits import EDITS
from facewright.session.edits.edit import DocumentEdit, Edit, PlanEdit
from facewright.session.tasks import ACTIONS
from facewright.session.tasks.action import Action
from facewright.session.views import QUERIES, VIEWS
from facewright.session.views.view import Query
from facewright.studio import protocol
from tests.studio.envelope import enveloped

MESSAGES = get_args(protocol.PageMessage)
FROM_PAGE = [kind for kind in EDITS if kind.from_page]


def test_every_edit_says_what_it_does() -> None:
    assert len(EDITS) > 40
    for kind in EDITS:
        assert kind.apply not in (Edit.apply, DocumentEdit.apply, PlanEdit.apply), kind.__name__
        assert kind.__doc__, kind.__name__
    for action in ACTIONS:
        assert action.run is not Action.run, action.__name__
    for query in QUERIES:
        assert query.answer is not Query.answer, query.__name__


def test_names_of_messages_are_used_once() -> None:
    names = [kind.__name__ for kind in (*EDITS, *ACTIONS, *QUERIES, *MESSAGES, *get_args(protocol.ServerMessage))]
    assert len(set(names)) == len(names)


def test_labels_are_what_a_menu_would_say() -> None:
    for kind in EDITS:
        if kind.label is Edit.label:
            label = Edit.label.fget(msgspec.convert({}, kind)) if not _required(kind) else ""  # type: ignore[attr-defined]
            assert label == label.strip()
            assert not label or label[0].isupper()


def _required(kind: type[Edit]) -> bool:
    return any(field.required for field in msgspec.structs.fields(kind))


def test_every_message_class_is_listed() -> None:
    named = [kind for kind in vars(protocol).values() if isinstance(kind, type)]
    for base, union in ((protocol.FromPage, MESSAGES), (protocol.ToPage, get_args(protocol.ServerMessage))):
        assert {kind for kind in named if issubclass(kind, base)} - {base} == set(union)


def test_every_view_is_a_field_of_the_state() -> None:
    fields = {field.name for field in msgspec.structs.fields(protocol.State)}
    assert fields == {"revision", *VIEWS}


@pytest.mark.parametrize("kind", [*MESSAGES, *FROM_PAGE, *ACTIONS, *QUERIES], ids=lambda kind: kind.__name__)
def test_a_message_with_an_unknown_field_is_not_taken(kind: type) -> None:
    message: dict[str, Any] = enveloped({"type": kind.__name__, "unheard_of": 1})
    with pytest.raises(msgspec.ValidationError):
        protocol.decode_page_message(msgspec.json.encode(message))


@pytest.mark.parametrize("kind", [kind for kind in EDITS if not kind.from_page], ids=lambda kind: kind.__name__)
def test_an_edit_that_the_program_makes_cannot_be_sent(kind: type) -> None:
    with pytest.raises(msgspec.ValidationError, match="Invalid value"):
        protocol.decode_page_message(msgspec.json.encode(enveloped({"type": kind.__name__})))
