"""Removing the accessors, buffer views and bytes that an edit has left unused, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from facewright.formats.gltf.container.asset import Bytes
from facewright.formats.gltf.container.extensions import refers_to_no_data
from facewright.formats.gltf.container.fields import Json

Place = tuple[Any, Any]  # an object or list, and the key under which it holds an index


@dataclass(frozen=True)
class Unused:
    """Indices that nothing refers to."""

    accessors: frozenset[int]
    views: frozenset[int]


def unused(json: Json) -> Unused:
    accessors = {holder[key] for holder, key in accessor_places(json)}
    views = {holder[key] for holder, key in _view_places(json)}
    return Unused(
        frozenset(range(len(json.get("accessors", [])))) - accessors,
        frozenset(range(len(json.get("bufferViews", [])))) - views,
    )


def drop_newly_unused(json: Json, binary: Bytes, before: Unused) -> Bytes:
    """Remove from the JSON what was used before and is not now; returns the buffer without its bytes.

    Where an extension may refer to data in a way that is not known here, all stays: indices must not change.
    """
    if not refers_to_no_data(json):
        return binary
    _drop(json, "accessors", unused(json).accessors - before.accessors, list(accessor_places(json)))
    views = unused(json).views - before.views
    if not views:
        return binary
    _drop(json, "bufferViews", views, list(_view_places(json)))
    return pack_binary(json, binary)


def pack_binary(json: Json, binary: Bytes) -> bytes:
    """The buffer with only the bytes that some view covers; updates the views' offsets."""
    views = json.get("bufferViews", [])
    parts: list[Bytes] = []
    length = stop = shift = 0
    for view in sorted(views, key=lambda view: int(view.get("byteOffset", 0))):
        start, end = view.get("byteOffset", 0), view.get("byteOffset", 0) + view["byteLength"]
        if start > stop or not parts:
            padding = (start - length) % 4  # keeps the alignment
            parts.append(bytes(padding))
            length, stop = length + padding, start
            shift = length - start
        if end > stop:
            parts.append(binary[stop:end])
            length, stop = length + end - stop, end
        view["byteOffset"] = start + shift
    if json.get("buffers") and length:
        json["buffers"][0]["byteLength"] = length
    return b"".join(parts)


def _drop(json: Json, kind: str, gone: frozenset[int], places: list[Place]) -> None:
    if not gone:
        return
    kept = [index for index in range(len(json[kind])) if index not in gone]
    number = {old: new for new, old in enumerate(kept)}
    for holder, key in places:
        holder[key] = number[holder[key]]
    json[kind] = [json[kind][index] for index in kept]
    if not kept:
        del json[kind]


def accessor_places(json: Json) -> Iterator[Place]:
    """Every place that refers to an accessor, in JSON whose structure has been checked."""
    for mesh in json.get("meshes", []):
        for primitive in mesh["primitives"]:
            if "indices" in primitive:
                yield primitive, "indices"
            for attributes in (primitive["attributes"], *primitive.get("targets", [])):
                yield from ((attributes, name) for name in attributes)
    for skin in json.get("skins", []):
        if "inverseBindMatrices" in skin:
            yield skin, "inverseBindMatrices"
    for animation in json.get("animations", []):
        for sampler in animation["samplers"]:
            yield sampler, "input"
            yield sampler, "output"
    for node in json.get("nodes", []):
        instances = node.get("extensions", {}).get("EXT_mesh_gpu_instancing", {}).get("attributes", {})
        yield from ((instances, name) for name in instances)


def _view_places(json: Json) -> Iterator[Place]:
    for image in json.get("images", []):
        if "bufferView" in image:
            yield image, "bufferView"
    for mesh in json.get("meshes", []):
        for primitive in mesh["primitives"]:
            packed = primitive.get("extensions", {}).get("KHR_draco_mesh_compression")
            if packed:
                yield packed, "bufferView"
    for accessor in json.get("accessors", []):
        if "bufferView" in accessor:
            yield accessor, "bufferView"
        if "sparse" in accessor:
            yield accessor["sparse"]["indices"], "bufferView"
            yield accessor["sparse"]["values"], "bufferView"
