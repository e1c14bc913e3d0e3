"""Points, normals and triangles of a PLY file, ASCII or binary; other elements and properties are skipped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints, indices, lengths
from facewright.errors import BadFile

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}  # fmt: skip
_FORMATS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_HEADER = 1 << 16  # bytes


@dataclass(frozen=True, eq=False)
class ScanMesh:
    """What a scan holds, in the file's own unit."""

    points: Floats  # (k, 3)
    normals: Floats | None  # (k, 3) as in the file
    triangles: Ints  # (t, 3); none for a point cloud


@dataclass(frozen=True)
class _Property:
    name: str
    type: str
    counts: str = ""  # type of a list's length; "" for a number


@dataclass(frozen=True)
class _Element:
    name: str
    count: int
    properties: tuple[_Property, ...]


def parse_ply(data: bytes) -> ScanMesh:
    """The points of a PLY file, and its faces cut into triangles."""
    order, elements, at = _header(data)
    text = data[at:].split() if order == "" else []
    read = 0
    columns: dict[str, NDArray[np.float64]] = {}
    triangles = np.zeros((0, 3), np.int64)
    for element in elements:
        if order == "":
            rows, read = _ascii(element, text, read)
        else:
            rows, at = _binary(element, data, at, order)
        if element.name == "vertex":
            columns = {name: values for name, values in rows.items() if isinstance(values, np.ndarray)}
        if element.name == "face":
            faces = next((each for each in rows.values() if isinstance(each, list)), [])
            triangles = _fans(faces)
        if columns and element.name == "face":
            break
    if not all(axis in columns for axis in "xyz"):
        raise BadFile("a PLY file needs an element `vertex` with x, y and z")
    points = lengths("points", np.stack([columns[axis] for axis in "xyz"], axis=1), (None, 3))
    normals = np.stack([columns[axis] for axis in ("nx", "ny", "nz")], axis=1) if "nx" in columns else None
    return ScanMesh(points, normals, indices("faces", triangles, (None, 3), below=len(points)))


def _header(data: bytes) -> tuple[str, list[_Element], int]:
    end = data.find(b"end_header", 0, _HEADER)
    if not data.startswith(b"ply") or end < 0:
        raise BadFile("this is no PLY file: it does not begin with `ply` and a header")
    start = data.find(b"\n", end) + 1
    order, elements = None, list[_Element]()
    for line in data[:end].decode("ascii", "replace").splitlines()[1:]:
        words = line.split()
        if not words or words[0] in ("comment", "obj_info"):
            continue
        if words[0] == "format" and len(words) > 1 and words[1] in _FORMATS:
            order = _FORMATS[words[1]]
        elif words[0] == "element" and len(words) == 3 and words[2].isdigit():
            elements.append(_Element(words[1], int(words[2]), ()))
        elif words[0] == "property" and elements:
            elements[-1] = _Element(elements[-1].name, elements[-1].count, (*elements[-1].properties, _property(words)))
        else:
            raise BadFile(f"the header of the PLY file has a line that is not understood: {line[:60]}")
    if order is None or start == 0:
        raise BadFile(f"a PLY file says its format, one of {', '.join(_FORMATS)}")
    return order, elements, start


def _property(words: list[str]) -> _Property:
    types = [_TYPES.get(word) for word in words[1:-1] if word != "list"]
    if len(words) == 5 and words[1] == "list" and len(types) == 2 and all(types):
        return _Property(words[4], str(types[1]), str(types[0]))
    if len(words) == 3 and len(types) == 1 and all(types):
        return _Property(words[2], str(types[0]))
    raise BadFile(f"the header of the PLY file has a property that is not understood: {' '.join(words)[:60]}")


_Rows = dict[str, NDArray[np.float64] | list[list[int]]]


def _ascii(element: _Element, text: list[bytes], read: int) -> tuple[_Rows, int]:
    plain = all(not each.counts for each in element.properties)
    width = len(element.properties)
    if plain:
        stop = read + element.count * width
        if stop > len(text):
            raise BadFile(f"the PLY file ends before all of its {element.count} {element.name} rows")
        table = np.array(text[read:stop], np.float64).reshape(element.count, width)
        return {each.name: table[:, i] for i, each in enumerate(element.properties)}, stop
    lists: list[list[int]] = []
    if element.count > len(text):
        raise BadFile(f"the PLY file ends before all of its {element.count} {element.name} rows")
    for _ in range(element.count):
        for each in element.properties:
            if read >= len(text):
                raise BadFile(f"the PLY file ends before all of its {element.count} {element.name} rows")
            count = int(text[read]) if each.counts else 1
            read += 1 if each.counts else 0
            if count < 0 or read + count > len(text):
                raise BadFile(f"the PLY file ends before all of its {element.count} {element.name} rows")
            if each.counts and each is element.properties[0]:
                lists.append([int(word) for word in text[read : read + count]])
            read += count
    return {element.properties[0].name: lists}, read


def _binary(element: _Element, data: bytes, at: int, order: str) -> tuple[_Rows, int]:
    short = BadFile(f"the PLY file ends before all of its {element.count} {element.name} rows")
    if all(not each.counts for each in element.properties):
        dtype = np.dtype([(f"p{i}", order + each.type) for i, each in enumerate(element.properties)])
        if at + element.count * dtype.itemsize > len(data):
            raise short
        table = np.frombuffer(data, dtype, element.count, at)
        names = {each.name: f"p{i}" for i, each in enumerate(element.properties)}
        found: _Rows = {name: table[key].astype(np.float64) for name, key in names.items()}
        return found, at + element.count * dtype.itemsize
    lists: list[list[int]] = []
    if element.count > len(data) - at:
        raise short
    for _ in range(element.count):
        for each in element.properties:
            count = 1
            if each.counts:
                head = np.dtype(order + each.counts)
                if at + head.itemsize > len(data):
                    raise short
                count = int(np.frombuffer(data, head, 1, at)[0])
                at += head.itemsize
            dtype = np.dtype(order + each.type)
            if count < 0 or at + count * dtype.itemsize > len(data):
                raise short
            if each.counts and each is element.properties[0]:
                lists.append(np.frombuffer(data, dtype, count, at).astype(np.int64).tolist())
            at += count * dtype.itemsize
    return {element.properties[0].name: lists}, at


def _fans(faces: list[list[int]]) -> Ints:
    """Triangles (t, 3) of polygons."""
    rows = [(face[0], face[i], face[i + 1]) for face in faces for i in range(1, len(face) - 1)]
    return np.array(rows, np.int64).reshape(-1, 3)
