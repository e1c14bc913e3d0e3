"""A picture as the base colour of a face's materials, marked as ours so that it can be replaced.

It is the neutral's texture, or was made from it: a copy in a file type that every program shows, or the texture of a
pose.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import msgspec

from facewright.formats.gltf.container.extras import block_of, set_block
from facewright.formats.gltf.container.fields import Json, entries

_MARK = "neutral"
_MADE_FROM = "madeFrom"


@dataclass(frozen=True)
class BaseColor:
    """The image of a texture that `set_base_color` added."""

    image: int
    made_from: str  # id of the neutral's picture from which it was made; "": it is the neutral's picture itself


def base_color(json: Json) -> BaseColor | None:
    """The base colour that is ours; None where the file has none."""
    for texture in entries(json, "textures"):
        block = block_of(texture)
        if block.get(_MARK) and isinstance(texture.get("source"), int):
            return BaseColor(int(texture["source"]), str(block.get(_MADE_FROM, "")))
    return None


def set_base_color(json: Json, color: BaseColor, parts: Collection[str]) -> None:
    """Make an image the base colour of some parts, or of all, where their materials have no base colour texture."""
    _mark_again(json, color)
    chosen = primitives_of(json, parts)
    bare = [primitive for primitive in chosen if not _is_textured(json, primitive)]
    if not bare:
        return
    texture = _texture(json, color)
    changed: dict[int, int] = {}
    for primitive in bare:
        old = primitive.get("material", -1)
        if old not in changed:
            changed[old] = _with_texture(json, old, texture, _is_shared(json, old, chosen))
        primitive["material"] = changed[old]


def primitives_of(json: Json, parts: Collection[str]) -> list[Json]:
    """The primitives of some parts, or of all, that have texture coordinates."""
    return [
        primitive
        for node in entries(json, "nodes")
        if "mesh" in node and (not parts or node.get("name") in parts)
        for primitive in json["meshes"][node["mesh"]]["primitives"]
        if "TEXCOORD_0" in primitive["attributes"]
    ]


def own_materials(json: Json, chosen: list[Json]) -> list[int]:
    """Materials that no other primitives have than the chosen ones; where others do, the chosen get copies."""
    materials, made = json.setdefault("materials", []), dict[int, int]()
    for primitive in chosen:
        old = primitive.get("material", -1)
        if old not in made:
            made[old] = old
            if _is_shared(json, old, chosen):
                materials.append({} if old < 0 else msgspec.json.decode(msgspec.json.encode(materials[old])))
                made[old] = len(materials) - 1
        primitive["material"] = made[old]
    return sorted(set(made.values()))


def _is_textured(json: Json, primitive: Json) -> bool:
    if "material" not in primitive:
        return False
    return "baseColorTexture" in json["materials"][primitive["material"]].get("pbrMetallicRoughness", {})


def _is_shared(json: Json, material: int, chosen: list[Json]) -> bool:
    """Whether a primitive that does not get the texture has the material too."""
    users = [one for mesh in json["meshes"] for one in mesh["primitives"] if one.get("material", -1) == material]
    return material < 0 or any(all(one is not other for other in chosen) for one in users)


def _with_texture(json: Json, material: int, texture: int, shared: bool) -> int:
    materials = json.setdefault("materials", [])
    old: Json = {} if material < 0 else materials[material]
    surface = {key: value for key, value in old.get("pbrMetallicRoughness", {}).items() if key != "baseColorFactor"}
    surface.setdefault("metallicFactor", 0.0)
    new = {**old, "pbrMetallicRoughness": {"baseColorTexture": {"index": texture}, **surface}}
    if shared:
        materials.append(new)
        return len(materials) - 1
    materials[material] = new
    return material


def _mark_again(json: Json, color: BaseColor) -> None:
    """Say of a texture that shows the image already what it was made from."""
    for texture in entries(json, "textures"):
        if block_of(texture).get(_MARK) and texture.get("source") == color.image:
            set_block(texture, _mark(color))


def _mark(color: BaseColor) -> Json:
    return {_MARK: True} | ({_MADE_FROM: color.made_from} if color.made_from else {})


def _texture(json: Json, color: BaseColor) -> int:
    textures = json.setdefault("textures", [])
    for index, texture in enumerate(textures):
        if block_of(texture).get(_MARK) and texture.get("source") == color.image:
            return index
    new: Json = {"source": color.image}
    set_block(new, _mark(color))
    textures.append(new)
    return len(textures) - 1
