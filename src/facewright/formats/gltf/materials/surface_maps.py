"""Normal and roughness maps of a pose as images of a face's materials, marked as ours so that they can be replaced."""

from __future__ import annotations

import msgspec

from facewright.formats.gltf.accessors.compact import drop_newly_unused, unused
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import block_of, set_block
from facewright.formats.gltf.container.fields import Json, entries
from facewright.formats.gltf.materials.base_color import own_materials, primitives_of
from facewright.formats.gltf.materials.images import ImageAppender
from facewright.formats.write_options import SurfaceImages
from facewright.image.encoded import Encoded

_MARK = "surface"


def add_surface_maps(asset: Asset, surface: SurfaceImages | None) -> Asset:
    """The file with the maps on the materials of their parts, in the place of maps that were written before."""
    if surface is None:
        return asset
    json: Json = msgspec.json.decode(msgspec.json.encode(asset.json))
    before, maps = unused(json), {"normal": surface.normal, "roughness": surface.roughness}
    given = {kind: picture for kind, picture in maps.items() if picture is not None}
    for texture in entries(json, "textures"):
        if block_of(texture).get(_MARK) in given:
            json["images"][texture["source"]] = {}  # its bytes are dropped
    pictures = ImageAppender(json, drop_newly_unused(json, asset.binary, before))
    indices = {kind: _texture(json, pictures, kind, picture) for kind, picture in given.items()}
    for row in own_materials(json, primitives_of(json, surface.parts)):
        _show(json["materials"][row], indices)
    return Asset(json, pictures.binary(), asset.chunks)


def _texture(json: Json, pictures: ImageAppender, kind: str, picture: Encoded) -> int:
    """The texture of a map: the one from before with another image, or a new one."""
    image = {"name": kind, "bufferView": pictures.add(picture.data), "mimeType": picture.media}
    textures, images = json.setdefault("textures", []), json.setdefault("images", [])
    for index, texture in enumerate(textures):
        if block_of(texture).get(_MARK) == kind:
            images[texture["source"]] = image
            return index
    images.append(image)
    new: Json = {"source": len(images) - 1}
    set_block(new, {_MARK: kind})
    textures.append(new)
    return len(textures) - 1


def _show(material: Json, indices: dict[str, int]) -> None:
    if "normal" in indices:
        material["normalTexture"] = {"index": indices["normal"]}
    if "roughness" in indices:
        surface = material.setdefault("pbrMetallicRoughness", {})
        # The factors are multiplied by the texture's blue and green channels.
        surface |= {
            "metallicRoughnessTexture": {"index": indices["roughness"]},
            "roughnessFactor": 1.0,
            "metallicFactor": 0.0,
        }
