"""A glTF file: its JSON and its buffer."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import msgspec

from facewright.errors import BadFile
from facewright.formats.gltf.container.extensions import Marks, marks_of
from facewright.formats.gltf.container.fields import Json, as_object, entry, whole

Bytes = bytes | memoryview

MAGIC = b"glTF"
JSON_CHUNK, BIN_CHUNK = 0x4E4F534A, 0x004E4942


@dataclass(frozen=True, eq=False)
class Asset:
    """A self-contained file. All buffer views lie in its one buffer."""

    json: Json
    binary: Bytes
    chunks: tuple[tuple[int, Bytes], ...] = ()  # chunks that are neither JSON nor the buffer; they are kept
    raw: bytes | None = None  # the GLB that it was read from, if it is unchanged
    _marks: dict[str, Marks] = field(default_factory=dict, init=False, repr=False)

    def view(self, index: object) -> memoryview:
        """The bytes of a buffer view."""
        where = f"bufferView {index}"
        view = entry(self.json, "bufferViews", index)
        if whole(view, "buffer", where) != 0 or not self.json.get("buffers"):
            raise BadFile(f"{where} is in buffer {view.get('buffer')}, which has no data")
        start, length = whole(view, "byteOffset", where, 0), whole(view, "byteLength", where, low=1)
        if start + length > len(self.binary):
            raise BadFile(f"{where} ends at byte {start + length}, but its buffer has {len(self.binary)} bytes")
        return memoryview(self.binary)[start : start + length]

    def marks_of(self, extension: str) -> Marks:
        """Which meshes and primitives have an extension, found once for the file."""
        if extension not in self._marks:
            self._marks[extension] = marks_of(self.json, extension)
        return self._marks[extension]

    def glb(self) -> bytes:
        """The whole file as GLB."""
        if self.raw is not None:
            return self.raw
        pieces = _chunk(JSON_CHUNK, msgspec.json.encode(self.json), b" ")
        if self.binary:
            pieces += _chunk(BIN_CHUNK, self.binary, b"\0")
        for kind, data in self.chunks:
            pieces += _chunk(kind, data, b"\0")
        length = 12 + sum(map(len, pieces))
        if length >= 2**32:
            raise BadFile(
                f"a GLB file holds less than 4 GiB, and this would be {length / 2**30:.1f}; .fwface has no limit"
            )
        return b"".join([struct.pack("<4sII", MAGIC, 2, length), *pieces])


def recognise(data: bytes) -> str:
    """The suffix of a glTF file, where the bytes are one."""
    if data.startswith(MAGIC):
        return ".glb"
    is_text = data[:4].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"asset"' in data
    return ".gltf" if is_text else ""


def parse_json(data: Bytes) -> Json:
    """The JSON of a file, which must be an object with `asset`."""
    try:
        json = msgspec.json.decode(bytes(data).removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        what = f"the JSON cannot be read: {problem}" if len(data) else "the file is empty"
        raise BadFile(f"{what}; a glTF file is JSON, or a GLB, which begins with the letters glTF") from None
    except RecursionError:
        raise BadFile("the JSON is nested too deeply") from None
    json = as_object(json, "the glTF JSON")
    version = as_object(json.get("asset"), "asset").get("version")
    if not isinstance(version, str) or not version.startswith("2"):
        raise BadFile(f"this is glTF {version!r}; version 2.0 is read")
    return json


def parse_glb(data: bytes) -> Asset:
    """The JSON and the buffer of a GLB file; external buffers are not read."""
    version, length = struct.unpack_from("<II", data, 4) if len(data) >= 12 else (0, 0)
    if data[:4] != MAGIC or version != 2 or not 12 < length <= len(data):
        raise BadFile(f"this is not a whole GLB 2 file: version {version}, {length} bytes claimed, {len(data)} here")
    chunks = _chunks(memoryview(data)[:length])
    if not chunks or chunks[0][0] != JSON_CHUNK:
        raise BadFile("a GLB file begins with a JSON chunk, and this one does not")
    has_bin = len(chunks) > 1 and chunks[1][0] == BIN_CHUNK
    binary: Bytes = chunks[1][1] if has_bin else b""
    return Asset(parse_json(chunks[0][1]), binary, tuple(chunks[2 if has_bin else 1 :]), data[:length])


def _chunks(data: memoryview) -> list[tuple[int, memoryview]]:
    chunks, at = [], 12
    while at + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, at)
        if at + 8 + length > len(data):
            raise BadFile(f"a chunk claims {length} bytes, but {len(data) - at - 8} are left in the file")
        chunks.append((kind, data[at + 8 : at + 8 + length]))
        at += 8 + length
    return chunks


def _chunk(kind: int, data: Bytes, filler: bytes) -> list[Bytes]:
    padding = filler * (-len(data) % 4)
    return [struct.pack("<II", len(data) + len(padding), kind), data, padding]
