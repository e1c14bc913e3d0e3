"""Filters: unit vectors, rotations, floats and colours from the forms in which they are compressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]


def octahedral(elements: U8) -> U8:
    """Unit vectors (n, 4) of 1 or 2 bytes each: x and y on the unfolded octahedron, the value of 1, and w, kept."""
    kind = np.dtype(f"<i{elements.shape[1] // 4}")
    stored = np.ascontiguousarray(elements).view(kind)
    plane = stored[:, :2].astype(np.float32) / stored[:, 2:3].astype(np.float32)
    z = 1 - np.abs(plane).sum(axis=1)
    plane -= np.copysign(np.minimum(z, 0)[:, None], plane)
    vectors = np.column_stack([plane, z])
    vectors /= np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.column_stack([_rounded(vectors * np.iinfo(kind).max, kind), stored[:, 3]]).view(np.uint8)


def quaternion(elements: U8) -> U8:
    """Rotations (n, 4) of 2 bytes each: three components times the root of 2, and the index of the largest."""
    stored = np.ascontiguousarray(elements).view("<i2")
    one = (stored[:, 3:] | 3).astype(np.float32)
    three = stored[:, :3].astype(np.float32) / one / np.float32(np.sqrt(2))
    largest = np.sqrt(np.maximum(1 - (three**2).sum(axis=1), 0))
    four = _rounded(np.column_stack([largest, three]) * 32767, np.dtype("<i2"))
    places = ((stored[:, 3:] & 3) + np.arange(4)) % 4
    turned = np.empty_like(four)
    np.put_along_axis(turned, places.astype(np.int64), four, axis=1)
    return turned.view(np.uint8)


def exponential(elements: U8) -> U8:
    """Floats from 24 bits of mantissa and 8 of exponent, both signed."""
    stored = np.ascontiguousarray(elements).view("<i4")
    mantissa, exponent = (stored << 8) >> 8, stored >> 24
    return np.asarray(np.ldexp(mantissa.astype(np.float32), exponent).astype("<f4").view(np.uint8))


def color(elements: U8) -> U8:
    """Colours (n, 4) of 1 or 2 bytes each: luma, two chromas, and alpha under a bit that gives the precision."""
    size = elements.shape[1] // 4
    signed = np.ascontiguousarray(elements).view(f"<i{size}").astype(np.int64)
    y, co, cg, packed = signed[:, 0] & (256**size - 1), signed[:, 1], signed[:, 2], signed[:, 3] & (256**size - 1)
    ones = (1 << np.frexp(packed.astype(np.float64))[1].astype(np.int64)) - 1
    alpha = packed & (ones >> 1)
    rgba = np.column_stack([y + co - cg, y + cg, y - co - cg, (alpha << 1) | (alpha & 1)])
    kind = np.dtype(f"<u{size}")
    return _rounded(rgba * (np.iinfo(kind).max / np.maximum(ones, 1))[:, None], kind).view(np.uint8)


def _rounded(values: NDArray[np.floating], kind: np.dtype[Any]) -> NDArray[np.integer]:
    """To the nearest whole number, halves away from zero, within the range of the type."""
    limits = np.iinfo(kind)
    nearest = np.trunc(np.nan_to_num(values) + np.copysign(0.5, values))
    return np.asarray(np.clip(nearest, limits.min, limits.max).astype(kind))


FILTERS: dict[str, tuple[tuple[int, ...], Callable[[U8], U8]]] = {
    "OCTAHEDRAL": ((4, 8), octahedral),
    "QUATERNION": ((8,), quaternion),
    "EXPONENTIAL": (tuple(range(4, 257, 4)), exponential),
    "COLOR": ((4, 8), color),
}
