"""The heavy parts of a document as bytes, each by itself, and back exactly: equal parts give equal bytes.

They have the members that a .fwface file has. What is small (pose, pins, clips, regions, bindings) has an entry in
`schema` instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import msgspec

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZipWriter, check_member_name, reading_zip, zip_bytes
from facewright.formats.fwface.materials import material_members, read_materials
from facewright.formats.fwface.rig import read_rig, write_rig
from facewright.formats.fwface.take import read_take, write_take
from facewright.formats.fwface.textures import read_textures, texture_members
from facewright.formats.scans.packed import PackedFrames
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.rig import RigEntry
from facewright.motion.take import Take
from facewright.rig.materials import Materials
from facewright.rig.rig import Rig
from facewright.rig.textures import Textures

_RIG = "rig.json"
_HELD = "attachments.json"  # name -> hash of those that hold images of materials


def rig_to_bytes(rig: Rig) -> bytes:
    """A rig, without a pose."""
    text = encode(plain(RigEntry.of(rig)))

    def fill(file: ArrayZipWriter) -> None:
        file.bytes(_RIG, text)
        write_rig(file, rig)

    return zip_bytes(fill)


def rig_from_bytes(data: bytes) -> Rig:
    with reading_zip(data) as file:
        return read_rig(file, entry_from(decode(file.bytes(_RIG, limit=limits.JSON)), RigEntry))


def take_to_bytes(take: Take) -> bytes:
    """A take, without its binding."""
    return zip_bytes(lambda file: write_take(file, take))


def take_from_bytes(data: bytes) -> Take:
    with reading_zip(data) as file:
        return read_take(file)


def frames_to_bytes(frames: PackedFrames) -> bytes:
    """The frames of a depth or scan sequence."""
    return msgspec.msgpack.encode(frames.parts)


def frames_from_bytes(data: bytes) -> PackedFrames:
    return PackedFrames(msgspec.msgpack.decode(data, type=tuple[bytes, ...]))


def textures_to_bytes(textures: Textures) -> bytes:
    """Textures of expressions, each picture once."""
    return _members_to_bytes(texture_members(textures))


def textures_from_bytes(data: bytes) -> Textures:
    with reading_zip(data) as file:
        textures, _ = read_textures(file)
    if textures is None:
        raise BadFile("there are no textures in these bytes")
    return textures


def materials_to_bytes(materials: Materials, attachments: Mapping[str, bytes]) -> bytes:
    """Materials; of images that are parts of an attachment only their range is kept, with a hash of the attachment."""
    held = {
        name: blake2b(data, digest_size=16).hexdigest()
        for name, data in sorted(attachments.items())
        if any(image.container is data for image in materials.images)
    }
    return _members_to_bytes({_HELD: encode(held), **material_members(materials, attachments)})


def materials_from_bytes(data: bytes, polygons: int, attachments: Mapping[str, bytes]) -> Materials:
    """Materials of so many polygons, with the attachments that they were written with."""
    with reading_zip(data) as file:
        materials = read_materials(file, polygons, attachments)
        if materials is None:
            raise BadFile("there are no materials in these bytes")
        for name, digest in decode(file.bytes(_HELD, limit=limits.JSON)).items():
            if name not in attachments or blake2b(attachments[name], digest_size=16).hexdigest() != digest:
                raise BadFile(f"the materials belong to another {name} than the one that is given")
    return materials


def attachments_to_bytes(attachments: Mapping[str, bytes]) -> bytes:
    """What a document carries for other programs; the order of the names does not count."""
    for name in attachments:
        check_member_name(name)
    return _members_to_bytes(dict(sorted(attachments.items())))


def attachments_from_bytes(data: bytes) -> dict[str, bytes]:
    with reading_zip(data) as file:
        return {name: file.bytes(name) for name in file.names}


def _members_to_bytes(members: Mapping[str, bytes]) -> bytes:
    def fill(file: ArrayZipWriter) -> None:
        for name, content in members.items():
            file.bytes(name, content)

    return zip_bytes(fill)
