"""Multiplying the numbers of accessors: where they are, or in new ones where other data has the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facewright.errors import BadValue
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.accessors.compact import accessor_places
from facewright.formats.gltf.accessors.encode import Builder, finished_asset
from facewright.formats.gltf.accessors.rows import Rows
from facewright.formats.gltf.container.asset import Asset, Bytes
from facewright.formats.gltf.container.fields import Json, entry, whole

_FLOAT = 5126
Place = tuple[Json, str, slice]  # a holder, the key of an accessor in it, and the columns that are multiplied
_Span = tuple[int, int, int, int]  # first byte, bytes from element to element, elements, bytes of an element


def scaled_accessors(asset: Asset, places: Sequence[Place], factor: float) -> Asset:
    """The asset with the accessors at some places multiplied; the JSON is changed, the buffer copied."""
    columns = {holder[key]: which for holder, key, which in places}
    shared = _shared(asset.json, places)
    others = {index for index in range(len(asset.json.get("accessors", []))) if index not in columns} | shared
    writer = _Multiplier(asset, factor, others)
    inside = {index for index, which in columns.items() if index not in shared and writer.in_place(index, which)}
    made: dict[tuple[int, int], int] = {}
    builder = Builder(asset.json, writer.binary)
    for holder, key, which in places:
        index = holder[key]
        if index not in inside:
            if (index, which.start) not in made:
                made[index, which.start] = _copied(asset, index, which, factor, builder)
            holder[key] = made[index, which.start]
    return finished_asset(asset, builder)


class _Multiplier:
    """Multiplies numbers in a copy of the buffer, each byte once."""

    def __init__(self, asset: Asset, factor: float, others: Iterable[int]) -> None:
        self._asset, self._factor = asset, factor
        self.binary: Bytes = memoryview(bytearray(asset.binary))
        self._taken = np.zeros(len(asset.binary), np.uint8)  # bytes that are not to be multiplied, or are already
        self._done: set[_Span] = set()
        for index in others:
            for span in self._spans(index):
                _bytes_of(self._taken, span)[:] = 1

    def in_place(self, index: int, which: slice) -> bool:
        """Multiply an accessor of single-precision numbers where it is; False where that is not possible."""
        accessor = self._asset.json["accessors"][index]
        if accessor.get("componentType") != _FLOAT or accessor.get("type") not in ("VEC3", "MAT4"):
            return False
        spans = self._spans(index)
        fresh = [span for span in spans if span not in self._done]
        if any(_bytes_of(self._taken, span).any() for span in fresh):
            return False
        for span in fresh:
            start, stride, count, size = span
            values = np.ndarray((count, size // 4), "<f4", self.binary, start, (stride, 4))
            values[:, which] = _times(values[:, which], self._factor)
            _bytes_of(self._taken, span)[:] = 1
            self._done.add(span)
        for key in ("min", "max"):
            if key in accessor:  # rounding keeps the order, so that the bounds are those of the new numbers
                bound = np.array(accessor[key], np.float64)
                bound[which] = _times(bound[which], self._factor)
                accessor[key] = bound.tolist()
        return True

    def _spans(self, index: int) -> list[_Span]:
        """The bytes of an accessor's own numbers, and of its sparse ones."""
        json = self._asset.json
        accessor, where = json["accessors"][index], f"accessor {index}"
        kind, component = accessor.get("type"), decode.COMPONENTS.get(accessor.get("componentType", 0))
        if kind not in decode.WIDTHS or component is None:
            return []
        size = decode.WIDTHS[kind] * np.dtype(component).itemsize
        found = []
        if "bufferView" in accessor:
            view = entry(json, "bufferViews", accessor["bufferView"])
            stride = whole(view, "byteStride", where, size, low=1)
            found.append(self._span(accessor, max(stride, size), decode.count_of(self._asset, index), size, where))
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            found.append(self._span(sparse["values"], size, whole(sparse, "count", where, low=1), size, where))
        return [span for span in found if span is not None]

    def _span(self, holder: Json, stride: int, count: int, size: int, where: str) -> _Span | None:
        view = self._asset.json["bufferViews"][holder["bufferView"]]
        start = whole(view, "byteOffset", where, 0) + whole(holder, "byteOffset", where, 0)
        inside = start + stride * (count - 1) + size <= len(self._asset.binary)
        return (start, stride, count, size) if inside else None


def _bytes_of(taken: NDArray[np.uint8], span: _Span) -> NDArray[np.uint8]:
    start, stride, count, size = span
    return np.ndarray((count, size), np.uint8, taken.data, start, (stride, 1))


def _shared(json: Json, places: Sequence[Place]) -> set[int]:
    """The accessors that are also used where they are not multiplied, or where other columns of them are."""
    ours = {(id(holder), key) for holder, key, _ in places}
    used = {holder[key] for holder, key in accessor_places(json) if (id(holder), key) not in ours}
    starts: dict[int, set[int]] = {}
    for holder, key, which in places:
        starts.setdefault(holder[key], set()).add(which.start)
    return used | {index for index, found in starts.items() if len(found) > 1}


def _copied(asset: Asset, index: int, which: slice, factor: float, builder: Builder) -> int:
    """A new accessor with the multiplied numbers of another; sparse ones stay sparse."""
    accessor = asset.json["accessors"][index]
    bounds = "min" in accessor
    if "bufferView" not in accessor and accessor.get("type") == "VEC3":
        rows = decode.rows(asset, index, "VEC3")
        return builder.offsets(Rows(rows.rows, rows.values * factor), decode.count_of(asset, index), bounds=bounds)
    kind = str(accessor.get("type"))
    values = decode.numbers(asset, index, "MAT4" if kind == "MAT4" else "VEC3")
    values[:, which] = values[:, which] * factor
    return builder.attribute(values, bounds=bounds) if bounds else builder.vectors(values.astype(np.float32))


def _times(values: NDArray[Any], factor: float) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        found = (values.astype(np.float64) * factor).astype(np.float32)
    if not np.isfinite(found).all():
        raise BadValue("a length of this file is not a number, or too large for single precision in another unit")
    return found
