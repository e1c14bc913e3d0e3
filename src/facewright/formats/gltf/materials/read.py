"""The materials of the face in an opened file, their base colour images, and which polygons have which."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from facewright.errors import BadFile, FacewrightError
from facewright.formats.gltf.accessors.decode import count_of
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.container.fields import Json, entries, entry, extension, member, numbers, text, whole
from facewright.formats.gltf.container.uris import data_of, is_data, media_type
from facewright.formats.gltf.geometry.nodes import Node
from facewright.formats.gltf.geometry.parts import face_nodes
from facewright.formats.gltf.geometry.primitives import polygons
from facewright.formats.gltf.unpack import unpack
from facewright.image.file import ImageFile
from facewright.rig.materials import Material, Materials

SOURCES = {
    "image/webp": "EXT_texture_webp",
    "image/ktx2": "KHR_texture_basisu",
}  # media type -> the extension through which a texture shows it


def materials_in(glb: bytes) -> Materials | None:
    """The materials of the face in a file that needs nothing from outside; None where they cannot be read."""
    try:
        return read_materials(unpack(parse_glb(glb)), glb)
    except FacewrightError:
        return None


def read_materials(asset: Asset, glb: bytes) -> Materials | None:
    """The materials of the face; None where they cannot be read. Images share the memory of `glb`, the asset's file."""
    return materials_of(asset, glb, face_nodes(asset.json))


def materials_of(asset: Asset, glb: bytes, nodes: Sequence[Node]) -> Materials | None:
    """The materials of the meshes of some nodes, polygon by polygon; None where they cannot be read."""
    try:
        primitives = _primitives(asset, nodes)
        indices = [whole(primitive, "material", "a primitive", -1, low=-1) for primitive, _ in primitives]
        counts = [own.stop - own.start for _, own in primitives]
        used, rows = np.unique(np.repeat(indices, counts), return_inverse=True)  # -1: no material
        listed = tuple(_material(asset.json, int(index)) for index in used)
        images = tuple(_image(asset, index, glb) for index in range(len(entries(asset.json, "images"))))
        return Materials(listed, rows, images)
    except FacewrightError:
        return None


def face_primitives(asset: Asset) -> list[tuple[Json, slice]]:
    """The primitives of the face, each with the range of the rig's polygons that it draws."""
    return _primitives(asset, face_nodes(asset.json))


def _primitives(asset: Asset, nodes: Sequence[Node]) -> list[tuple[Json, slice]]:
    found, start = [], 0
    for node in nodes:
        mesh = asset.json["meshes"][asset.json["nodes"][node.index]["mesh"]]
        for primitive in mesh["primitives"]:
            vertices = count_of(asset, primitive["attributes"]["POSITION"])
            stop = start + len(polygons(asset, mesh, primitive, vertices))
            found.append((primitive, slice(start, stop)))
            start = stop
    return found


def _material(json: Json, index: int) -> Material:
    material: Json = {} if index < 0 else entry(json, "materials", index)
    where = f"material {index}"
    surface = member(material, "pbrMetallicRoughness", where)
    return Material(
        name=text(material, "name", where),
        color=tuple(numbers(surface, "baseColorFactor", where, (1, 1, 1, 1), count=4)),
        roughness=_number(surface, "roughnessFactor", 1.0),
        image=image_of_texture(json, member(surface, "baseColorTexture", where)),
        alpha_mode=text(material, "alphaMode", where, "OPAQUE"),
        alpha_cutoff=_number(material, "alphaCutoff", 0.5),
        double_sided=material.get("doubleSided") is True,
    )


def image_of_texture(json: Json, info: Json) -> int | None:
    """The image that a texture shows; a PNG or JPEG before one that needs an extension."""
    if "index" not in info:
        return None
    texture = entry(json, "textures", info["index"])
    holders: list[Any] = [texture, *(extension(texture, name, "a texture") for name in SOURCES.values())]
    return next((whole(holder, "source", "a texture") for holder in holders if holder and "source" in holder), None)


def _image(asset: Asset, index: int, glb: bytes) -> ImageFile:
    """An image as a part of its file; empty where the file does not have it, or not whole."""
    image, where = entry(asset.json, "images", index), f"image {index}"
    uri, stated = text(image, "uri", where), text(image, "mimeType", where)
    media = media_type(uri) if is_data(uri) else stated
    try:
        if is_data(uri):
            return ImageFile(media, data_of(uri))
        length = len(asset.view(image.get("bufferView")))
    except BadFile:
        return ImageFile(media, b"")
    start = _buffer_start(glb) + asset.json["bufferViews"][image["bufferView"]].get("byteOffset", 0)
    return ImageFile(media, glb, start, start + length)


def _buffer_start(glb: bytes) -> int:
    """Where the buffer begins in a GLB: after the header, the JSON chunk, and the head of its own chunk."""
    (json_length,) = struct.unpack_from("<I", glb, 12)
    return 12 + 8 + int(json_length) + 8


def _number(of: Json, key: str, default: float) -> float:
    return numbers({key: [of.get(key, default)]}, key, "a material", ())[0]
