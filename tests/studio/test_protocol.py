"""Every message that a page may send is one that something answers."""

from typing import get_args

import msgspec
import pytest

from facewright.studio import edits, protocol


def test_every_edit_message_has_a_command() -> None:
    listed = {kind for kind in get_args(protocol.PageMessage) if issubclass(kind, protocol.Edit)}
    assert listed == set(edits._MAKERS)


def test_every_message_class_is_listed() -> None:
    bases = {protocol.FromPage, protocol.ToPage, protocol.Edit}
    kinds = [kind for kind in vars(protocol).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    for base, union in ((protocol.FromPage, protocol.PageMessage), (protocol.ToPage, protocol.ServerMessage)):
        assert {kind for kind in kinds if issubclass(kind, base)} - bases == set(get_args(union))


@pytest.mark.parametrize("kind", get_args(protocol.PageMessage), ids=lambda kind: kind.__name__)
def test_a_message_with_an_unknown_field_is_not_taken(kind: type) -> None:
    with pytest.raises(msgspec.ValidationError):
        protocol.decode_page_message(msgspec.json.encode({"type": kind.__name__, "unheard_of": 1}))
