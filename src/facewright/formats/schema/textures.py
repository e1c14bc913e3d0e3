"""Which pictures are a face's textures, as plain JSON; where each one is, the file that holds them says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip
from facewright.formats.schema.json import decode, encode, plain
from facewright.image.encoded import MOST_BYTES, Encoded
from facewright.rig.textures import ShapeTexture, Textures

MEMBER = "textures.json"
FOLDER = "textures/"

Place = str | dict[str, int]  # a member's name, or {"image": 3}, {"bufferView": 7}


class MapEntry(msgspec.Struct):
    """A texture of some shapes."""

    shapes: list[str]
    picture: Place


class TexturesEntry(msgspec.Struct, omit_defaults=True):
    """All textures of a face."""

    neutral: Place
    maps: list[MapEntry] = []
    mask: Place | None = None
    parts: list[str] = []


def describe_textures(textures: Textures, place: Callable[[Encoded, str], Place]) -> TexturesEntry:
    """Textures as plain values; `place` puts a picture with a name somewhere, and says where."""
    return TexturesEntry(
        place(textures.neutral, "neutral"),
        [MapEntry(list(one.shapes), place(one.picture, "+".join(one.shapes))) for one in textures.maps],
        None if textures.mask is None else place(textures.mask, "mask"),
        list(textures.parts),
    )


def understand_textures(data: Any, picture: Callable[[Place], Encoded]) -> Textures:
    """Textures from decoded JSON, with what gives the picture at a place."""
    try:
        entry = data if isinstance(data, TexturesEntry) else msgspec.convert(data, TexturesEntry)
        return Textures(
            picture(entry.neutral),
            tuple(ShapeTexture(tuple(one.shapes), picture(one.picture)) for one in entry.maps),
            None if entry.mask is None else picture(entry.mask),
            tuple(entry.parts),
        )
    except (msgspec.ValidationError, BadValue) as problem:
        raise BadFile(f"the JSON does not describe textures: {problem}") from problem


def places(entry: TexturesEntry) -> list[Place]:
    """Every place that is named."""
    mask = [] if entry.mask is None else [entry.mask]
    return [entry.neutral, *(one.picture for one in entry.maps), *mask]


def read_textures(file: ArrayZip) -> tuple[Textures | None, frozenset[str]]:
    """The textures in a .fwface file, and the members that hold them."""
    if MEMBER not in file.names:
        return None, frozenset()
    known: dict[str, Encoded] = {}

    def picture(place: Place) -> Encoded:
        if not isinstance(place, str):
            raise BadFile(f"{MEMBER} must name members of the file, not {place!r}")
        if place not in known:
            known[place] = Encoded(file.bytes(place, limit=MOST_BYTES))
        return known[place]

    textures = understand_textures(decode(file.bytes(MEMBER, limit=limits.JSON)), picture)
    return textures, frozenset(known)


def members(textures: Textures | None) -> dict[str, bytes]:
    """What textures are in a .fwface file: members by name, each picture once."""
    if textures is None:
        return {}
    names: dict[Encoded, str] = {}

    def place(picture: Encoded, name: str) -> Place:
        return names.setdefault(picture, f"{FOLDER}{len(names) + 1}{picture.suffix}")

    entry = plain(describe_textures(textures, place))
    return {MEMBER: encode(entry)} | {name: picture.data for picture, name in names.items()}
