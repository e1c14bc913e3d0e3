"""The attribute stream: bytes of elements as differences to the element before, packed in groups of 16.

The place of a group follows from the sizes of all groups before it, so places are found one by one; with the size
that a group would have at every byte of the stream made beforehand, that is one look-up each. The rest is done on all
groups at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facewright.errors import BadFile

U8 = NDArray[np.uint8]

_BITS_V0 = (0, 2, 4, 8)
_BITS_V1 = ((0, 1, 2, 4), (1, 2, 4, 8))  # by control mode
_ZEROS, _LITERAL = 2, 3


def decode_attributes(data: U8, count: int, stride: int) -> U8:
    """Elements (count, stride) of a stream."""
    if stride % 4 or not 4 <= stride <= 256:
        raise BadFile(f"meshopt elements have 4 to 256 bytes, a multiple of 4, not {stride}")
    version = int(data[0]) - 0xA0
    if version not in (0, 1):
        raise BadFile(f"a meshopt attribute stream begins with a0 or a1, not {int(data[0]):02x}")
    channels = stride // 4 if version else 0
    end = len(data) - max(stride + channels, 24 if version else 32)
    if end < 1:
        raise BadFile("a meshopt attribute stream is too short")
    places = _places(data, end, count, stride, version)
    deltas = _deltas(data, places, count, stride)
    tail = data[len(data) - stride - channels :]
    return _summed(deltas, tail[:stride], tail[stride:].tolist() or [0] * (stride // 4))


class _Places:
    """Where the groups are: for each number of bits, (place in the stream, number of the group) pairs."""

    def __init__(self) -> None:
        self.of_bits: dict[int, tuple[list[int], list[int]]] = {bits: ([], []) for bits in (1, 2, 4, 8)}


def _block_elements(stride: int) -> int:
    return min((8192 // stride) & ~15, 256)


def _places(data: U8, end: int, count: int, stride: int, version: int) -> _Places:
    size, places, stream = _sizes(data), _Places(), data.tobytes()
    most = _block_elements(stride)
    at, group = 1, 0
    for first in range(0, count, most):
        elements = min(count - first, most)
        controls = [_BITS_V0] * stride
        if version:
            controls = [control for byte in stream[at : at + stride // 4] for control in _controls(byte)]
            at += stride // 4
        for bits_of in controls:
            if at > end:
                raise BadFile("a meshopt attribute stream ends too early")
            at = _place_byte(stream, at, bits_of, elements, group, size, places)
            group += most // 16
    if at != end:
        raise BadFile("a meshopt attribute stream has another length than its elements")
    return places


def _controls(byte: int) -> list[Any]:
    modes = ((byte >> shift) & 3 for shift in (0, 2, 4, 6))
    return [_BITS_V1[mode] if mode < _ZEROS else mode for mode in modes]


def _place_byte(
    stream: bytes, at: int, bits_of: Any, elements: int, group: int, size: Sequence[bytes], places: _Places
) -> int:
    """Add the places of the groups of one byte of a block's elements; returns the place after them."""
    groups = (elements + 15) // 16
    if bits_of == _ZEROS:
        return at
    if bits_of == _LITERAL:
        found, numbers = places.of_bits[8]
        found.extend(range(at, at + 16 * groups, 16))
        numbers.extend(range(group, group + groups))
        return at + elements
    header = int.from_bytes(stream[at : at + (groups + 3) // 4], "little")
    at += (groups + 3) // 4
    for number in range(group, group + groups):
        bits = bits_of[header & 3]
        header >>= 2
        if bits:
            if at >= len(stream):
                raise BadFile("a meshopt attribute stream ends too early")
            found, numbers = places.of_bits[bits]
            found.append(at)
            numbers.append(number)
            at += size[bits][at]
    return at


def _sizes(data: U8) -> list[bytes]:
    """For each number of bits, the bytes that a group would take if it began at each byte of the stream."""
    every: list[bytes] = [b""] * 9
    for bits in (1, 2, 4):
        values = _unpacked(np.arange(256, dtype=np.uint8)[:, None], bits)
        escapes = (values == (1 << bits) - 1).sum(axis=1, dtype=np.int64)[data]
        so_far = np.concatenate([[0], np.cumsum(escapes)])
        ends = np.minimum(np.arange(len(data)) + 2 * bits, len(data))
        every[bits] = (so_far[ends] - so_far[:-1] + 2 * bits).astype(np.uint8).tobytes()
    every[8] = bytes([16]) * len(data)
    return every


def _unpacked(packed: U8, bits: int) -> U8:
    """Values (n, 8 / bits * k) of packed bytes (n, k): the first in the highest bits, single bits in the lowest."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    shifts = shifts if bits == 1 else shifts[::-1]
    values = (packed[:, :, None] >> shifts) & np.uint8((1 << bits) - 1)
    return values.reshape(len(packed), packed.shape[1] * (8 // bits))


def _deltas(data: U8, places: _Places, count: int, stride: int) -> U8:
    """Stored differences (count, stride)."""
    most = _block_elements(stride)
    blocks = -(-count // most)
    groups = np.zeros((blocks * stride * (most // 16), 16), np.uint8)
    padded = np.concatenate([data, np.zeros(32, np.uint8)])
    for bits, (at, number) in places.of_bits.items():
        if at:
            groups[number] = _group_values(padded, np.array(at), bits)
    by_block = groups.reshape(blocks, stride, most).transpose(0, 2, 1)
    return np.ascontiguousarray(by_block.reshape(-1, stride)[:count])


def _group_values(padded: U8, at: NDArray[np.int64], bits: int) -> U8:
    """Values (n, 16) of groups at the given places; where all bits are set, the value is a byte after its group."""
    if bits == 8:
        return np.asarray(padded[at[:, None] + np.arange(16)])
    values = _unpacked(padded[at[:, None] + np.arange(2 * bits)], bits)
    escaped = values == (1 << bits) - 1
    behind = at[:, None] + 2 * bits + np.cumsum(escaped, axis=1) - escaped
    return np.where(escaped, padded[behind], values)


def _summed(deltas: U8, first: U8, channels: Sequence[int]) -> U8:
    elements = np.empty_like(deltas)
    for index, mode in enumerate(channels):
        span = slice(4 * index, 4 * index + 4)
        stored, base = np.ascontiguousarray(deltas[:, span]), np.ascontiguousarray(first[span])
        elements[:, span] = _channel(stored, base, mode)
    return elements


def _channel(stored: U8, base: U8, mode: int) -> U8:
    """Four bytes of all elements, from differences of bytes (mode 0), of pairs (1), or by exclusive or (2)."""
    if mode == 0 or mode == 1:
        kind = np.dtype(np.uint8 if mode == 0 else "<u2")
        steps, start = _unzigzag(stored.view(kind)), base.view(kind)
        return np.asarray((np.cumsum(steps, axis=0, dtype=kind) + start).astype(kind).view(np.uint8))
    if mode & 15 != 2:
        raise BadFile(f"a meshopt attribute stream has the unknown channel mode {mode}")
    turn = np.uint32(mode >> 4)
    bits = stored.view("<u4")
    turned = (bits << turn) | (bits >> ((np.uint32(32) - turn) & np.uint32(31)))
    return np.asarray((np.bitwise_xor.accumulate(turned, axis=0) ^ base.view("<u4")).astype("<u4").view(np.uint8))


def _unzigzag(values: NDArray[Any]) -> NDArray[Any]:
    one = values.dtype.type(1)
    return np.asarray(np.where(values & one, ~(values >> one), values >> one))
