"""Partitions of a block's texels, by ASTC's rule (data format specification, "Partition Pattern Generation")."""

from __future__ import annotations

from functools import cache

import numpy as np

from facewright.arrays import Ints

# Those that UASTC allows, by ASTC's numbers.
TWO = (
    *(28, 20, 16, 29, 91, 9, 107, 72, 149, 204, 50, 114, 496, 17, 78),
    *(39, 252, 828, 43, 156, 116, 210, 476, 273, 684, 359, 246, 195, 694, 524),
)
THREE = (260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254)
TWO_OF_THREE = (36, 48, 61, 137, 161, 183, 226, 281, 302, 307, 479, 495, 593, 594, 605, 799, 812, 988, 993)

_WORD = (1 << 32) - 1


@cache
def partition(number: int, subsets: int) -> Ints:
    """The subset (16,) of each texel of a 4 x 4 block, row by row."""
    if subsets == 1:
        return np.zeros(16, np.int64)
    seed = number + 1024 * (subsets - 1)
    noise = _noise(seed)
    slopes = [(noise >> 4 * i & 15) ** 2 for i in range(8)]
    fine, coarse = (4 if seed & 2 else 5), (6 if subsets == 3 else 5)
    across, down = (fine, coarse) if seed & 1 else (coarse, fine)
    y, x = 2 * np.mgrid[:4, :4].reshape(2, 16)  # small blocks are sampled twice as wide
    heights = [
        (slopes[2 * i] >> across) * x + (slopes[2 * i + 1] >> down) * y + (noise >> shift) & 63
        for i, shift in enumerate((14, 10, 6))
    ]
    if subsets == 2:
        return np.where(heights[0] >= heights[1], 0, 1)
    return np.asarray(np.argmax(heights, axis=0))  # the first of equal ones


def _noise(seed: int) -> int:
    """ASTC's hash of 32 bits."""
    value = (seed ^ seed >> 15) * 0xEEDE0891 & _WORD
    value ^= value >> 5
    value = value + (value << 16) & _WORD
    value ^= value >> 7
    value ^= value >> 3
    value ^= value << 6 & _WORD
    return value ^ value >> 17
