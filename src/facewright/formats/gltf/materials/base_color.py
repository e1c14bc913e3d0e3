"""The neutral's picture as the base colour of the materials of a face, marked as ours so that it can be changed."""

from __future__ import annotations

from collections.abc import Collection

from facewright.formats.gltf.container.extras import block_of, set_block
from facewright.formats.gltf.container.fields import Json, entries

_MARK = "neutral"


def neutral_image(json: Json) -> int | None:
    """The image of the texture that was put there by `wear`."""
    for texture in entries(json, "textures"):
        if block_of(texture).get(_MARK) and isinstance(texture.get("source"), int):
            return int(texture["source"])
    return None


def wear(json: Json, image: int, parts: Collection[str]) -> None:
    """Show an image on the materials of some parts, or of all, that have no base colour texture."""
    worn = [
        primitive
        for node in entries(json, "nodes")
        if "mesh" in node and (not parts or node.get("name") in parts)
        for primitive in json["meshes"][node["mesh"]]["primitives"]
        if "TEXCOORD_0" in primitive["attributes"]
    ]
    bare = [primitive for primitive in worn if not _is_textured(json, primitive)]
    if not bare:
        return
    texture = _texture(json, image)
    dressed: dict[int, int] = {}
    for primitive in bare:
        old = primitive.get("material", -1)
        if old not in dressed:
            dressed[old] = _dressed(json, old, texture, _is_shared(json, old, worn))
        primitive["material"] = dressed[old]


def _is_textured(json: Json, primitive: Json) -> bool:
    if "material" not in primitive:
        return False
    return "baseColorTexture" in json["materials"][primitive["material"]].get("pbrMetallicRoughness", {})


def _is_shared(json: Json, material: int, worn: list[Json]) -> bool:
    """Whether something that does not wear the texture has the material too."""
    users = [one for mesh in json["meshes"] for one in mesh["primitives"] if one.get("material", -1) == material]
    return material < 0 or any(all(one is not other for other in worn) for one in users)


def _dressed(json: Json, material: int, texture: int, shared: bool) -> int:
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


def _texture(json: Json, image: int) -> int:
    textures = json.setdefault("textures", [])
    for index, texture in enumerate(textures):
        if block_of(texture).get(_MARK) and texture.get("source") == image:
            return index
    new: Json = {"source": image}
    set_block(new, {_MARK: True})
    textures.append(new)
    return len(textures) - 1
