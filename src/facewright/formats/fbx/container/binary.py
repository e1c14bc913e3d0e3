"""Binary FBX, version 6.1 to 7.7.

After 27 bytes (a magic text, two bytes, the version) there are node records: where the record ends, how many values it
has and how many bytes these take (32 bits each, 64 from version 7500 on), the name, the values, then the nodes inside,
ended by a record of zeros. A value is a letter and its bytes; arrays are plain or deflated. As described in "FBX binary
file format specification" (code.blender.org, 2013), and seen in the files of several programs.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.node import FbxNode, Value

MAGIC = b"Kaydara FBX Binary  \0"
HEADER = 27  # bytes before the first node
WIDE = 7500  # from this version on places and counts have 64 bits
_DEEPEST = 64  # nodes inside nodes
_SCALARS = {  # letter -> format
    ord("Y"): struct.Struct("<h"), ord("C"): struct.Struct("<b"), ord("B"): struct.Struct("<b"),
    ord("I"): struct.Struct("<i"), ord("F"): struct.Struct("<f"), ord("D"): struct.Struct("<d"),
    ord("L"): struct.Struct("<q"),
}  # fmt: skip
_ARRAYS = {ord("f"): "<f4", ord("d"): "<f8", ord("l"): "<i8", ord("i"): "<i4", ord("b"): "i1", ord("c"): "u1"}
_LENGTH, _ARRAY = struct.Struct("<I"), struct.Struct("<III")
_NARROW_RECORD, _WIDE_RECORD = struct.Struct("<IIIB"), struct.Struct("<QQQB")


def parse_binary(data: bytes, budget: ReadBudget) -> tuple[int, FbxNode]:
    """The version, and a node that has the file's nodes as children."""
    if len(data) < HEADER:
        raise BadFile("the file ends within its header")
    if data[22] != 0:
        raise BadFile("the numbers of this binary FBX file are big-endian; save it anew by a current program")
    version = _LENGTH.unpack_from(data, 23)[0]
    return version, _BinaryReader(data, version, budget).tree()


@dataclass(frozen=True, eq=False)
class PackedArray:
    """An array of a binary file, unpacked when it is asked for."""

    kind: str  # of numpy
    count: int
    deflated: bool
    data: memoryview
    budget: ReadBudget

    def numbers(self) -> Floats:
        size = self.count * np.dtype(self.kind).itemsize
        self.budget.unpack(size)
        if not self.deflated:
            if len(self.data) < size:
                raise BadFile(f"an array claims {size} bytes, but {len(self.data)} are there")
            return np.frombuffer(self.data[:size], self.kind).astype(np.float64, copy=False)
        stream = zlib.decompressobj()
        try:
            found = stream.decompress(self.data, size + 1)
        except zlib.error as problem:
            raise BadFile(f"an array is damaged: {problem}") from problem
        if len(found) != size:
            raise BadFile(f"an array claims {size} bytes, but has {'more' if len(found) > size else len(found)}")
        return np.frombuffer(found, self.kind).astype(np.float64, copy=False)


class _BinaryReader:
    def __init__(self, data: bytes, version: int, budget: ReadBudget) -> None:
        self._data, self._view, self._budget = data, memoryview(data), budget
        self._record = _WIDE_RECORD if version >= WIDE else _NARROW_RECORD

    def tree(self) -> FbxNode:
        root = FbxNode("")
        at, open_nodes = HEADER, [(root, len(self._data))]
        while open_nodes:
            holder, end = open_nodes[-1]
            if at >= end and len(open_nodes) > 1:
                at = self._closed(open_nodes, at)
                continue
            stop, count, size, name_size = self._head(at)
            if stop == 0:  # the record of zeros
                at += self._record.size
                if len(open_nodes) == 1:
                    return root
                at = self._closed(open_nodes, at)
                continue
            if stop > len(self._data):
                raise BadFile("the file ends before its nodes do; it is not whole")
            if not at < stop <= end:
                raise BadFile(f"the node at byte {at} ends at byte {stop}, outside of what contains it")
            node, at = self._node(at, stop, count, size, name_size)
            holder.children.append(node)
            if at < stop:
                open_nodes.append((node, stop))
                if len(open_nodes) > _DEEPEST:
                    raise BadFile(f"nodes are more than {_DEEPEST} deep in each other")
        return root

    def _closed(self, open_nodes: list[tuple[FbxNode, int]], at: int) -> int:
        node, end = open_nodes.pop()
        if at != end:
            raise BadFile(f"node {node.name[:40]!r} ends at byte {at}, and should at {end}")
        return at

    def _head(self, at: int) -> tuple[int, int, int, int]:
        if at + self._record.size > len(self._data):
            raise BadFile("the file ends within a node; it is not whole")
        stop, count, size, name_size = self._record.unpack_from(self._data, at)
        return stop, count, size, name_size

    def _node(self, at: int, stop: int, count: int, size: int, name_size: int) -> tuple[FbxNode, int]:
        begin = at + self._record.size + name_size
        if begin + size > stop:
            raise BadFile(f"the values of the node at byte {at} end outside of it")
        if count > size:  # a value has a byte at least
            raise BadFile(f"the node at byte {at} claims {count} values in {size} bytes")
        self._budget.items(1 + count)
        name = self._data[begin - name_size : begin].decode("utf-8", "replace")
        values, place = [], begin
        for _ in range(count):
            value, place = self._value(place, begin + size)
            values.append(value)
        if place != begin + size:
            raise BadFile(f"the values of node {name[:40]!r} end at byte {place}, and should at {begin + size}")
        return FbxNode(name, values), place

    def _value(self, at: int, end: int) -> tuple[Value, int]:
        if at >= end:
            raise BadFile(f"a value is missing at byte {at}")
        letter, at = self._data[at], at + 1
        if letter in _SCALARS:
            kind = _SCALARS[letter]
            self._check(at + kind.size, end)
            return kind.unpack_from(self._data, at)[0], at + kind.size
        if letter in (ord("S"), ord("R")):
            self._check(at + 4, end)
            stop = at + 4 + _LENGTH.unpack_from(self._data, at)[0]
            self._check(stop, end)
            data = self._data[at + 4 : stop]
            return (data.decode("utf-8", "replace") if letter == ord("S") else data), stop
        if letter in _ARRAYS:
            self._check(at + 12, end)
            count, encoding, size = _ARRAY.unpack_from(self._data, at)
            kind_name = _ARRAYS[letter]
            if encoding > 1:
                raise BadFile(f"an array is packed by method {encoding}; known are 0 (plain) and 1 (deflated)")
            stop = at + 12 + (size if encoding else count * np.dtype(kind_name).itemsize)
            self._check(stop, end)
            packed = PackedArray(kind_name, count, bool(encoding), self._view[at + 12 : stop], self._budget)
            return packed, stop
        raise BadFile(f"there is no type of value {bytes([letter])!r}, as at byte {at - 1}")

    def _check(self, stop: int, end: int) -> None:
        if stop > end:
            raise BadFile(f"a value ends at byte {stop}, outside of its node, which ends at {end}")
