"""A face's textures as a step of the journal tells them: pictures that were there before are only named."""

from __future__ import annotations

import msgspec

from facewright.errors import BadFile
from facewright.formats.schema.textures import Place, TexturesEntry
from facewright.image.encoded import Encoded
from facewright.rig.textures import Textures


class TexturesChange(msgspec.Struct, omit_defaults=True):
    """Textures as they are afterwards; without an entry, there are none any more."""

    entry: TexturesEntry | None = None  # pictures are named by their ids
    pictures: dict[str, bytes] = {}  # by id, those that the document before does not have


def describe_change(before: Textures | None, after: Textures | None) -> TexturesChange:
    if after is None:
        return TexturesChange()
    known = {picture.id for picture in pictures_of(before)}
    new = {picture.id: picture.data for picture in pictures_of(after) if picture.id not in known}
    return TexturesChange(TexturesEntry.of(after, lambda picture, name: picture.id), new)


def changed_textures(before: Textures | None, by: TexturesChange) -> Textures | None:
    """Textures with a change made."""
    if by.entry is None:
        return None
    known = {picture.id: picture for picture in pictures_of(before)}

    def picture(place: Place) -> Encoded:
        id = str(place)
        if id not in known:
            if id not in by.pictures:
                raise BadFile(f"the journal names a picture {id!r}, which is not there")
            known[id] = Encoded(by.pictures[id])
        return known[id]

    return by.entry.value(picture)


def pictures_of(textures: Textures | None) -> list[Encoded]:
    """Every picture of a face's textures: the neutral's, the maps', the mask."""
    if textures is None:
        return []
    mask = [] if textures.mask is None else [textures.mask]
    return [textures.neutral, *(one.picture for one in textures.maps), *mask]
