"""The header of a KTX 2.0 file: its format, the place of its first level, data shared by levels (section 3)."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from facewright.errors import BadFile

_HEADER = struct.Struct("<12x9I4I2Q")
_LEVEL = struct.Struct("<3Q")
_MOST_LEVELS = 32
_ORIENTATION = b"KTXorientation\0"


@dataclass(frozen=True)
class Container:
    """The header of a two-dimensional picture; its ranges have been checked."""

    format: int  # Vulkan's number; 0: of Basis Universal
    width: int
    height: int
    levels: int
    scheme: int  # of the supercompression of levels
    model: int  # of colours: 163 is ETC1S, 166 UASTC
    channels: int  # the meaning of the first sample
    level: bytes = field(repr=False)
    unpacked: int  # bytes of the level when no longer compressed
    shared: bytes = field(repr=False)  # what all levels refer to
    upwards: bool  # the first row is the lowest
    leftwards: bool  # the first column is the rightmost


def read_container(data: bytes) -> Container:
    """The parts of a file; anything but one two-dimensional picture is refused."""
    if len(data) < _HEADER.size:
        raise BadFile("the KTX2 file ends within its header")
    (format, _, width, height, depth, layers, faces, levels, scheme, *places) = _HEADER.unpack_from(data)
    if depth or layers or faces != 1:
        what = "a volume" if depth else "an array of pictures" if layers else f"a picture of {faces} faces"
        raise BadFile(f"the KTX2 file is {what}; a single flat picture is read")
    if levels > _MOST_LEVELS:
        raise BadFile(f"the KTX2 file claims {levels} levels; no picture has more than {_MOST_LEVELS}")
    levels = max(levels, 1)  # 0: the reader is to make the smaller ones
    start, length, unpacked = _LEVEL.unpack(_part(data, _HEADER.size, levels * _LEVEL.size)[: _LEVEL.size])
    model, channels = _model(_part(data, places[0], places[1]))
    across, down = _directions(_part(data, places[2], places[3]))
    return Container(
        format=format,
        width=width,
        height=height,
        levels=levels,
        scheme=scheme,
        model=model,
        channels=channels,
        level=_part(data, start, length),
        unpacked=unpacked,
        shared=_part(data, places[4], places[5]),
        upwards=down == b"u",
        leftwards=across == b"l",
    )


def _part(data: bytes, start: int, length: int) -> bytes:
    if start + length > len(data):
        raise BadFile(f"the KTX2 file ends at {len(data)}; a part of it should end at {start + length}")
    return data[start : start + length]


def _model(descriptor: bytes) -> tuple[int, int]:
    """The colour model and the first sample's channel, of a basic data format descriptor."""
    if len(descriptor) < 44:
        raise BadFile("the KTX2 file does not describe its colours")
    return descriptor[12], descriptor[31] & 15


def _directions(pairs: bytes) -> tuple[bytes, bytes]:
    """The orientation: columns to the right and rows down, unless the file states another."""
    at = pairs.find(_ORIENTATION)
    words = b"" if at < 4 else pairs[at + len(_ORIENTATION) :][:2]
    return words[:1] or b"r", words[1:] or b"d"
