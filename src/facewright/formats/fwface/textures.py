"""Textures of expressions as members of a zip: JSON, and each picture once."""

from __future__ import annotations

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.textures import Place, TexturesEntry
from facewright.image.encoded import MOST_BYTES, Encoded
from facewright.rig.textures import Textures

MEMBER = "textures.json"
_FOLDER = "textures/"


def read_textures(file: ArrayZip) -> tuple[Textures | None, frozenset[str]]:
    """The textures in a file, and the members that hold their pictures."""
    if MEMBER not in file.names:
        return None, frozenset()
    known: dict[str, Encoded] = {}

    def picture(place: Place) -> Encoded:
        if not isinstance(place, str):
            raise BadFile(f"{MEMBER} must name members of the file, not {place!r}")
        if place not in known:
            known[place] = Encoded(file.bytes(place, limit=MOST_BYTES))
        return known[place]

    entry = entry_from(decode(file.bytes(MEMBER, limit=limits.JSON)), TexturesEntry, "textures")
    return entry.value(picture), frozenset(known)


def texture_members(textures: Textures | None) -> dict[str, bytes]:
    """The members that textures take in a file, by name."""
    if textures is None:
        return {}
    names: dict[Encoded, str] = {}

    def place(picture: Encoded, name: str) -> Place:
        return names.setdefault(picture, f"{_FOLDER}{len(names) + 1}{picture.suffix}")

    entry = plain(TexturesEntry.of(textures, place))
    return {MEMBER: encode(entry)} | {name: picture.data for picture, name in names.items()}
