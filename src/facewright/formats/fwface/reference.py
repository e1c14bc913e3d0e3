"""Sound and picture of reference as members of a zip: JSON, and the bytes of each file.

A member that is not there is a file that is missing: all else is read, and the file can be found again.
"""

from __future__ import annotations

from facewright.document import Document
from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.reference import ReferenceEntry
from facewright.reference.media_file import MOST_BYTES, MediaFile
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound

MEMBER = "reference.json"
_FOLDER = "reference/"


def read_reference(file: ArrayZip) -> tuple[ReferenceSound | None, ReferencePlane | None, frozenset[str]]:
    """The sound and the picture in a file, and the members that hold their bytes."""
    if MEMBER not in file.names:
        return None, None, frozenset()
    used = set()

    def fetch(place: str) -> bytes:
        used.add(place)
        return file.bytes(place, limit=MOST_BYTES) if place in file.names else b""

    entry = entry_from(decode(file.bytes(MEMBER, limit=limits.JSON)), ReferenceEntry, "reference")
    return *entry.value(fetch), frozenset(used)


def reference_members(document: Document) -> dict[str, bytes]:
    """The members that sound and picture take in a file, by name."""
    if document.sound is None and document.plane is None:
        return {}
    members: dict[str, bytes] = {}

    def store(media: MediaFile) -> str:
        name = f"{_FOLDER}{len(members) + 1}{media.suffix}"
        members[name] = media.data
        return name

    entry = ReferenceEntry.of(document.sound, document.plane, store)
    return {MEMBER: encode(plain(entry))} | members
