"""A document as a .fwface file: one zip of readable JSON and arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from facewright.document import Document
from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.arrays_zip import (
    ArrayZip,
    ArrayZipWriter,
    check_member_name,
    has_member,
    reading_zip,
    write_zip,
)
from facewright.formats.files import Source, Target
from facewright.formats.fwface import clips, layers, materials, poses, reference, rig, scan, take, textures
from facewright.formats.fwface.upgrade import VERSION, upgrade
from facewright.formats.schema.clip import ClipEntry
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.prior import encode_prior, prior_from_file
from facewright.formats.schema.regions import describe_local, encode_regions, local_from, regions_from
from facewright.formats.schema.rig import RigEntry
from facewright.formats.schema.work import WorkEntry
from facewright.rig.materials import Materials
from facewright.rig.prior import Prior
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

_DOCUMENT = "document.json"
_REGIONS = "regions.json"
_PRIOR = "prior.json"
_FORMAT = "facewright document"


class _DocumentEntry(RigEntry, kw_only=True):
    format: str
    version: int
    clips: list[ClipEntry] = msgspec.field(default_factory=list)
    work: WorkEntry = msgspec.field(default_factory=WorkEntry)
    local: dict[str, dict[str, float]] = msgspec.field(default_factory=dict)  # region -> slider -> value
    extra: dict[str, Any] = msgspec.field(default_factory=dict)  # unknown keys that are named like one of these


_OURS = frozenset(msgspec.structs.asdict(_DocumentEntry(format="", version=0)))
_MEMBERS = (
    {_DOCUMENT, _REGIONS, _PRIOR, take.MEMBER, take.POSITIONS, textures.MEMBER, materials.MEMBER, reference.MEMBER}
    | {layers.MEMBER, poses.MEMBER, scan.MEMBER, scan.FRAMES}
    | rig.MEMBERS
    | clips.MEMBERS
)


def read(source: Source) -> Document:
    """The document in a .fwface file."""
    with reading_zip(source) as file:
        data = upgrade(_ours(decode(file.bytes(_DOCUMENT, limit=limits.JSON))))
        entry = entry_from(data, _DocumentEntry)
        found_rig = rig.read_rig(file, entry)
        found_textures, pictures = textures.read_textures(file)
        sound, plane, media = reference.read_reference(file)
        known = _MEMBERS | pictures | materials.image_members(file) | media
        attachments = {name: file.bytes(name) for name in file.names if name not in known}
        regions = _read_regions(file)
        if regions is None and entry.local:
            raise BadFile(f"{_DOCUMENT} has values within regions, but there is no {_REGIONS}")
        return Document(
            found_rig,
            layers.with_read_layers(file, clips.read_clips(file, entry.clips)),
            found_rig.weights(entry.pose),
            attachments,
            {key: value for key, value in data.items() if key not in _OURS} | entry.extra,
            regions=regions,
            local=None if regions is None else local_from(regions, found_rig, entry.local),
            captured=take.read_captured(file),
            scanned=scan.read_scanned(file),
            textures=found_textures,
            materials=_read_materials(file, found_rig, attachments),
            prior=_read_prior(file),
            poses=poses.read_poses(file),
            sound=sound,
            plane=plane,
            **entry.work.fields(),
        )


def recognise(data: bytes) -> str:
    """The suffix of a .fwface file, where the bytes are one."""
    return ".fwface" if has_member(data, _DOCUMENT) else ""


def write(document: Document, target: Target, *, packed: bool = False) -> None:
    """Write a .fwface file. `packed` deflates the arrays: some per cent smaller (half, for single-precision data
    with much repetition), at a twentieth of the speed.
    """
    pictures = textures.texture_members(document.textures)
    pictures |= materials.material_members(document.materials, document.attachments)
    pictures |= reference.reference_members(document)
    pictures |= layers.layer_members(document.clips)
    pictures |= poses.pose_members(document.poses)
    for name in document.attachments:
        check_member_name(name)
        if name in _MEMBERS | pictures.keys():
            raise BadValue(f"an attachment cannot be named {name!r}: the file itself uses that name")
    text = encode(_describe(document))
    prior_text = None if document.prior is None else encode_prior(document.prior)

    def fill(file: ArrayZipWriter) -> None:
        file.bytes(_DOCUMENT, text)
        rig.write_rig(file, document.rig)
        clips.write_clips(file, document.clips)
        if document.regions is not None:
            file.bytes(_REGIONS, encode_regions(document.regions))
        if prior_text is not None:
            file.bytes(_PRIOR, prior_text)
        if document.captured is not None:
            take.write_captured(file, document.captured)
        if document.scanned is not None:
            scan.write_scanned(file, document.scanned)
        for name, data in {**pictures, **document.attachments}.items():
            file.bytes(name, data)

    write_zip(target, fill, packed=packed)


def _describe(document: Document) -> dict[str, Any]:
    extra = dict(document.extra)
    hidden = {key: extra.pop(key) for key in _OURS & extra.keys()}
    ours = {"format": _FORMAT, "version": VERSION, **plain(RigEntry.of(document.rig, document.pose))}
    ours["clips"] = [plain(ClipEntry.without_keys(clip)) for clip in document.clips]
    more = {
        "work": plain(WorkEntry.of(document)),
        "local": describe_local(document.regions, document.rig.sliders, document.local),
        "extra": hidden,
    }
    return ours | {key: value for key, value in more.items() if value} | extra


def _ours(data: dict[str, Any]) -> dict[str, Any]:
    if data.get("format") != _FORMAT:
        raise BadFile(f'{_DOCUMENT} must say "format": "{_FORMAT}", not {data.get("format")!r}')
    return data


def _read_materials(file: ArrayZip, found: Rig, attachments: Mapping[str, bytes]) -> Materials | None:
    """The materials in a file; those of the glTF file that it carries, where it was written without any of its own."""
    if materials.MEMBER in file.names or not attachments:
        return materials.read_materials(file, len(found.polygons), attachments)
    from facewright.formats.gltf.read import carried_materials  # imported here because few files need it

    return carried_materials(attachments)


def _read_regions(file: ArrayZip) -> Regions | None:
    if _REGIONS not in file.names:
        return None
    return regions_from(decode(file.bytes(_REGIONS, limit=limits.JSON)))


def _read_prior(file: ArrayZip) -> Prior | None:
    if _PRIOR not in file.names:
        return None
    try:
        return prior_from_file(decode(file.bytes(_PRIOR, limit=limits.JSON)))
    except BadFile as problem:
        raise BadFile(f"{_PRIOR}: {problem}") from problem
