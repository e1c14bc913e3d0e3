"""Texture coordinates as the base colour texture is sampled, v up."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, extension, member, numbers, whole

TRANSFORM = "KHR_texture_transform"


def coordinates(asset: Asset, primitive: Json, vertices: int) -> Floats:
    """Coordinates (vertices, 2), NaN where the primitive has none."""
    name = attribute(asset.json, primitive)
    if name not in primitive["attributes"]:
        return np.full((vertices, 2), np.nan)
    index = primitive["attributes"][name]
    if decode.count_of(asset, index) != vertices:
        raise BadFile(f"accessor {index} has another count than the {vertices} positions")
    stored = decode.numbers(asset, index, "VEC2")
    linear, offset = transform(asset.json, primitive)
    sampled = stored @ linear.T + offset
    return np.column_stack([sampled[:, 0], 1 - sampled[:, 1]])


def attribute(json: Json, primitive: Json) -> str:
    """The attribute that the base colour texture is sampled with."""
    texture = _base_color(json, primitive)
    moved = extension(texture, TRANSFORM, "a texture") or {}
    return f"TEXCOORD_{whole(moved, 'texCoord', 'a texture', whole(texture, 'texCoord', 'a texture', 0))}"


def transform(json: Json, primitive: Json) -> tuple[Floats, Floats]:
    """Matrix (2, 2) and offset (2,) from stored to sampled coordinates; quantised files need it."""
    moved = extension(_base_color(json, primitive), TRANSFORM, "a texture") or {}
    angle = numbers({"rotation": [moved.get("rotation", 0)]}, "rotation", "a texture", ())[0]
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    linear = turn * numbers(moved, "scale", "a texture", (1, 1), count=2)
    offset = np.array(numbers(moved, "offset", "a texture", (0, 0), count=2))
    # A scale of 0 maps all to one texel and has no inverse; the stored coordinates are used.
    return (linear, offset) if abs(np.linalg.det(linear)) > 0 else (np.eye(2), np.zeros(2))


def _base_color(json: Json, primitive: Json) -> Json:
    if "material" not in primitive:
        return {}
    material = json["materials"][primitive["material"]]
    return member(member(material, "pbrMetallicRoughness", "a material"), "baseColorTexture", "a material")
