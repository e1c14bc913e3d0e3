"""What each message about a face's look does: a label for the history, and a command."""

from __future__ import annotations

from facewright.document import Document
from facewright.errors import BadValue
from facewright.samples.skin.embedded import embedded_skin, person_of
from facewright.session.commands import textures
from facewright.session.session import Command
from facewright.studio import look_messages as m


def look_edit(message: m.LookEdit) -> tuple[str, Command]:
    """The label and the command of a message about textures."""
    match message:
        case m.RemoveTexture():
            return f"remove the texture of {some(message.shapes)}", lambda d: textures.remove_map(d, message.shapes)
        case m.MoveTexture():
            return f"texture for {some(message.to)}", lambda d: _moved(d, message)
        case m.RemoveMask():
            return "remove the mask", lambda d: textures.set_mask(d, None)
        case m.WearTextures():
            what = some(message.parts) if message.parts else "all parts"
            return f"texture on {what}", lambda d: textures.wear(d, message.parts)
        case m.TakeOffTextures():
            return "remove all textures", textures.take_off
        case m.WearSampleSkin():
            return "the embedded skin", _with_skin


def some(names: list[str]) -> str:
    shown = names[0] if names else "nothing"
    return shown if len(names) < 2 else f"{shown} and {len(names) - 1} more"


def _with_skin(document: Document) -> Document:
    person = person_of(document.rig)
    if person is None:
        raise BadValue("the embedded skin is for the embedded people, and this is another face")
    return textures.put_on(document, embedded_skin(person, document.rig))


def _moved(document: Document, message: m.MoveTexture) -> Document:
    own = document.textures
    found = [] if own is None else [one.picture for one in own.maps if one.shapes == tuple(message.shapes)]
    if not found:
        raise BadValue(f"{some(message.shapes)} has no texture")
    return textures.set_map(textures.remove_map(document, message.shapes), message.to, found[0])
