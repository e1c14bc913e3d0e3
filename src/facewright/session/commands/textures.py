"""Textures of expressions: given to shapes, taken away, masked, worn by parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.image.encoded import Encoded
from facewright.rig.rig import Rig
from facewright.rig.textures import Textures
from facewright.texture.face_texture import textures_of

# Parts with a look of their own: skin's texture is not for them unless the person says so.
_OTHERWISE = ("eye", "teeth", "tooth", "tongue", "gum", "lash", "brow", "hair", "beard", "cloth", "shirt")


def set_neutral(document: Document, picture: Encoded) -> Document:
    """The texture of the face at rest."""
    _check_layout(document.rig)
    if document.textures is not None:
        return replace(document, textures=replace(document.textures, neutral=picture))
    return replace(document, textures=Textures(picture, parts=skin_parts(document.rig)))


def set_map(document: Document, shapes: Sequence[str], picture: Encoded) -> Document:
    """The texture that comes in with some shapes, in place of the one that they have."""
    for name in shapes:
        if name not in document.rig.shape_names:
            raise UnknownName("shape", name, document.rig.shape_names)
    return replace(document, textures=_at_rest(document).with_map(tuple(shapes), picture))


def remove_map(document: Document, shapes: Sequence[str]) -> Document:
    return replace(document, textures=_own(document).without_map(tuple(shapes)))


def set_mask(document: Document, picture: Encoded | None) -> Document:
    """What never changes, white in the picture; None: all may change."""
    return replace(document, textures=replace(_at_rest(document), mask=picture))


def wear(document: Document, parts: Sequence[str]) -> Document:
    """The parts that wear the textures; none named: all."""
    for name in parts:
        document.rig.part(name)
    return replace(document, textures=replace(_own(document), parts=tuple(parts)))


def put_on(document: Document, textures: Textures) -> Document:
    """A whole set of textures in place of what there is."""
    _check_layout(document.rig)
    return replace(document, textures=textures)


def take_off(document: Document) -> Document:
    """No textures of expressions: the face looks as its file says."""
    return replace(document, textures=None) if document.textures is not None else document


def skin_parts(rig: Rig) -> tuple[str, ...]:
    """Parts that skin is on by their names; none where that is all of them."""
    skin = [part.name for part in rig.parts if not any(word in part.name.lower() for word in _OTHERWISE)]
    return tuple(skin) if len(skin) < len(rig.parts) else ()


def _at_rest(document: Document) -> Textures:
    """The document's textures, or the one that its file has for the whole face."""
    _check_layout(document.rig)
    found = textures_of(document)
    if found is None:
        raise BadValue("give the face its texture at rest first; others come in over it")
    return found


def _own(document: Document) -> Textures:
    if document.textures is None:
        raise BadValue("the face has no textures of its own; give it the one at rest first")
    return document.textures


def _check_layout(rig: Rig) -> None:
    if rig.uvs is None:
        raise BadValue("the face has no texture coordinates, so nothing says where a texture goes on it")
