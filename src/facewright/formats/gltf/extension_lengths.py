"""Where extensions that are carried along keep lengths: the lights' reach, volumes, and the springs and eyes of VRM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facewright.formats.gltf.container.fields import Json, entries

Place = tuple[Any, Any]  # an object or a list, and the key of a length, or of several, in it

# Extensions whose lengths are found here, or in the nodes, accessors and samplers that they refer to.
KNOWN = (
    "KHR_lights_punctual", "KHR_animation_pointer", "EXT_mesh_gpu_instancing", "KHR_mesh_quantization",
    "FB_ngon_encoding", "VRM", "VRMC_vrm", "VRMC_springBone",
)  # fmt: skip
WITHOUT_LENGTHS = (
    "KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_node_visibility", "KHR_node_selectability", "KHR_xmp",
    "MSFT_texture_dds", "VRMC_materials_", "VRMC_node_constraint", "EXT_lights_image_based",
)  # fmt: skip


def length_places(json: Json) -> Iterator[Place]:
    """The holders and keys of all lengths in extensions that are known here."""
    yield from _keys(_of(json, "KHR_lights_punctual", "lights"), "range")
    for material in entries(json, "materials"):
        yield from _keys([_of(material, "KHR_materials_volume")], "thicknessFactor", "attenuationDistance")
    yield from _vrm(json)
    yield from _spring_bones(json)


def _vrm(json: Json) -> Iterator[Place]:
    """VRM 0: where the eyes of the wearer are, springs and what they collide with. VRM 1: where the gaze begins."""
    vrm = _of(json, "VRM")
    yield from _keys([_in(vrm, "firstPerson")], "firstPersonBoneOffset")
    secondary = _in(vrm, "secondaryAnimation")
    yield from _keys(_in(secondary, "boneGroups"), "hitRadius")
    for group in _listed(_in(secondary, "colliderGroups")):
        yield from _keys(_in(group, "colliders"), "offset", "radius")
    yield from _keys([_in(_of(json, "VRMC_vrm"), "lookAt")], "offsetFromHeadBone")


def _spring_bones(json: Json) -> Iterator[Place]:
    springs = _of(json, "VRMC_springBone")
    for collider in _listed(_in(springs, "colliders")):
        for kind in ("sphere", "capsule"):
            yield from _keys([_in(_in(collider, "shape"), kind)], "offset", "radius", "tail")
    for spring in _listed(_in(springs, "springs")):
        yield from _keys(_in(spring, "joints"), "hitRadius")


def _of(holder: Any, extension: str, key: str = "") -> Any:
    found = _in(_in(holder, "extensions"), extension)
    return _in(found, key) if key else found


def _in(holder: Any, key: str) -> Any:
    return holder.get(key) if isinstance(holder, dict) else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _keys(holders: Any, *keys: str) -> Iterator[Place]:
    for holder in _listed(holders):
        if isinstance(holder, dict):
            yield from ((holder, key) for key in keys if key in holder)
