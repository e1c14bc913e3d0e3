"""Materials as members of a zip: JSON, and the images that are no part of an attachment."""

from __future__ import annotations

from collections.abc import Mapping

from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.materials import ImageEntry, MaterialsEntry
from facewright.image.encoded import MEDIA, MOST_BYTES
from facewright.image.file import ImageFile
from facewright.rig.materials import Materials

MEMBER = "materials.json"
_FOLDER = "materials/"


def read_materials(file: ArrayZip, polygons: int, attachments: Mapping[str, bytes]) -> Materials | None:
    """The materials of so many polygons in a file; None where there are none.

    Images that are parts of an attachment share its memory.
    """
    entry = _entry(file)
    if entry is None:
        return None

    def image(one: ImageEntry) -> ImageFile:
        held = attachments.get(one.place)
        return one.value(file.bytes(one.place, limit=MOST_BYTES) if held is None else held)

    return entry.value(polygons, image)


def image_members(file: ArrayZip) -> frozenset[str]:
    """The members that hold images of materials."""
    entry = _entry(file)
    images = () if entry is None else entry.images
    return frozenset(image.place for image in images if image.place.startswith(_FOLDER))


def material_members(materials: Materials | None, attachments: Mapping[str, bytes]) -> dict[str, bytes]:
    """The members that materials take in a file, by name."""
    if materials is None:
        return {}
    images: dict[str, bytes] = {}

    def place(image: ImageFile) -> ImageEntry:
        held = next((name for name, data in attachments.items() if data is image.container), None)
        if held is not None:
            return ImageEntry(image.media, held, image.start, image.stop)
        name = f"{_FOLDER}{len(images) + 1}{MEDIA.get(image.media, '')}"
        images[name] = image.data
        return ImageEntry(image.media, name)

    return {MEMBER: encode(plain(MaterialsEntry.of(materials, place)))} | images


def _entry(file: ArrayZip) -> MaterialsEntry | None:
    if MEMBER not in file.names:
        return None
    return entry_from(decode(file.bytes(MEMBER, limit=limits.JSON)), MaterialsEntry, "materials")
