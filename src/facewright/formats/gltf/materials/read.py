"""How the surface of an opened file looks: its materials, which triangles have which, and base colour images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from facewright.arrays import Ints
from facewright.document import Document
from facewright.errors import BadFile, FacewrightError
from facewright.formats.gltf import unpack as container
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.container.fields import Json, entry, extension, member, numbers, text, whole
from facewright.formats.gltf.container.uris import is_data, media_type
from facewright.formats.gltf.geometry.parts import SourcePart, source_parts
from facewright.formats.gltf.geometry.primitives import polygons
from facewright.formats.gltf.materials.images import image_data
from facewright.formats.gltf.read import SOURCE

_MEDIA = ("image/png", "image/jpeg", "image/webp", "image/ktx2")
_SOURCES = ("EXT_texture_webp", "KHR_texture_basisu")


@dataclass(frozen=True)
class Look:
    """A material, as far as it matters for showing a face."""

    name: str
    color: tuple[float, ...]  # (4,) linear, a factor on the image
    roughness: float
    image: int | None
    media: str  # of the image, "" without one
    alpha: str  # OPAQUE, MASK or BLEND
    cutoff: float
    double_sided: bool


@dataclass(frozen=True, eq=False)
class Looks:
    """Materials of a rig's triangles."""

    looks: tuple[Look, ...]
    of_triangle: Ints  # (t,)


def looks_of(document: Document) -> Looks | None:
    """The materials of the file that a document was opened from; None without one, or if the rig is another now."""
    try:
        asset = _source(document)
        parts = source_parts(asset)
        found = np.concatenate([_materials(asset, part) for part in parts])  # (t,) -1: none
    except FacewrightError:
        return None
    if len(found) != len(document.rig.triangles) or len(parts) != len(document.rig.parts):
        return None
    used, rows = np.unique(found, return_inverse=True)
    return Looks(tuple(_look(asset.json, int(material)) for material in used), rows)


def image_of(document: Document, index: int) -> tuple[str, bytes]:
    """The media type and the bytes of an image of the file that a document was opened from."""
    asset = _source(document)
    image = entry(asset.json, "images", index)
    media = _media(image)
    if media not in _MEDIA:
        raise BadFile(f"image {index} is {media or 'of no stated type'}; {', '.join(_MEDIA)} are shown")
    return media, bytes(image_data(asset, index))


def _source(document: Document) -> Asset:
    if SOURCE not in document.attachments:
        raise BadFile("the document was not opened from a glTF file")
    return container.plain(parse_glb(document.attachments[SOURCE]))


def _materials(asset: Asset, part: SourcePart) -> Ints:
    """The material of each triangle of a part, in the rig's order."""
    mesh = asset.json["meshes"][part.mesh]
    sizes = {number: block.stop - block.start for block in part.geometry.blocks for number in block.primitives}
    found = [np.zeros(0, np.int64)]
    for number, primitive in enumerate(mesh["primitives"]):
        count = int((polygons(asset, mesh, primitive, sizes[number]).counts - 2).sum())
        found.append(np.full(count, whole(primitive, "material", "a primitive", -1, low=-1)))
    return np.concatenate(found)


def _look(json: Json, index: int) -> Look:
    material: Json = {} if index < 0 else entry(json, "materials", index)
    where = f"material {index}"
    surface = member(material, "pbrMetallicRoughness", where)
    image = _image(json, member(surface, "baseColorTexture", where))
    return Look(
        name=text(material, "name", where),
        color=tuple(numbers(surface, "baseColorFactor", where, (1, 1, 1, 1), count=4)),
        roughness=_number(surface, "roughnessFactor", 1.0),
        image=image,
        media="" if image is None else _media(entry(json, "images", image)),
        alpha=text(material, "alphaMode", where, "OPAQUE"),
        cutoff=_number(material, "alphaCutoff", 0.5),
        double_sided=material.get("doubleSided") is True,
    )


def _image(json: Json, info: Json) -> int | None:
    """The image that a texture shows, the one that every browser knows first."""
    if "index" not in info:
        return None
    texture = entry(json, "textures", info["index"])
    holders: list[Any] = [texture, *(extension(texture, name, "a texture") for name in _SOURCES)]
    return next((whole(holder, "source", "a texture") for holder in holders if holder and "source" in holder), None)


def _media(image: Json) -> str:
    uri = text(image, "uri", "an image")
    return media_type(uri) if is_data(uri) else text(image, "mimeType", "an image")


def _number(of: Json, key: str, default: float) -> float:
    return numbers({key: [of.get(key, default)]}, key, "a material", ())[0]
