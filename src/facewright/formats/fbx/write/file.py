"""A document as an FBX file."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from facewright.document import Document
from facewright.errors import BadValue, FacewrightWarning
from facewright.formats.channels.block import channels_block, clip_block
from facewright.formats.channels.curves import is_written_exactly
from facewright.formats.channels.written import WrittenChannel, WrittenMesh, channels_of, pieces_of
from facewright.formats.fbx.block import KEY
from facewright.formats.fbx.read import UNIT
from facewright.formats.fbx.scene.animation import CUSTOM, RATES
from facewright.formats.fbx.scene.head import ORDER_OF_HEAD
from facewright.formats.fbx.write.animation import add_clips
from facewright.formats.fbx.write.encode import (
    CREATED,
    FILE_ID,
    VERSION,
    Element,
    Long,
    element,
    object_name,
    write_file,
)
from facewright.formats.fbx.write.materials import MaterialObjects
from facewright.formats.fbx.write.mesh import add_mesh
from facewright.formats.fbx.write.objects import ROOT, WrittenObjects
from facewright.formats.fbx.write.properties import Property, properties
from facewright.formats.files import Target, replacing
from facewright.formats.head_pivot import about_origin
from facewright.formats.schema.json import encode
from facewright.formats.write_options import Keys, WriteOptions
from facewright.motion.clip import Clip
from facewright.rig.head_motion import ANGLES, OFFSETS, has_head_motion
from facewright.rig.unit import metres_per

_CREATOR = "Facewright"
_DEFAULT_RATE = 30.0


def write(document: Document, target: Target) -> None:
    """Write a binary file of version 7.5, in the unit of the document, else in centimetres."""
    write_with(document, target, WriteOptions())


def write_with(document: Document, target: Target, options: WriteOptions) -> None:
    """The same with options: keys can be straight for programs that play no tangents."""
    if document.rig.vertex_count == 0:
        raise BadValue("an FBX mesh has at least one vertex, and this rig has none")
    if document.clips and not document.rig.shapes:
        warnings.warn(
            "an FBX file animates shapes, and there are none: of clips the motion of the head is written",
            FacewrightWarning,
            stacklevel=2,
        )
    document = about_origin(document)
    channels = channels_of(document)
    pieces = pieces_of(document, channels)
    objects = _objects(document, channels, pieces, options.keys)
    with replacing(target) as file:
        write_file(file, _elements(document, _block(document, channels, pieces, options.keys), objects))


def _objects(
    document: Document, channels: Sequence[WrittenChannel], pieces: Sequence[WrittenMesh], keys: Keys
) -> WrittenObjects:
    objects = WrittenObjects()
    materials = MaterialObjects(objects, document)
    head = _add_head(objects) if any(has_head_motion(clip) for clip in document.clips) else 0
    numbers: dict[str, list[int]] = {}
    for piece in pieces:
        model = objects.add("Model", piece.part.name, "Mesh", lambda: [
            element("Version", 232),
            properties(("InheritType", "enum", 1), ("DefaultAttributeIndex", "int", 0)),
            element("Shading", True),
            element("Culling", "CullingOff"),
        ])  # fmt: skip
        objects.connect(model, head or ROOT)
        ids, material = materials.of_part(piece.part.name, piece.order)
        for name, number in add_mesh(objects, piece, document.rig.neutral, material, model).items():
            numbers.setdefault(name, []).append(number)
        for number in ids:
            objects.connect(number, model)
    add_clips(objects, document, channels, numbers, head, keys)
    return objects


def _add_head(objects: WrittenObjects) -> int:
    """The model above all others that moves with the head."""
    listed: list[Property] = [
        ("RotationActive", "bool", 1), ("RotationOrder", "enum", ORDER_OF_HEAD), ("InheritType", "enum", 1),
    ]  # fmt: skip
    head = objects.add("Model", "head motion", "Null", lambda: [
        element("Version", 232), properties(*listed), element("Shading", True), element("Culling", "CullingOff"),
    ])  # fmt: skip
    attribute = objects.add("NodeAttribute", "head motion", "Null", lambda: [element("TypeFlags", "Null")])
    objects.connect(head, ROOT)
    objects.connect(attribute, head)
    return head


def _elements(document: Document, block: str, objects: WrittenObjects) -> Iterator[Element]:
    yield _header(block)
    yield element("FileId", FILE_ID)
    yield element("CreationTime", CREATED)
    yield element("Creator", _CREATOR)
    yield element("GlobalSettings", inside=[element("Version", 1000), properties(*_settings(document))])
    current = document.clip or next((clip.name for clip in document.clips), "")
    scene = [
        properties(("SourceObject", "object"), ("ActiveAnimStackName", "KString", current)),
        element("RootNode", Long(ROOT)),
    ]
    number = element("Document", Long(1), "", "Scene", inside=scene)
    yield element("Documents", inside=[element("Count", 1), number])
    yield element("References", block=True)
    yield from objects.elements()
    yield element("Takes", inside=[element("Current", current)])


def _header(block: str) -> Element:
    stamp = zip(("Version", "Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond"),
                (1000, 1970, 1, 1, 10, 0, 0, 0), strict=True)  # fmt: skip
    texts = [("Original|ApplicationVendor", _CREATOR), ("Original|ApplicationName", _CREATOR)]
    listed: list[Property] = [(name, "KString", text) for name, text in [*texts, (KEY, block)] if text]
    info = element("SceneInfo", object_name("GlobalInfo", "SceneInfo"), "UserData", inside=[
        element("Type", "UserData"), element("Version", 100), properties(*listed),
    ])  # fmt: skip
    return element("FBXHeaderExtension", inside=[
        element("FBXHeaderVersion", 1003),
        element("FBXVersion", VERSION),
        element("EncryptionType", 0),
        element("CreationTimeStamp", inside=[element(name, value) for name, value in stamp]),
        element("Creator", _CREATOR),
        info,
    ])  # fmt: skip


def _settings(document: Document) -> list[Property]:
    rate = _rate(document)
    mode = next((n for n, known in enumerate(RATES) if n and abs(known - rate) < 1e-9), CUSTOM)
    unit = 100 * metres_per(document.unit) if document.unit else document.extra.get(UNIT, 1.0)
    unit = float(unit) if isinstance(unit, int | float) and 1e-6 < unit < 1e6 else 1.0
    axes = (("UpAxis", 1), ("FrontAxis", 2), ("CoordAxis", 0))
    return [
        *((name, "int", axis) for name, axis in axes),
        *((f"{name}Sign", "int", 1) for name, _ in axes),
        ("UnitScaleFactor", "double", unit),
        ("OriginalUnitScaleFactor", "double", unit),
        ("TimeMode", "enum", mode),
        ("CustomFrameRate", "double", rate if mode == CUSTOM else -1.0),
    ]


def _rate(document: Document) -> float:
    return float(document.clips[0].rate) if document.clips else _DEFAULT_RATE


def _block(document: Document, channels: Sequence[WrittenChannel], pieces: Sequence[WrittenMesh], keys: Keys) -> str:
    """Our block, with which the file gives the same document again; "" where its channels suffice."""
    extra = {key: value for key, value in document.extra.items() if key != UNIT}
    block = channels_block(replace(document, extra=extra), pieces)
    clips = {clip.name: _clip_block(document, clip, channels, keys) for clip in document.clips}
    if any(clips.values()):
        block["clips"] = {name: one for name, one in clips.items() if one}
    return encode(block).decode() if block else ""


def _clip_block(document: Document, clip: Clip, channels: Sequence[WrittenChannel], keys: Keys) -> dict[str, Any]:
    written = [one.slider for one in channels if one.slider]
    head = (*ANGLES, *OFFSETS) if has_head_motion(clip) else ()
    readable = [name for name in document.rig.sliders if name in clip.curves and name in written]
    readable += [name for name in head if name in clip.curves]
    return clip_block(clip, readable, lambda name: is_written_exactly(clip.curves[name], keys), _rate(document))
