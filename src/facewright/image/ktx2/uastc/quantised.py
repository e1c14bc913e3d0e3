"""ASTC's steps of colours and weights (data format specification, "Endpoint" and "Weight Unquantization")."""

from __future__ import annotations

from functools import cache

import numpy as np

from facewright.arrays import Ints

# For three or five times a power of two levels: what the highest digit counts, and to which of nine places the bits
# but the lowest are copied, the highest place first ("b" is the second lowest bit).
_SPREAD = {
    12: (93, "b000b0bb0"),
    40: (26, "cb0000cbc"),
    48: (22, "dcb000dcb"),
    160: (6, "edcb0000e"),
    192: (5, "fedcb000f"),
}


def base_and_bits(levels: int) -> tuple[int, int]:
    """So many levels are a highest digit of this base (1: none) and so many bits."""
    bits = (levels & -levels).bit_length() - 1
    return levels >> bits, bits


def packs(base: int, count: int) -> list[int]:
    """Bits of the numbers that hold so many digits: five of base 3 or three of base 5 in each, fewer in the last."""
    size = {1: count, 3: 5, 5: 3}[base]
    return [] if base == 1 else [(base ** min(size, count - at) - 1).bit_length() for at in range(0, count, size)]


def digits(packed: Ints, base: int) -> Ints:
    """The digits (n, size k) of numbers (n, k), the lowest first."""
    size = {3: 5, 5: 3}[base]
    found = packed[..., None] // base ** np.arange(size) % base
    return found.reshape(len(packed), -1)


@cache
def color_levels(levels: int) -> Ints:
    """The level of 255 for each value of a colour's channel."""
    base, bits = base_and_bits(levels)
    values = np.arange(levels)
    if base == 1:
        return _repeated(values, bits, 8)
    digit, lower = values >> bits, values & (1 << bits) - 1
    factor, pattern = _SPREAD[levels]
    flip = np.where(lower & 1, 0x1FF, 0)
    total = digit * factor
    for place, letter in enumerate(reversed(pattern)):
        if letter != "0":
            total += (lower >> (ord(letter) - ord("a")) & 1) << place
    total ^= flip
    return flip & 0x80 | total >> 2


@cache
def weight_levels(bits: int) -> Ints:
    """The weight, of 64, for each value of so many bits."""
    sixths = _repeated(np.arange(1 << bits), bits, 6)
    return sixths + (sixths > 32)


def _repeated(values: Ints, bits: int, wanted: int) -> Ints:
    """Bits repeated until there are as many as wanted."""
    result, have = values, bits
    while have < wanted:
        result, have = result << bits | values, have + bits
    return result >> (have - wanted)
