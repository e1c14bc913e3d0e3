"""Writing takes as C3D files: floats, Intel byte order; a header, groups POINT, ANALOG and TRIAL, and the points."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from facewright.errors import BadValue
from facewright.formats.files import Target, write_atomically
from facewright.formats.takes.c3d_parameters import BLOCK, INTEL, MAGIC
from facewright.motion.take import Take

_LONGEST = 127  # characters of a label
_LABELS = 255  # labels of a parameter
_MOST_BLOCKS = 255  # of the parameter section
_COUNTED = 0xFFFF  # the largest count of frames in the header
_POINT, _ANALOG, _TRIAL = 1, 2, 3  # numbers of the groups


def write(take: Take, target: Target) -> None:
    """Write a take; gaps are marked as the format does, by a residual of -1."""
    if not len(take) or not take.names:
        raise BadValue("a C3D file needs at least one frame and one marker")
    long = next((name for name in take.names if len(name.encode()) > _LONGEST), None)
    if long is not None:
        raise BadValue(f"a C3D label has at most {_LONGEST} bytes, and {long[:40]!r}... has more; rename it")
    blocks = -(-len(_section(take, 0)) // BLOCK)
    if blocks > _MOST_BLOCKS or len(take.names) > _COUNTED:
        many = f"the names of {len(take.names)} markers"
        raise BadValue(f"a C3D file has no room for {many}; TRC and CSV take any number")
    start = 2 + blocks
    points = np.zeros((len(take), len(take.names), 4), "<f4")
    points[:, :, :3] = np.nan_to_num(take.positions)
    points[~take.seen, 3] = -1
    section = bytearray(_section(take, start).ljust(BLOCK * blocks, b"\0"))
    section[2] = blocks
    data = points.tobytes()
    padded = data.ljust(-(-len(data) // BLOCK) * BLOCK, b"\0")
    write_atomically(target, _header(take, start) + bytes(section) + padded)


def _header(take: Take, start: int) -> bytes:
    last = min(len(take), _COUNTED)
    fields = (2, MAGIC, len(take.names), 0, 1, last, 0, -1.0, start, 0, take.rate)
    return struct.pack("<BBHHHHHfHHf", *fields).ljust(BLOCK, b"\0")


def _section(take: Take, start: int) -> bytes:
    """The parameters, of which the first bytes are a header of their own."""
    count, frames = len(take.names), len(take)
    entries = [
        _group(_POINT, "POINT"),
        _integers(_POINT, "USED", [count]),
        _floats(_POINT, "SCALE", -1.0),
        _floats(_POINT, "RATE", take.rate),
        _integers(_POINT, "DATA_START", [start]),
        _integers(_POINT, "FRAMES", [min(frames, _COUNTED)]),
        _texts(_POINT, "UNITS", [take.unit]),
        *_in_parts(_POINT, "LABELS", take.names),
        *_in_parts(_POINT, "DESCRIPTIONS", [" "] * count),
        _group(_ANALOG, "ANALOG"),
        _integers(_ANALOG, "USED", [0]),
        _floats(_ANALOG, "GEN_SCALE", 1.0),
        _floats(_ANALOG, "RATE", 0.0),
        _group(_TRIAL, "TRIAL"),
        _integers(_TRIAL, "ACTUAL_START_FIELD", [1, 0]),
        _integers(_TRIAL, "ACTUAL_END_FIELD", [frames & 0xFFFF, frames >> 16]),
    ]
    return bytes((1, MAGIC, 0, INTEL)) + b"".join(entries) + b"\0\0"


def _group(number: int, name: str) -> bytes:
    return struct.pack("<bb", len(name), -number) + name.encode() + struct.pack("<hB", 3, 0)


def _parameter(group: int, name: str, kind: int, shape: Sequence[int], data: bytes) -> bytes:
    content = struct.pack("<bB", kind, len(shape)) + bytes(shape) + data + b"\0"  # without a description
    return struct.pack("<bb", len(name), group) + name.encode() + struct.pack("<h", 2 + len(content)) + content


def _integers(group: int, name: str, values: Sequence[int]) -> bytes:
    shape = (len(values),) if len(values) > 1 else ()
    return _parameter(group, name, 2, shape, struct.pack(f"<{len(values)}H", *values))


def _floats(group: int, name: str, value: float) -> bytes:
    return _parameter(group, name, 4, (), struct.pack("<f", value))


def _texts(group: int, name: str, texts: Sequence[str]) -> bytes:
    lines = [text.encode() for text in texts]
    size = max(len(line) for line in lines)
    return _parameter(group, name, -1, (size, len(lines)), b"".join(line.ljust(size) for line in lines))


def _in_parts(group: int, name: str, texts: Sequence[str]) -> list[bytes]:
    """Texts as parameters NAME, NAME2, NAME3 ..., because one parameter has at most 255."""
    return [
        _texts(group, name + (str(1 + at // _LABELS) if at else ""), texts[at : at + _LABELS])
        for at in range(0, len(texts), _LABELS)
    ]
