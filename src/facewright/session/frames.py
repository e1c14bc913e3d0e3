"""Binary frames for the page: a JSON header, then arrays. One layout for all that is too big for JSON.

A frame is declared once, as a class with header fields and arrays: the arrays are annotated with their element type and
shape. The page's TypeScript is generated from the same declarations. Packing checks every array, and a frame that
lacks one cannot be made.

Bytes 0 to 3 are `FWF1`, 4 to 7 the header's length (little endian), then the header, zeros up to a multiple of 8, and
the arrays, each at a multiple of 8, in little endian.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from facewright.errors import BadFile, BadValue

MAGIC = b"FWF1"
_ALIGNED = 8
Kind = Literal["f4", "f8", "u4"]


@dataclass(frozen=True)
class Array:
    """What an array of a frame is: floats of 32 or 64 bits or whole numbers, and a shape.

    A letter is the same size wherever it stands in the frame; "*" is any size.
    """

    kind: Kind
    shape: tuple[str | int, ...]


Data = NDArray[Any]


class ArrayInfo(Struct):
    """One array of a frame: `offset` bytes after the header's padding, row after row."""

    kind: Kind
    shape: list[int]
    offset: int


@dataclass(frozen=True, eq=False)
class PackedArrays:
    """The arrays of a frame as bytes."""

    infos: dict[str, ArrayInfo]
    content: bytes


@dataclass(frozen=True, eq=False, kw_only=True)
class Frame:
    """The base of all frames."""

    kinds: ClassVar[dict[str, type[Frame]]] = {}

    def __init_subclass__(cls) -> None:
        Frame.kinds[cls.__name__] = cls

    def pack(self, arrays: PackedArrays | None = None) -> bytes:
        """The frame as bytes. `arrays` are those of this frame, if they have been packed before."""
        packed = arrays or self.pack_arrays()
        declared = declaration(type(self))
        header = declared.header(arrays=packed.infos, **{name: getattr(self, name) for name in declared.fields})
        text = msgspec.json.encode(header)
        head = MAGIC + struct.pack("<I", len(text)) + text
        return b"".join([head, bytes(-len(head) % _ALIGNED), packed.content])

    def pack_arrays(self) -> PackedArrays:
        """The arrays as bytes; each is checked against its declaration."""
        declared = declaration(type(self))
        infos, pieces, at = {}, [], 0
        sizes: dict[str, int] = {}
        for name, array in declared.arrays.items():
            data = getattr(self, name)
            if data is None and name in declared.optional:
                continue
            _check(type(self).__name__, name, array, np.asarray(data), sizes)
            content = np.ascontiguousarray(data, f"<{array.kind}").tobytes()
            infos[name] = ArrayInfo(array.kind, list(np.shape(data)), at)
            pieces += [content, bytes(-len(content) % _ALIGNED)]
            at += len(content) + len(pieces[-1])
        return PackedArrays(infos, b"".join(pieces))


@dataclass(frozen=True, eq=False)
class Declaration:
    """What a frame class declares."""

    header: type[Any]  # a tagged struct
    fields: tuple[str, ...]  # of the header
    arrays: dict[str, Array]
    optional: frozenset[str]  # arrays that may be None


def declaration(kind: type[Frame]) -> Declaration:
    """Header fields and arrays of a frame class, worked out once."""
    if kind.__name__ not in _declared:
        _declared[kind.__name__] = _declaration(kind)
    return _declared[kind.__name__]


_declared: dict[str, Declaration] = {}


def _declaration(kind: type[Frame]) -> Declaration:
    hints = get_type_hints(kind, include_extras=True)
    arrays, optional, plain = {}, set(), []
    for field in fields(kind):
        hint = hints[field.name]
        choices = get_args(hint) if NoneType in get_args(hint) else (hint,)
        array = next((found for choice in choices if (found := _array(choice)) is not None), None)
        if array is None:
            plain.append((field.name, hint))
        else:
            arrays[field.name] = array
            optional |= {field.name} if NoneType in choices else set()
    header = msgspec.defstruct(
        kind.__name__, [("arrays", dict[str, ArrayInfo]), *plain], tag=True, tag_field="type", kw_only=True
    )
    header.__doc__ = kind.__doc__
    return Declaration(header, tuple(name for name, _ in plain), arrays, frozenset(optional))


def unpack(data: bytes) -> tuple[Any, dict[str, Data]]:
    """The header and the arrays of a frame."""
    if data[:4] != MAGIC or len(data) < 8:
        raise BadFile("this is no frame")
    (length,) = struct.unpack_from("<I", data, 4)
    text = data[8 : 8 + length]
    kind = Frame.kinds[msgspec.json.decode(text)["type"]]
    header = msgspec.json.decode(text, type=declaration(kind).header)
    start = -(-(8 + length) // _ALIGNED) * _ALIGNED
    arrays = {
        name: np.frombuffer(data, f"<{info.kind}", int(np.prod(info.shape)), start + info.offset).reshape(info.shape)
        for name, info in header.arrays.items()
    }
    return header, arrays


def _array(hint: Any) -> Array | None:
    if get_origin(hint) is not Annotated:
        return None
    return next((mark for mark in hint.__metadata__ if isinstance(mark, Array)), None)


def _check(frame: str, name: str, array: Array, data: Data, sizes: dict[str, int]) -> None:
    """Raises where an array is not what the frame declares, or holds whole numbers that its type cannot."""
    if data.dtype.kind not in ("iub" if array.kind == "u4" else "f"):
        raise BadValue(f"{frame}.{name} is declared as {array.kind}, not {data.dtype}")
    fits = len(data.shape) == len(array.shape) and all(
        size == (axis if isinstance(axis, int) else sizes.setdefault(axis, size) if axis != "*" else size)
        for size, axis in zip(data.shape, array.shape, strict=True)
    )
    if not fits:
        raise BadValue(f"{frame}.{name} is declared as {array.shape}, with {sizes}; its shape is {data.shape}")
