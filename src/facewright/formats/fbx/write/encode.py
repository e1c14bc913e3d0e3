"""Nodes as the bytes of a binary file, written one after the other so that no file is in memory as a whole."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from facewright.formats.fbx.container.binary import MAGIC

VERSION = 7500
# The file id, the end's first 16 bytes and the time belong together: a reader derives one from the others.
FILE_ID = bytes.fromhex("28b32aebb624ccc2bfc8b02aa92bfcf1")
CREATED = "1970-01-01 10:00:00:000"
_END_ID = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
_END = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")
_RECORD = struct.Struct("<QQQB")
_PACKED = 128  # bytes from which on arrays are deflated
_LEVEL = 1  # of deflating: higher ones take several times as long, and numbers hardly get smaller
_LETTERS = {"f4": b"f", "f8": b"d", "i8": b"l", "i4": b"i"}


@dataclass(frozen=True)
class Long:
    """A whole number of 64 bits."""

    number: int


Item = int | float | str | bytes | bool | Long | NDArray[Any]


@dataclass(frozen=True, eq=False)
class Element:
    """A node to be written. Whole numbers have 32 bits, unless they are `Long`; others have double precision."""

    name: str
    items: tuple[Item, ...] = ()
    children: Iterable[Element] = ()
    block: bool = False  # whether there are nodes inside even if there are none, as some readers want it


def element(name: str, *items: Item, inside: Iterable[Element] = (), block: bool = False) -> Element:
    """A node with values, and with nodes inside."""
    return Element(name, items, inside, block)


def object_name(name: str, kind: str) -> str:
    """The name of an object with its class, as binary files have it."""
    return f"{name.replace(chr(0), '')}\0\1{kind}"


def write_file(file: BinaryIO, elements: Iterable[Element]) -> None:
    """Write a whole file."""
    start = file.tell()
    file.write(MAGIC + b"\x1a\0" + struct.pack("<I", VERSION))
    for one in elements:
        _write(file, one, start)
    file.write(bytes(_RECORD.size))
    file.write(_END_ID + bytes(4))
    at = file.tell() - start
    file.write(bytes(16 - at % 16))
    file.write(struct.pack("<I", VERSION) + bytes(120) + _END)


def _write(file: BinaryIO, one: Element, start: int) -> None:
    begin = file.tell()
    name = one.name.encode()
    file.write(bytes(_RECORD.size) + name)
    size = 0
    for item in one.items:
        for piece in _encoded(item):
            size += len(piece)
            file.write(piece)
    inside = False
    for child in one.children:
        _write(file, child, start)
        inside = True
    if inside or one.block or not one.items:
        file.write(bytes(_RECORD.size))
    end = file.tell()
    file.seek(begin)
    file.write(_RECORD.pack(end - start, len(one.items), size, len(name)))
    file.seek(end)


def _encoded(item: Item) -> Iterator[bytes]:
    if isinstance(item, np.ndarray):
        yield from _array(item)
    elif isinstance(item, bool):
        yield b"C" + bytes([item])
    elif isinstance(item, int):
        yield b"I" + struct.pack("<i", item)
    elif isinstance(item, Long):
        yield b"L" + struct.pack("<q", item.number)
    elif isinstance(item, float):
        yield b"D" + struct.pack("<d", item)
    else:
        data = item if isinstance(item, bytes) else item.encode("utf-8", "replace")
        yield (b"R" if isinstance(item, bytes) else b"S") + struct.pack("<I", len(data))
        yield data


def _array(array: NDArray[Any]) -> Iterator[bytes]:
    flat = np.ascontiguousarray(array).reshape(-1)
    data = flat.astype(flat.dtype.newbyteorder("<"), copy=False).tobytes()
    packed = len(data) >= _PACKED
    if packed:
        data = zlib.compress(data, _LEVEL)
    yield _LETTERS[flat.dtype.str[1:]] + struct.pack("<III", flat.size, packed, len(data))
    yield data
