"""Writing accessors: arrays into the buffer, with the bounds, strides and alignments of the specification."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Ints
from facewright.errors import BadValue
from facewright.formats.gltf.accessors.decode import COMPONENTS
from facewright.formats.gltf.accessors.rows import Rows
from facewright.formats.gltf.container.asset import Asset, Bytes
from facewright.formats.gltf.container.fields import Json

_VERTICES, _INDICES = 34962, 34963  # targets of buffer views
_CODES = {np.dtype(kind): code for code, kind in COMPONENTS.items()}
_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_SPARSE_COST = 160  # bytes of JSON that a sparse accessor takes beyond a plain one


class Builder:
    """Adds accessors to a file's JSON. Those of one kind share a buffer view."""

    def __init__(self, json: Json, binary: Bytes = b"") -> None:
        self.json = json
        self._binary = binary
        self._streams: dict[Any, _Stream] = {}

    def attribute(self, values: ArrayLike, *, bounds: bool = False) -> int:
        """Single-precision values (n, k) for each vertex."""
        table = np.asarray(values, np.float32)
        return self._add(table, _VERTICES, bounds=bounds)

    def indices(self, values: Ints, vertices: int) -> int:
        # The highest number of a type is not an index: it restarts a strip.
        return self._add(values.astype(np.uint16 if vertices < 2**16 else np.uint32)[:, None], _INDICES)

    def scalars(self, values: NDArray[Any], *, bounds: bool = False, normalized: bool = False) -> int:
        """Values (n,) that belong to no vertex, in their own component type."""
        index = self._add(values[:, None], None, bounds=bounds)
        if normalized:
            self.json["accessors"][index]["normalized"] = True
        return index

    def vectors(self, values: NDArray[Any]) -> int:
        """Values (n, k) that belong to no vertex, in their own component type."""
        return self._add(values, None)

    def offsets(self, moved: Rows, count: int, *, bounds: bool = False) -> int:
        """Offsets (k, 3) of some of `count` vertices, sparse where that is smaller."""
        values = moved.values.astype(np.float32)
        some = values.any(axis=1)
        rows, values = moved.rows[some], values[some]
        number = np.dtype(np.uint16 if count < 2**16 else np.uint32)
        if len(rows) * (12 + number.itemsize) + _SPARSE_COST >= 12 * count:
            dense = np.zeros((count, 3), np.float32)
            dense[rows] = values
            return self.attribute(dense, bounds=bounds)
        accessor: Json = {"componentType": 5126, "count": count, "type": "VEC3"}
        if bounds:
            accessor |= _bounds(np.concatenate([values, np.zeros((1, 3), np.float32)]) if len(rows) < count else values)
        if len(rows):
            accessor["sparse"] = {
                "count": len(rows),
                "indices": self._placed("sparse indices", rows.astype(number)) | {"componentType": _CODES[number]},
                "values": self._placed("sparse values", values),
            }
        return self._listed(accessor)

    def finished(self) -> Bytes:
        """The buffer with all that was added; sets the ranges of the buffer views."""
        if not self._streams:
            return self._binary
        parts: list[Bytes] = [self._binary, bytes(-len(self._binary) % 4)]
        length = sum(map(len, parts))
        for stream in self._streams.values():
            stream.view |= {"byteOffset": length, "byteLength": stream.length}
            parts += stream.parts
            length += stream.length
        buffers = self.json.setdefault("buffers", [{}])
        buffers[0]["byteLength"] = length
        return b"".join(parts)

    def _add(self, table: NDArray[Any], target: int | None, *, bounds: bool = False) -> int:
        accessor: Json = {
            **self._placed((target, table.dtype, table.shape[1]), table, target),
            "componentType": _CODES[table.dtype],
            "count": len(table),
            "type": _TYPES[table.shape[1]],
        }
        return self._listed(accessor | (_bounds(table) if bounds else {}))

    def _placed(self, key: Any, values: NDArray[Any], target: int | None = None) -> Json:
        """Append values to the stream of a key; returns their buffer view and offset."""
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise BadValue(
                f"glTF keeps numbers in single precision, up to {np.finfo(np.float32).max:.2g}, and this face or a clip"
                " has larger ones: scale it, or save a .fwface file"
            )
        if key not in self._streams:
            view: Json = {"buffer": 0, "byteOffset": 0, "byteLength": 0}
            if target == _VERTICES:
                view["byteStride"] = values.shape[1] * values.itemsize
            if target is not None:
                view["target"] = target
            views = self.json.setdefault("bufferViews", [])
            self._streams[key] = _Stream(view, len(views))
            views.append(view)
        stream = self._streams[key]
        return {"bufferView": stream.index, "byteOffset": stream.add(values.tobytes())}

    def _listed(self, accessor: Json) -> int:
        accessors = self.json.setdefault("accessors", [])
        accessors.append(accessor)
        return len(accessors) - 1


class _Stream:
    """The content of one buffer view."""

    def __init__(self, view: Json, index: int) -> None:
        self.view, self.index = view, index
        self.parts: list[bytes] = []
        self.length = 0

    def add(self, data: bytes) -> int:
        start = self.length
        padding = bytes(-len(data) % 4)
        self.parts += [data, padding]
        self.length += len(data) + len(padding)
        return start


def _bounds(table: NDArray[Any]) -> Json:
    return {"min": table.min(axis=0).tolist(), "max": table.max(axis=0).tolist()}


def finished_asset(asset: Asset, builder: Builder) -> Asset:
    return Asset(builder.json, builder.finished(), asset.chunks)
