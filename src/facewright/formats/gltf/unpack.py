"""Unpacking a file: external files, several buffers and compressed data become one plain buffer."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from facewright.errors import BadFile, FacewrightWarning
from facewright.formats import limits
from facewright.formats.files import Source, read_up_to
from facewright.formats.gltf.accessors.compact import pack_binary
from facewright.formats.gltf.compression import draco, meshopt
from facewright.formats.gltf.container.asset import MAGIC, Asset, Bytes, parse_glb, parse_json
from facewright.formats.gltf.container.extensions import check_required, drop_extensions
from facewright.formats.gltf.container.fields import Json, as_object, entries, entry, text, whole
from facewright.formats.gltf.container.structure import check_structure
from facewright.formats.gltf.container.uris import data_of, file_beside, is_data
from facewright.image.file import media_of


def unpack_file(source: Source) -> Asset:
    """A .glb or .gltf file, unpacked, with all it needs from its own folder."""
    data = read_up_to(source, limits.GLB)
    asset = parse_glb(data) if data[:4] == MAGIC else Asset(parse_json(data), b"")
    return unpack(asset, source.parent if isinstance(source, Path) else None)


def unpack(asset: Asset, folder: Path | None = None) -> Asset:
    """The asset with one buffer, no external files and no compressed data; `folder` is that of its external files."""
    check_required(asset.json)
    check_structure(asset.json)
    beside = _FilesBeside(folder)
    buffers = _buffers(asset, beside)
    files = _image_files(asset.json, beside)
    packed = meshopt.is_used(asset.json)
    if packed or files or len(buffers) > 1 or (buffers and "uri" in asset.json["buffers"][0]):
        asset = _flattened(asset, buffers, files)
    for index in range(len(entries(asset.json, "bufferViews"))):
        asset.view(index)  # raises where a view, used or not, ends outside the buffer
    if packed:
        asset = Asset(asset.json, pack_binary(asset.json, asset.binary), asset.chunks)
    return draco.decoded(asset) if draco.is_used(asset.json) else asset


def _buffers(asset: Asset, beside: _FilesBeside) -> list[Bytes | None]:
    """The data of each buffer; None for one that is only reserved for decompressed data."""
    found: list[Bytes | None] = []
    for index in range(len(entries(asset.json, "buffers"))):
        buffer, where = entry(asset.json, "buffers", index), f"buffer {index}"
        data: Bytes | None = asset.binary if index == 0 and asset.binary else None
        if "uri" in buffer:
            uri = text(buffer, "uri", where)
            data = data_of(uri) if is_data(uri) else beside.buffer(uri)
        length = whole(buffer, "byteLength", where, low=1)
        if data is not None and len(data) < length:
            raise BadFile(f"{where} claims {length} bytes, but {len(data)} are there")
        found.append(data)
    return found


class _FilesBeside:
    """Files in the folder of a glTF file, each read once, however often it is referred to."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._read: dict[str, bytes | None] = {}

    def buffer(self, uri: str) -> bytes:
        """The bytes of a file that the geometry needs."""
        if self.folder is None:
            raise BadFile(f"it points to the file {uri[:80]!r}, and there is no folder to look in")
        data = self.get(uri)
        if data is None:
            raise BadFile(f"it needs the file {uri[:80]!r}, which is not beside it")
        return data

    def get(self, uri: str) -> bytes | None:
        """The bytes of a file; None where there is none, or no ordinary file."""
        assert self.folder is not None
        path = file_beside(self.folder, uri)
        name = os.path.realpath(path)
        if name not in self._read:
            self._read[name] = read_up_to(path, limits.GLB) if path.is_file() else None
        return self._read[name]


def _image_files(json: Json, beside: _FilesBeside) -> dict[int, bytes]:
    """Bytes of the images that are files of their own, by the image's index."""
    found = {}
    for index in range(len(entries(json, "images"))):
        image = entry(json, "images", index)
        uri = text(image, "uri", f"image {index}")
        if uri and not is_data(uri) and beside.folder is not None:
            data = beside.get(uri)
            if data is not None:
                found[index] = data
            else:
                warnings.warn(f"the image {uri!r} is not beside the file", FacewrightWarning, stacklevel=2)
    return found


def _flattened(asset: Asset, buffers: list[Bytes | None], files: dict[int, bytes]) -> Asset:
    json, pieces = asset.json, _Pieces()
    starts: dict[int, int] = {}
    unpacked = meshopt.decoded_views(json, buffers)
    for index in range(len(entries(json, "bufferViews"))):
        view, where = entry(json, "bufferViews", index), f"bufferView {index}"
        if index in unpacked:
            view["byteOffset"] = pieces.add(unpacked[index])
        else:
            at = whole(view, "buffer", where)
            data = buffers[at] if at < len(buffers) else None
            if data is None:
                raise BadFile(f"{where} is in buffer {at}, which has no data")
            if at not in starts:
                starts[at] = pieces.add(data)
            view["byteOffset"] = starts[at] + whole(view, "byteOffset", where, 0)
        view["buffer"] = 0
    for index, data in files.items():
        _embed(json, index, data, pieces)
    drop_extensions(json, meshopt.NAMES)
    binary = pieces.joined()
    if binary:
        json["buffers"] = [_first_buffer(json) | {"byteLength": len(binary)}]
    return Asset(json, binary, asset.chunks)


def _first_buffer(json: Json) -> Json:
    listed = entries(json, "buffers")
    first = dict(as_object(listed[0], "buffer 0")) if listed else {}
    first.pop("uri", None)
    meshopt.take_off(first)
    return first


def _embed(json: Json, index: int, data: bytes, pieces: _Pieces) -> None:
    image = json["images"][index]
    uri = image.pop("uri")
    image.setdefault("name", uri.rsplit("/", 1)[-1])
    image["bufferView"] = len(json.setdefault("bufferViews", []))
    if "mimeType" not in image:
        kind = media_of(data)
        if not kind:
            raise BadFile(f"the image {uri[:80]!r} is neither PNG, JPEG, WebP nor KTX2")
        image["mimeType"] = kind
    json["bufferViews"].append({"buffer": 0, "byteOffset": pieces.add(data), "byteLength": len(data)})


class _Pieces:
    """Parts of one buffer, each beginning at a multiple of 4; the same bytes object is there once."""

    def __init__(self) -> None:
        self._parts: list[Bytes] = []
        self._length = 0
        self._starts: dict[int, int] = {}  # by identity: `_parts` keeps the objects alive

    def add(self, data: Bytes) -> int:
        if id(data) in self._starts:
            return self._starts[id(data)]
        start = self._starts[id(data)] = self._length
        padding = -len(data) % 4
        self._parts += [data, bytes(padding)]
        self._length += len(data) + padding
        return start

    def joined(self) -> bytes:
        return b"".join(self._parts)
