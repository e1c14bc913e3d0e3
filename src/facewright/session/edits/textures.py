"""Textures of expressions: given to shapes, taken away, masked, shown by parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from facewright.document import Document
from facewright.errors import BadFile, BadValue, UnknownName
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.rig.rig import Rig
from facewright.rig.textures import Textures
from facewright.samples.skin.embedded import embedded_skin, person_of
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name, some
from facewright.session.files import Arrival, role
from facewright.texture.face_texture import textures_of

# Parts that are not skin: its texture is not for them unless the user says so.
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


def set_textured_parts(document: Document, parts: Sequence[str]) -> Document:
    """The parts that show the textures; none named: all."""
    for name in parts:
        document.rig.part(name)
    return replace(document, textures=replace(_own(document), parts=tuple(parts)))


def set_textures(document: Document, textures: Textures) -> Document:
    """A whole set of textures in place of what there is."""
    _check_layout(document.rig)
    return replace(document, textures=textures)


def remove_textures(document: Document) -> Document:
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


class RemoveTexture(DocumentEdit, frozen=True, kw_only=True):
    """Remove the texture of some shapes."""

    shapes: list[Name]

    @property
    def label(self) -> str:
        return f"Remove texture of {some(self.shapes)}"

    def apply(self, document: Document, context: Context) -> Document:
        return remove_map(document, self.shapes)


class MoveTexture(DocumentEdit, frozen=True, kw_only=True):
    """Let the texture of some shapes come in with others."""

    shapes: list[Name]
    to: list[Name]

    @property
    def label(self) -> str:
        return f"Texture for {some(self.to)}"

    def apply(self, document: Document, context: Context) -> Document:
        own = document.textures
        found = [] if own is None else [one.picture for one in own.maps if one.shapes == tuple(self.shapes)]
        if not found:
            raise BadValue(f"{some(self.shapes)} has no texture")
        return set_map(remove_map(document, self.shapes), self.to, found[0])


class RemoveMask(DocumentEdit, frozen=True, kw_only=True):
    """All of the face may change."""

    def apply(self, document: Document, context: Context) -> Document:
        return set_mask(document, None)


class SetTexturedParts(DocumentEdit, frozen=True, kw_only=True):
    """The parts that the textures are on; none: all."""

    parts: list[Name]

    @property
    def label(self) -> str:
        return f"Texture on {some(self.parts) if self.parts else 'all parts'}"

    def apply(self, document: Document, context: Context) -> Document:
        return set_textured_parts(document, self.parts)


class RemoveAllTextures(DocumentEdit, frozen=True, kw_only=True):
    """A face without textures of expressions, as its file says."""

    def apply(self, document: Document, context: Context) -> Document:
        return remove_textures(document)


class ApplyEmbeddedSkin(DocumentEdit, frozen=True, kw_only=True):
    """The textures of the embedded people, on one of them."""

    def apply(self, document: Document, context: Context) -> Document:
        person = person_of(document.rig)
        if person is None:
            raise BadValue("the embedded skin is for the embedded people, and this is another face")
        return set_textures(document, embedded_skin(person, document.rig))


class SetTexture(DocumentEdit, frozen=True, kw_only=True):
    """A picture as the texture of the neutral (no shapes), or of some shapes."""

    from_page: ClassVar[bool] = False

    picture: Encoded
    shapes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return f"Texture for {some(self.shapes)}" if self.shapes else "Neutral texture"

    def apply(self, document: Document, context: Context) -> Document:
        if not self.shapes:
            return set_neutral(document, self.picture)
        found = set_map(document, self.shapes, self.picture)
        if found.textures is not None:
            check_mixed(found.textures.neutral)
        return found


class SetMask(DocumentEdit, frozen=True, kw_only=True):
    """A picture of what never changes, white there."""

    from_page: ClassVar[bool] = False

    picture: Encoded

    def apply(self, document: Document, context: Context) -> Document:
        return set_mask(document, self.picture)


def check_mixed(neutral: Encoded) -> None:
    """Raises where the neutral's own texture cannot be unpacked, and so not be mixed with others."""
    try:
        pixels(neutral, size=(1, 1))
    except BadFile as problem:
        raise BadFile(f"the face's own texture is not mixed: {problem}; give it another at rest first") from problem


@role("texture", "picture")
def texture_of_file(context: Context, file: Arrival) -> DocumentEdit:
    """A picture for the neutral, for some shapes, or of what never changes."""
    kind, shapes = file.options.get("kind", ("neutral",))[-1], file.options.get("shape", ())
    if kind not in _KINDS or (kind == "map") != bool(shapes):
        raise BadValue(f"kind is one of {', '.join(_KINDS)}, and a map names its shapes")
    assert isinstance(file.content, Encoded)
    return SetMask(picture=file.content) if kind == "mask" else SetTexture(picture=file.content, shapes=tuple(shapes))


_KINDS = ("neutral", "map", "mask")
