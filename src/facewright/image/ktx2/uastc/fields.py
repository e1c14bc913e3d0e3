"""The bit ranges of a UASTC block's numbers. One matrix product reads the numbers of all blocks from their bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from facewright.arrays import Ints
from facewright.image.ktx2.uastc.modes import Mode
from facewright.image.ktx2.uastc.quantised import base_and_bits, packs
from facewright.image.srgb import Bytes

Places = Sequence[tuple[int, int]]  # first bit, and how many

SOLID_FIELDS: Places = [(5 + 8 * channel, 8) for channel in range(4)]
_PLANE_BITS = 2


def numbers(bits: Bytes, places: Places) -> Ints:
    """The numbers (n, k) at places of blocks' bits (n, 128)."""
    values = np.zeros((128, len(places)), np.float32)
    for column, (start, count) in enumerate(places):
        values[start : start + count, column] = 1 << np.arange(count)
    return (bits.astype(np.float32) @ values).astype(np.int64)  # none has more than 8 bits: exact


def partition_bits(mode: Mode) -> int:
    return max(len(mode.partitions) - 1, 0).bit_length()


@dataclass(frozen=True)
class Fields:
    """Places of a mode's numbers, and which are what."""

    places: Places
    apart: slice  # the channel that has the second plane's weights
    packed: slice  # several highest digits of colours in one number
    colors: slice  # the bits below
    weights: slice
    base: int  # of the highest digits; 1: there are none
    color_bits: int

    @staticmethod
    def of(mode: Mode, subset: Ints) -> Fields:
        """The fields of blocks with a partition (16,)."""
        base, color_bits = base_and_bits(mode.levels)
        colors = 2 * mode.channels * mode.subsets
        apart = [_PLANE_BITS] * (mode.planes == 2 and mode.channels > 2)
        counts = [apart, packs(base, colors), [color_bits] * colors, _weight_bits(mode, subset)]
        flat = np.array([count for some in counts for count in some])
        starts = mode.start + partition_bits(mode) + np.cumsum(flat) - flat
        ends = np.cumsum([len(some) for some in counts]).tolist()
        first, packed, lower, weights = (slice(a, b) for a, b in pairwise([0, *ends]))
        places = list(zip(starts.tolist(), flat.tolist(), strict=True))
        return Fields(places, first, packed, lower, weights, base, color_bits)


def _weight_bits(mode: Mode, subset: Ints) -> list[int]:
    """The first texel of each subset has one bit less: its highest is 0 by convention."""
    first = np.unique(subset, return_index=True)[1]
    counts = np.full((16, mode.planes), mode.weight_bits)
    counts[first] -= 1
    return [int(count) for count in counts.ravel()]
