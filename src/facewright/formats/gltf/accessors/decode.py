"""Reading accessors: arrays from the buffer. Every size is checked before memory is allocated."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile
from facewright.formats.gltf.accessors.rows import Rows
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, entry, member, whole

COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

_MOST_ZEROS = 2**22  # elements that a file may claim without a byte for each


def count_of(asset: Asset, index: Any) -> int:
    return whole(entry(asset.json, "accessors", index), "count", f"accessor {index}", low=1)


def stored_count(asset: Asset, index: Any) -> int:
    """How many elements the file stores; the others are zero."""
    accessor, where = entry(asset.json, "accessors", index), f"accessor {index}"
    if "bufferView" in accessor:
        return count_of(asset, index)
    return whole(member(accessor, "sparse", where), "count", where, 0)


def numbers(asset: Asset, index: Any, kind: str) -> Floats:
    """All elements (count, n) as float64, normalised integers as fractions, all finite."""
    return _as_numbers(asset, index, elements(asset, index, kind))


def elements(asset: Asset, index: Any, kind: str) -> NDArray[Any]:
    """All elements (count, n) in their stored component type."""
    accessor, where = _of_kind(asset, index, kind)
    count = count_of(asset, index)
    if "bufferView" in accessor:
        stored = _stored(asset, accessor, accessor, count, where)
    else:
        if count > _MOST_ZEROS:
            raise BadFile(f"{where} claims {count} elements without data; at most {_MOST_ZEROS} are read")
        stored = np.zeros((count, WIDTHS[kind]), _component(accessor, where))
    if "sparse" in accessor:
        rows, values = _sparse(asset, accessor, count, where)
        stored = stored.copy()
        stored[rows] = values
    return stored


def rows(asset: Asset, index: Any, kind: str) -> Rows:
    """The elements that are not 0; a sparse accessor is not made dense for them."""
    accessor, where = _of_kind(asset, index, kind)
    if "bufferView" in accessor or "sparse" not in accessor:
        if "bufferView" not in accessor:
            return Rows(np.zeros(0, np.int64), np.zeros((0, WIDTHS[kind])))
        values = numbers(asset, index, kind)
        found = np.flatnonzero(values.any(axis=1))
        return Rows(found, values[found])
    places, stored = _sparse(asset, accessor, count_of(asset, index), where)
    values = _as_numbers(asset, index, stored)
    moved = values.any(axis=1)
    return Rows(places[moved], values[moved])


def _of_kind(asset: Asset, index: Any, kind: str) -> tuple[Json, str]:
    accessor, where = entry(asset.json, "accessors", index), f"accessor {index}"
    if accessor.get("type") != kind:
        raise BadFile(f"{where} has type {accessor.get('type')!r}, where {kind} is needed")
    return accessor, where


def _component(accessor: Json, where: str) -> np.dtype[Any]:
    code = accessor.get("componentType")
    if not isinstance(code, int) or code not in COMPONENTS:
        raise BadFile(f"{where} has componentType {code!r}; there are {', '.join(map(str, COMPONENTS))}")
    return np.dtype(COMPONENTS[code]).newbyteorder("<")


def _stored(asset: Asset, holder: Json, accessor: Json, count: int, where: str) -> NDArray[Any]:
    """Elements (count, n) of a buffer view; `holder` is the accessor, or its sparse indices or values."""
    component, width = _component(accessor, where), WIDTHS[accessor["type"]]
    view = asset.view(holder.get("bufferView"))
    start, size = whole(holder, "byteOffset", where, 0), component.itemsize * width
    of_view = entry(asset.json, "bufferViews", holder["bufferView"])
    stride = whole(of_view, "byteStride", where, size, low=1) if holder is accessor else size
    if stride < size:
        raise BadFile(f"{where} has elements of {size} bytes, but they stand {stride} apart")
    if start + stride * (count - 1) + size > len(view):
        raise BadFile(f"{where} claims {count} elements, more than the {len(view)} bytes of its bufferView hold")
    return np.ndarray((count, width), component, view, start, (stride, component.itemsize))


def _sparse(asset: Asset, accessor: Json, count: int, where: str) -> tuple[Ints, NDArray[Any]]:
    sparse = member(accessor, "sparse", where)
    some = whole(sparse, "count", f"{where}: sparse", low=1)
    indices, values = member(sparse, "indices", where), member(sparse, "values", where)
    if indices.get("componentType") not in (5121, 5123, 5125):
        raise BadFile(f"{where}: sparse indices have componentType 5121, 5123 or 5125")
    places = _stored(asset, indices, {**indices, "type": "SCALAR"}, some, where)[:, 0].astype(np.int64)
    if (np.diff(places) <= 0).any() or places[-1] >= count:
        raise BadFile(f"{where}: sparse indices must increase and stay below {count}")
    return places, _stored(asset, values, accessor, some, where)


def _as_numbers(asset: Asset, index: Any, stored: NDArray[Any]) -> Floats:
    if stored.dtype.kind == "f":
        if not np.isfinite(stored).all():
            raise BadFile(f"accessor {index} has a value that is not finite")
        return stored.astype(np.float64)
    if not asset.json["accessors"][index].get("normalized"):
        return stored.astype(np.float64)
    return np.asarray(np.maximum(stored.astype(np.float64) / np.iinfo(stored.dtype).max, -1.0))
