"""The nineteen modes of a UASTC block (UASTC LDR 4x4 specification, "List of UASTC Modes")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from facewright.arrays import Ints
from facewright.image.ktx2.uastc.partitions import THREE, TWO, TWO_OF_THREE

SOLID, RESERVED = 8, 19


@dataclass(frozen=True)
class Mode:
    """The content of a block, and its first bit; the bits before are hints for graphics cards."""

    start: int
    weight_bits: int
    levels: int  # of an end colour's channel
    channels: int  # 2: grey and opacity
    subsets: int = 1
    planes: int = 1
    partitions: tuple[int, ...] = ()  # ASTC's numbers of those it may have


_MODES = {
    0: Mode(19, 4, 192, 3),
    1: Mode(21, 2, 256, 3),
    2: Mode(20, 3, 16, 3, subsets=2, partitions=TWO),
    3: Mode(20, 2, 12, 3, subsets=3, partitions=THREE),
    4: Mode(20, 2, 40, 3, subsets=2, partitions=TWO),
    5: Mode(20, 3, 256, 3),
    6: Mode(20, 2, 160, 3, planes=2),
    7: Mode(20, 2, 40, 3, subsets=2, partitions=TWO_OF_THREE),
    9: Mode(28, 2, 16, 4, subsets=2, partitions=TWO),
    10: Mode(20, 4, 48, 4),
    11: Mode(19, 2, 48, 4, planes=2),
    12: Mode(20, 3, 192, 4),
    13: Mode(28, 1, 256, 4, planes=2),
    14: Mode(28, 2, 256, 4),
    15: Mode(30, 4, 256, 2),
    16: Mode(29, 2, 256, 2, subsets=2, partitions=TWO),
    17: Mode(29, 2, 256, 2, planes=2),
    18: Mode(19, 5, 32, 3),
}
# The prefix code of the modes' numbers, the first bit the lowest: (code, bits)
_CODES = (
    *((0x1, 4), (0x35, 6), (0x1D, 5), (0x3, 5), (0x13, 5), (0xB, 5), (0x1B, 5), (0x7, 5), (0x17, 5), (0xF, 5)),
    *((0x2, 3), (0x0, 2), (0x6, 3), (0x1F, 5), (0xD, 5), (0x5, 7), (0x15, 6), (0x25, 6), (0x9, 4), (0x45, 7)),
)


def mode_of(number: int) -> Mode:
    return _MODES[number]


@cache
def mode_numbers() -> Ints:
    """The mode (128,) that a block's lowest seven bits mean."""
    numbers = np.empty(128, np.int64)
    for number, (code, bits) in enumerate(_CODES):
        numbers[code :: 1 << bits] = number
    return numbers
