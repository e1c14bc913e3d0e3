"""KHR_draco_mesh_compression, through DracoPy: the accessors of a primitive get their data as plain bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facewright.errors import BadFile, MissingExtra
from facewright.formats.gltf.accessors.compact import drop_newly_unused, unused
from facewright.formats.gltf.accessors.decode import COMPONENTS, WIDTHS, count_of
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extensions import drop_extensions
from facewright.formats.gltf.container.fields import Json, entries, entry, extension, member

NAME = "KHR_draco_mesh_compression"


def is_used(json: Json) -> bool:
    return any(True for _ in _packed(json))


def decoded(asset: Asset) -> Asset:
    """The asset with every compressed primitive unpacked."""
    json = asset.json
    before = unused(json)
    pieces: list[bytes | memoryview] = [asset.binary, bytes(-len(asset.binary) % 4)]
    for primitive, packed, where in list(_packed(json)):
        for index, data in _unpacked(asset, primitive, packed, where):
            _store(asset, index, data, pieces)
        primitive["extensions"] = {name: of for name, of in primitive["extensions"].items() if name != NAME}
        if not primitive["extensions"]:
            del primitive["extensions"]
    drop_extensions(json, [NAME])
    json["buffers"][0]["byteLength"] = sum(map(len, pieces))
    return Asset(json, drop_newly_unused(json, b"".join(pieces), before), asset.chunks)


def _packed(json: Json) -> Iterator[tuple[Json, Json, str]]:
    for index, mesh in enumerate(entries(json, "meshes")):
        for primitive in entries(mesh, "primitives"):
            packed = extension(primitive, NAME, f"mesh {index}")
            if packed is not None:
                yield primitive, packed, f"mesh {index}"


def _unpacked(asset: Asset, primitive: Json, packed: Json, where: str) -> Iterator[tuple[int, NDArray[Any]]]:
    """The accessors of a primitive with their data."""
    mesh = _decode(bytes(asset.view(packed["bufferView"])), where)
    attributes = {attribute["unique_id"]: attribute["data"] for attribute in mesh.attributes}
    for name, number in member(packed, "attributes", where).items():
        index = primitive["attributes"].get(name)
        if index is None or number not in attributes:
            raise BadFile(f"{where}: the Draco data has no attribute {number!r} for {name}")
        yield index, attributes[number]
    if "indices" in primitive:
        yield primitive["indices"], np.asarray(mesh.faces).reshape(-1, 1)


def _decode(data: bytes, where: str) -> Any:
    try:
        import DracoPy
    except ImportError:
        raise MissingExtra("reading Draco-compressed meshes", "DracoPy", "draco") from None
    try:
        mesh = DracoPy.decode(data)
    except Exception as problem:  # DracoPy has no error type of its own for damaged data
        raise BadFile(f"{where}: the Draco data cannot be read: {problem}") from None
    if not hasattr(mesh, "faces"):
        raise BadFile(f"{where}: the Draco data is a cloud of points without faces")
    return mesh


def _store(asset: Asset, index: int, data: NDArray[Any], pieces: list[bytes | memoryview]) -> None:
    """Store the data of an accessor in the component type that it states."""
    accessor, where = entry(asset.json, "accessors", index), f"accessor {index}"
    if "bufferView" in accessor:
        return  # shared with another primitive, which has been unpacked
    component, width = accessor.get("componentType"), WIDTHS.get(str(accessor.get("type")))
    if component not in COMPONENTS or width is None or data.shape != (count_of(asset, index), width):
        raise BadFile(f"{where}: the Draco data has shape {data.shape}, which is not what the accessor states")
    stored = np.ascontiguousarray(data.astype(COMPONENTS[component]))
    for key, bound in (("min", stored.min(axis=0)), ("max", stored.max(axis=0))):
        if key in accessor:  # it was that of the data before compression
            accessor[key] = bound.tolist()
    plain = stored.view(np.uint8)
    view: Json = {"buffer": 0, "byteOffset": sum(map(len, pieces))}
    if width > 1:  # vertex data is aligned to 4 bytes
        plain = np.pad(plain, ((0, 0), (0, -plain.shape[1] % 4)))
        view["byteStride"] = plain.shape[1]
    view["byteLength"] = plain.size
    accessor["bufferView"] = len(asset.json["bufferViews"])
    asset.json["bufferViews"].append(view)
    pieces += [plain.tobytes(), bytes(-plain.size % 4)]
