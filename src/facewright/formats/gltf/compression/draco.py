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
from facewright.formats.gltf.container.fields import Json, entries, entry, extension, member, whole

NAME = "KHR_draco_mesh_compression"

Key = tuple[int, int]  # a compressed view, and the number of an attribute in it
_FACES = -1  # in place of an attribute's number


def is_used(json: Json) -> bool:
    return any(True for _ in _packed(json))


def decoded(asset: Asset) -> Asset:
    """The asset with every compressed primitive unpacked."""
    json = asset.json
    before = unused(json)
    meshes, stored = _Meshes(asset), _Stored(asset)
    for primitive, packed, where in list(_packed(json)):
        for index, source, data in _unpacked(meshes, primitive, packed, where):
            stored.add(index, source, data)
        primitive["extensions"] = {name: of for name, of in primitive["extensions"].items() if name != NAME}
        if not primitive["extensions"]:
            del primitive["extensions"]
    drop_extensions(json, [NAME])
    json["buffers"][0]["byteLength"] = stored.length
    return Asset(json, drop_newly_unused(json, b"".join(stored.pieces), before), asset.chunks)


def _packed(json: Json) -> Iterator[tuple[Json, Json, str]]:
    for index, mesh in enumerate(entries(json, "meshes")):
        for primitive in entries(mesh, "primitives"):
            packed = extension(primitive, NAME, f"mesh {index}")
            if packed is not None:
                yield primitive, packed, f"mesh {index}"


class _Meshes:
    """Decoded meshes: their attributes by number, and under _FACES their faces. Each view is decoded once."""

    def __init__(self, asset: Asset) -> None:
        self._asset = asset
        self._known: dict[int, dict[int, NDArray[Any]]] = {}

    def get(self, view: int, where: str) -> dict[int, NDArray[Any]]:
        if view not in self._known:
            mesh = _decode(bytes(self._asset.view(view)), where)
            found = {int(attribute["unique_id"]): attribute["data"] for attribute in mesh.attributes}
            self._known[view] = {**found, _FACES: np.asarray(mesh.faces).reshape(-1, 1)}
        return self._known[view]


def _unpacked(meshes: _Meshes, primitive: Json, packed: Json, where: str) -> Iterator[tuple[int, Key, NDArray[Any]]]:
    """The accessors of a primitive, each with what it shows and its data."""
    view = whole(packed, "bufferView", where)
    attributes = meshes.get(view, where)
    for name in member(packed, "attributes", where):
        number = whole(packed["attributes"], name, f"{where}: the Draco attributes")
        index = primitive["attributes"].get(name)
        if index is None or number not in attributes:
            raise BadFile(f"{where}: the Draco data has no attribute {number!r} for {name}")
        yield index, (view, number), attributes[number]
    if "indices" in primitive:
        yield primitive["indices"], (view, _FACES), attributes[_FACES]


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


class _Stored:
    """The buffer of a file, and the unpacked data that is added to it; accessors of the same data share a view."""

    def __init__(self, asset: Asset) -> None:
        self._asset = asset
        self.pieces: list[bytes | memoryview] = [asset.binary, bytes(-len(asset.binary) % 4)]
        self.length = sum(map(len, self.pieces))
        self._views: dict[tuple[Key, int], Json] = {}

    def add(self, index: int, source: Key, data: NDArray[Any]) -> None:
        """Store the data of an accessor in the component type that it states."""
        accessor, where = entry(self._asset.json, "accessors", index), f"accessor {index}"
        if "bufferView" in accessor:
            return  # shared with another primitive, which has been unpacked
        component = whole(accessor, "componentType", where)
        width = WIDTHS.get(str(accessor.get("type")))
        if component not in COMPONENTS or width is None or data.shape != (count_of(self._asset, index), width):
            raise BadFile(f"{where}: the Draco data has shape {data.shape}, which is not what the accessor states")
        if (source, component) not in self._views:
            with np.errstate(invalid="ignore"):  # floats that the stated whole numbers cannot hold
                self._views[source, component] = self._view(np.ascontiguousarray(data.astype(COMPONENTS[component])))
        found = self._views[source, component]
        accessor["bufferView"] = found["bufferView"]
        # Stated bounds were those of the data before compression.
        accessor.update({key: found[key] for key in ("min", "max") if key in accessor and key in found})

    def _view(self, stored: NDArray[Any]) -> Json:
        """Add a buffer view; returns its index and the bounds of its values."""
        view: Json = {"buffer": 0, "byteOffset": self.length}
        plain = stored.view(np.uint8)
        if stored.shape[1] > 1:  # vertex data is aligned to 4 bytes
            plain = np.pad(plain, ((0, 0), (0, -plain.shape[1] % 4)))
            view["byteStride"] = plain.shape[1]
        view["byteLength"] = plain.size
        self.pieces += [plain.tobytes(), bytes(-plain.size % 4)]
        self.length += plain.size + -plain.size % 4
        self._asset.json["bufferViews"].append(view)
        bounds = {"min": stored.min(axis=0).tolist(), "max": stored.max(axis=0).tolist()} if stored.size else {}
        return {"bufferView": len(self._asset.json["bufferViews"]) - 1, **bounds}
