"""Every message that a page may send is one that something answers."""

import importlib
import pkgutil
from typing import get_args

import msgspec
import pytest

from facewright import studio
from facewright.studio import edits, message, protocol

FOUND = [importlib.import_module(f"{studio.__name__}.{found.name}") for found in pkgutil.iter_modules(studio.__path__)]
APART = [module for module in FOUND if module.__name__.endswith("_messages")]  # kinds of messages in files of their own
BASES = {message.FromPage, message.ToPage, message.Edit}


def test_every_edit_message_has_a_command() -> None:
    listed = {kind for kind in get_args(protocol.PageMessage) if issubclass(kind, protocol.Edit)}
    unions = [getattr(module, name) for module in APART for name in vars(module) if name.endswith("Edit")]
    assert listed == set(edits._MAKERS) | {kind for union in unions for kind in get_args(union)}


def test_every_message_class_is_listed() -> None:
    named = [kind for module in (protocol, *APART) for kind in vars(module).values() if isinstance(kind, type)]
    for base, union in ((message.FromPage, protocol.PageMessage), (message.ToPage, protocol.ServerMessage)):
        assert {kind for kind in named if issubclass(kind, base)} - BASES == set(get_args(union))


@pytest.mark.parametrize("kind", get_args(protocol.PageMessage), ids=lambda kind: kind.__name__)
def test_a_message_with_an_unknown_field_is_not_taken(kind: type) -> None:
    with pytest.raises(msgspec.ValidationError):
        protocol.decode_page_message(msgspec.json.encode({"type": kind.__name__, "unheard_of": 1}))
