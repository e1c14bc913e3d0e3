"""EXT_meshopt_compression and KHR_meshopt_compression: compressed buffer views to plain ones.

Bit streams and filters after the extensions' specifications, appendices A and B.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.errors import BadFile
from facewright.formats.gltf.compression.meshopt.attributes import decode_attributes
from facewright.formats.gltf.compression.meshopt.filters import FILTERS
from facewright.formats.gltf.compression.meshopt.indices import decode_indices
from facewright.formats.gltf.compression.meshopt.triangles import decode_triangles
from facewright.formats.gltf.container.asset import Bytes
from facewright.formats.gltf.container.fields import Json, entries, entry, extension, member, text, whole

NAMES = ("EXT_meshopt_compression", "KHR_meshopt_compression")

_FREE = 2**26  # bytes that any file may unpack to; a few can unpack to gigabytes of zeros
_RATIO = 32  # beyond, so many for each byte of the file; usual streams have from 2 to 10
_READ = 2  # times the file's bytes that streams may cover, as they may overlap


def is_used(json: Json) -> bool:
    views = (entry(json, "bufferViews", index) for index in range(len(entries(json, "bufferViews"))))
    return any(_packed(view, "bufferView") is not None for view in views)


def decoded_views(json: Json, buffers: Sequence[Bytes | None]) -> dict[int, bytes]:
    """The unpacked bytes of every compressed buffer view; removes the extension from the views."""
    found: dict[int, bytes] = {}
    size = sum(len(data) for data in {id(data): data for data in buffers if data is not None}.values())
    left, unread = max(_FREE, _RATIO * size), _READ * size
    for index in range(len(entries(json, "bufferViews"))):
        view, where = entry(json, "bufferViews", index), f"bufferView {index}"
        packed = _packed(view, where)
        if packed is None:
            continue
        length = whole(view, "byteLength", where, low=1)
        left -= max(length, whole(packed, "count", where) * whole(packed, "byteStride", where))
        unread -= whole(packed, "byteLength", where)
        if left < 0 or unread < 0:
            raise BadFile(f"{where}: meshopt compression claims to unpack to far more bytes than the file has")
        found[index] = _decoded(packed, buffers, where)
        if len(found[index]) != length:
            raise BadFile(f"{where} unpacks to {len(found[index])} bytes, but claims {length}")
        take_off(view)
    return found


def _packed(view: Json, where: str) -> Json | None:
    found = (extension(view, name, where) for name in NAMES)
    return next((packed for packed in found if packed is not None), None)


def take_off(holder: Json) -> None:
    """Remove the extension from a view or a buffer."""
    left = {name: value for name, value in member(holder, "extensions", "a buffer").items() if name not in NAMES}
    holder.pop("extensions", None)
    if left:
        holder["extensions"] = left


def _decoded(packed: Json, buffers: Sequence[Bytes | None], where: str) -> bytes:
    at, start = whole(packed, "buffer", where), whole(packed, "byteOffset", where, 0)
    length, count = whole(packed, "byteLength", where, low=1), whole(packed, "count", where, low=1)
    stride = whole(packed, "byteStride", where, low=1)
    mode, filter = text(packed, "mode", where), text(packed, "filter", where, "NONE")
    source = buffers[at] if at < len(buffers) else None
    if source is None or start + length > len(source):
        raise BadFile(f"{where}: its compressed data is not in the file")
    data = np.frombuffer(source, np.uint8, length, start)
    if mode == "ATTRIBUTES":
        plain = decode_attributes(data, count, stride)
        return _filtered(plain, filter).tobytes()
    if mode in ("TRIANGLES", "INDICES"):
        if stride not in (2, 4):
            raise BadFile(f"{where}: indices have 2 or 4 bytes, not {stride}")
        found = decode_triangles(data, count) if mode == "TRIANGLES" else decode_indices(data, count)
        return found.astype(np.dtype(f"<u{stride}")).tobytes()
    raise BadFile(f"{where}: the meshopt mode {mode!r} is not ATTRIBUTES, TRIANGLES or INDICES")


def _filtered(plain: np.ndarray, filter: str) -> np.ndarray:
    if filter == "NONE":
        return plain
    if filter not in FILTERS:
        raise BadFile(f"the meshopt filter {filter!r} is not read; NONE, {', '.join(FILTERS)} are")
    strides, function = FILTERS[filter]
    if plain.shape[1] not in strides:
        raise BadFile(f"the meshopt filter {filter} does not work on elements of {plain.shape[1]} bytes")
    with np.errstate(all="ignore"):
        return function(plain)
