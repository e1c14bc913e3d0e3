"""A file in another unit: every length in it is multiplied, of the face and of all that is carried with it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import msgspec

from facewright.errors import FacewrightWarning
from facewright.formats.gltf.accessors.multiply import scaled_accessors
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, entries, numbers, texts
from facewright.formats.gltf.extension_lengths import KNOWN, WITHOUT_LENGTHS, length_places

_ALL = slice(0, 3)
_TRANSLATION = slice(12, 15)  # of a matrix stored by columns
_CAMERAS = {"perspective": ("znear", "zfar"), "orthographic": ("xmag", "ymag", "znear", "zfar")}


def scaled_asset(asset: Asset, factor: float) -> Asset:
    """The file with every length multiplied: of nodes, meshes, targets, skins, cameras, lights and animations.

    Rotations, scales and normals stay, so that all points are where they were, times the factor. The lengths of
    extensions that are not known here stay too: `warn_of_lengths` names them.
    """
    if factor == 1.0:
        return asset
    json: Json = msgspec.json.decode(msgspec.json.encode(asset.json))
    for holder, key in [*_number_places(json), *length_places(json)]:
        holder[key] = _times(holder[key], factor)
    return scaled_accessors(Asset(json, asset.binary, asset.chunks), list(_accessor_places(json)), factor)


def _accessor_places(json: Json) -> Iterator[tuple[Json, str, slice]]:
    """The holders and keys of accessors of lengths, with the columns that are lengths."""
    for mesh in entries(json, "meshes"):
        for primitive in mesh["primitives"]:
            for holder in (primitive["attributes"], *entries(primitive, "targets")):
                if "POSITION" in holder:
                    yield holder, "POSITION", _ALL
    for skin in entries(json, "skins"):
        if "inverseBindMatrices" in skin:
            yield skin, "inverseBindMatrices", _TRANSLATION
    for sampler in _translation_samplers(json):
        yield sampler, "output", _ALL
    for attributes in _instances(json):
        yield attributes, "TRANSLATION", _ALL


def _number_places(json: Json) -> Iterator[tuple[Any, Any]]:
    """The holders and keys of lengths in nodes and cameras."""
    for node in entries(json, "nodes"):
        if "translation" in node:
            yield node, "translation"
        if "matrix" in node:
            node["matrix"] = numbers(node, "matrix", "a node", (), count=16)
            for place in range(_TRANSLATION.start, _TRANSLATION.stop):
                yield node["matrix"], place
    for camera in entries(json, "cameras"):
        for kind, keys in _CAMERAS.items():
            for key in keys:
                of_kind = camera.get(kind) if isinstance(camera, dict) else None
                if isinstance(of_kind, dict) and key in of_kind:
                    yield of_kind, key


def _times(value: Any, factor: float) -> Any:
    """A number, a list of numbers or an object of numbers, multiplied; anything else stays."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value * factor
    if isinstance(value, list):
        return [_times(one, factor) for one in value]
    if isinstance(value, dict):
        return {key: _times(one, factor) for key, one in value.items()}
    return value


def _translation_samplers(json: Json) -> Iterator[Json]:
    """The samplers of animated translations, each once; one that something else uses, too, is copied."""
    for animation in entries(json, "animations"):
        moving = [channel for channel in animation["channels"] if _is_translation(channel["target"])]
        others = {channel["sampler"] for channel in animation["channels"] if not _is_translation(channel["target"])}
        copies: dict[int, int] = {}
        for channel in moving:
            if channel["sampler"] in others:
                if channel["sampler"] not in copies:
                    copies[channel["sampler"]] = len(animation["samplers"])
                    animation["samplers"].append(dict(animation["samplers"][channel["sampler"]]))
                channel["sampler"] = copies[channel["sampler"]]
        for number in sorted({channel["sampler"] for channel in moving}):
            yield animation["samplers"][number]


def _is_translation(target: Json) -> bool:
    extensions = target.get("extensions")
    pointer = extensions.get("KHR_animation_pointer") if isinstance(extensions, dict) else None
    named = str(pointer.get("pointer", "")) if isinstance(pointer, dict) else ""
    return target.get("path") == "translation" or named.endswith("/translation")


def _instances(json: Json) -> Iterator[Json]:
    for node in entries(json, "nodes"):
        extensions = node.get("extensions")
        one = extensions.get("EXT_mesh_gpu_instancing") if isinstance(extensions, dict) else None
        if isinstance(one, dict) and "TRANSLATION" in one.get("attributes", {}):
            yield one["attributes"]


def warn_of_lengths(json: Json) -> None:
    """Warn of extensions that are used and may have lengths which `scaled_asset` does not find."""
    unknown = [
        name for name in texts(json, "extensionsUsed") if name not in KNOWN and not name.startswith(WITHOUT_LENGTHS)
    ]
    if unknown:
        warnings.warn(
            f"lengths in {', '.join(unknown[:5])}, if it has any, keep their numbers: these extensions are not known",
            FacewrightWarning,
            stacklevel=2,
        )
