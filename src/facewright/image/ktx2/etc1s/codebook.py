"""The data shared by all ETC1S slices of a file: colours, patterns, and the codes of both (appendix BasisLZ)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from facewright.errors import BadFile
from facewright.image.ktx2.etc1s.huffman import Bits, Code, read_code
from facewright.image.srgb import Bytes

_HEADER = struct.Struct("<2H4I")
_IMAGE = struct.Struct("<5I")
_P_FRAME = 2
# ETC1's changes of intensity, by table and pattern value (data format specification, table "ETC1 intensity tables")
_INTENSITIES = np.array(
    [
        (-8, -2, 2, 8),
        (-17, -5, 5, 17),
        (-29, -9, 9, 29),
        (-42, -13, 13, 42),
        (-60, -18, 18, 60),
        (-80, -24, 24, 80),
        (-106, -33, 33, 106),
        (-183, -47, 47, 183),
    ]
)


@dataclass(frozen=True)
class SliceCodes:
    """How the blocks of a slice are written."""

    prediction: Code
    step: Code
    pattern: Code
    run: Code
    history: int  # patterns that are remembered


@dataclass(frozen=True, eq=False)
class Codebook:
    """The file's shared data, unpacked."""

    palettes: Bytes  # (n, 4, 3) the four colours of a block
    patterns: Bytes  # (m, 16) which of them each texel has, row by row
    codes: SliceCodes
    color: tuple[int, int]  # place and length of the colours' slice in the first level
    alpha: tuple[int, int]  # and of opacity's; length 0: none


def read_codebook(data: bytes, levels: int) -> Codebook:
    """The shared data of a file with so many levels."""
    at = _HEADER.size + levels * _IMAGE.size
    if len(data) < at:
        raise BadFile("the KTX2 file ends within its codebook")
    endpoints, patterns, *sizes = _HEADER.unpack_from(data)
    flags, *places = _IMAGE.unpack_from(data, _HEADER.size)
    if at + sum(sizes) > len(data) or not endpoints or not patterns:
        raise BadFile("the KTX2 file is damaged: its codebook is not as large as it claims")
    if flags & _P_FRAME:
        raise BadFile("the KTX2 file is a frame of a film that needs the one before; single pictures are read")
    ends = list(accumulate(sizes, initial=at))
    first, second, third = (Bits(data[a:b]) for a, b in pairwise(ends[:4]))
    return Codebook(
        palettes=_palettes(first, endpoints),
        patterns=_patterns(second, patterns),
        codes=_slice_codes(third),
        color=(places[0], places[1]),
        alpha=(places[2], places[3]),
    )


def _slice_codes(bits: Bits) -> SliceCodes:
    prediction, step, pattern, run = (read_code(bits) for _ in range(4))
    return SliceCodes(prediction, step, pattern, run, bits.take(13))


def _palettes(bits: Bits, count: int) -> Bytes:
    steps, intensity = [read_code(bits) for _ in range(3)], read_code(bits)
    model = [steps[0]] * 10 + [steps[1]] * 12 + [steps[2]] * 10  # by the value before
    channels = 1 if bits.take(1) else 3
    table, color, rows = 0, [16] * channels, []
    for _ in range(count):
        table = table + bits.symbol(intensity) & 7
        color = [value + bits.symbol(model[value]) & 31 for value in color]
        rows.append([table, *color, *color, *color][:4])
    values = np.array(rows)
    base = values[:, None, 1:] << 3 | values[:, None, 1:] >> 2
    return np.asarray(np.clip(base + _INTENSITIES[values[:, 0], :, None], 0, 255), np.uint8)


def _patterns(bits: Bits, count: int) -> Bytes:
    """Each row of a pattern is a byte of four values; after the first, patterns are differences."""
    if bits.take(2):
        raise BadFile("the KTX2 file is damaged: its patterns are of an unknown kind")
    if bits.take(1):
        rows = np.array([[bits.take(8) for _ in range(4)] for _ in range(count)], np.uint8)
    else:
        code = read_code(bits)
        steps = [[bits.take(8) for _ in range(4)]]
        steps += [[bits.symbol(code) & 255 for _ in range(4)] for _ in range(count - 1)]
        rows = np.bitwise_xor.accumulate(np.array(steps, np.uint8), axis=0)
    return np.asarray(rows[:, :, None] >> np.array([0, 2, 4, 6], np.uint8) & 3, np.uint8).reshape(count, 16)
