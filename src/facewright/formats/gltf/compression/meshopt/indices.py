"""The index stream: each index as a difference to one of two indices before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.errors import BadFile

_TAIL = 4


def decode_indices(data: NDArray[np.uint8], count: int) -> NDArray[np.uint32]:
    """Indices (count,) of a stream."""
    if len(data) < 1 + count + _TAIL or data[0] != 0xD1:
        raise BadFile("a meshopt index stream begins with d1 and has a byte for each index")
    codes = _varints(data[1 : len(data) - _TAIL], count)
    steps = np.where(codes & 2, ~(codes >> 2), codes >> 2)
    second = (codes & 1).astype(bool)
    found = np.empty(count, np.uint32)
    found[second] = np.cumsum(steps[second], dtype=np.uint32)
    found[~second] = np.cumsum(steps[~second], dtype=np.uint32)
    return found


def _varints(data: NDArray[np.uint8], count: int) -> NDArray[np.uint32]:
    """Numbers of 7 bits a byte, the lowest first, the last byte of each below 128."""
    last = np.flatnonzero(data < 128)
    first = np.concatenate([[0], last[:-1] + 1]) if len(last) else last
    lengths = last - first + 1
    if len(last) != count or last[-1] != len(data) - 1 or lengths.max() > 5:
        raise BadFile("a meshopt index stream has another length than its indices")
    place = np.arange(len(data)) - np.repeat(first, lengths)
    parts = (data & 127).astype(np.uint64) << (7 * place).astype(np.uint64)
    return np.asarray(np.add.reduceat(parts, first)).astype(np.uint32)
