"""Checking the structure of the JSON once: every reference to data has the right form and an existing target."""

from __future__ import annotations

from typing import Any

from facewright.errors import BadFile
from facewright.formats.gltf.container.fields import Json, as_object, entries, entry, extension, member, whole

_LISTS = (
    "accessors", "animations", "bufferViews", "buffers", "images", "materials", "meshes", "nodes", "scenes", "skins",
    "textures",
)  # fmt: skip


def check_structure(json: Json) -> None:
    """Raise where the JSON is not that of a glTF file, so that all later code can rely on its structure."""
    for kind in _LISTS:
        for index in range(len(entries(json, kind))):
            entry(json, kind, index)
    for index, accessor in enumerate(entries(json, "accessors")):
        _check_accessor(json, accessor, f"accessor {index}")
    for index, mesh in enumerate(entries(json, "meshes")):
        _check_mesh(json, mesh, f"mesh {index}")
    for index, animation in enumerate(entries(json, "animations")):
        _check_animation(json, animation, f"animation {index}")
    for kind, key, to in (
        ("skins", "inverseBindMatrices", "accessors"),
        ("images", "bufferView", "bufferViews"),
        ("nodes", "mesh", "meshes"),
        ("nodes", "skin", "skins"),
    ):
        for index, holder in enumerate(entries(json, kind)):
            _check_index(json, holder, key, to, f"{kind[:-1]} {index}")
    for index, node in enumerate(entries(json, "nodes")):
        entries(node, "weights")
        instancing = extension(node, "EXT_mesh_gpu_instancing", f"node {index}")
        if instancing is not None:
            _check_attributes(json, instancing.get("attributes"), f"node {index}: EXT_mesh_gpu_instancing")


def _check_accessor(json: Json, accessor: Json, where: str) -> None:
    _check_index(json, accessor, "bufferView", "bufferViews", where)
    if "sparse" in accessor:
        sparse = member(accessor, "sparse", where)
        for key in ("indices", "values"):
            part = member(sparse, key, f"{where}: sparse")
            whole(part, "bufferView", f"{where}: sparse {key}")
            _check_index(json, part, "bufferView", "bufferViews", f"{where}: sparse {key}")


def _check_mesh(json: Json, mesh: Json, where: str) -> None:
    primitives = entries(mesh, "primitives")
    entries(mesh, "weights")
    if not primitives:
        raise BadFile(f"{where} has no primitives")
    for primitive in primitives:
        primitive = as_object(primitive, f"{where}: a primitive")
        _check_index(json, primitive, "indices", "accessors", where)
        _check_index(json, primitive, "material", "materials", where)
        _check_attributes(json, primitive.get("attributes"), where)
        for target in entries(primitive, "targets"):
            _check_attributes(json, target, f"{where}: a target")
        packed = extension(primitive, "KHR_draco_mesh_compression", where)
        if packed is not None:
            whole(packed, "bufferView", f"{where}: Draco")
            _check_index(json, packed, "bufferView", "bufferViews", f"{where}: Draco")


def _check_attributes(json: Json, attributes: Any, where: str) -> None:
    attributes = as_object(attributes, f"{where}: attributes")
    for name in attributes:
        _check_index(json, attributes, name, "accessors", where)


def _check_animation(json: Json, animation: Json, where: str) -> None:
    for key in ("samplers", "channels"):  # required by the specification; an animation without them moves nothing
        animation.setdefault(key, [])
    samplers = entries(animation, "samplers")
    for sampler in samplers:
        sampler = as_object(sampler, f"{where}: a sampler")
        for key in ("input", "output"):
            whole(sampler, key, f"{where}: a sampler")
            _check_index(json, sampler, key, "accessors", where)
    for channel in entries(animation, "channels"):
        channel = as_object(channel, f"{where}: a channel")
        target = as_object(channel.get("target"), f"{where}: a channel's target")
        _check_index(json, target, "node", "nodes", where)
        if whole(channel, "sampler", where) >= len(samplers):
            raise BadFile(f"{where}: a channel names sampler {channel['sampler']}; there are {len(samplers)}")


def _check_index(json: Json, holder: Json, key: str, to: str, where: str) -> None:
    if key in holder:
        count = len(entries(json, to))
        if whole(holder, key, where) >= count:
            raise BadFile(f"{where}: {key} is {holder[key]}, but there are {count} {to}")
