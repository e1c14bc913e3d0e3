"""Linear light and sRGB (IEC 61966-2-1) in single precision: files are in sRGB, light adds up linearly."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import frozen
from facewright.errors import BadValue

Bytes = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

_FINE = 2**16 - 1  # steps of the table from light to sRGB; the darkest level of sRGB has twenty


def to_linear(picture: ArrayLike) -> Floats32:
    """Linear light of a picture: bytes are sRGB, floats are linear already."""
    pixels = np.asarray(picture)
    if pixels.dtype == np.uint8:
        return np.asarray(_light_of_level().take(pixels, mode="clip"))  # no index is out of range; it is faster
    if pixels.dtype.kind != "f":
        raise BadValue(f"a picture is bytes in sRGB or linear light as floats, not {pixels.dtype}")
    return pixels.astype(np.float32, copy=False)


def to_bytes(light: ArrayLike) -> Bytes:
    """The nearest level of sRGB; light is clipped to [0, 1]. It inverts `to_linear` of bytes exactly."""
    steps = np.asarray(light, np.float32) * np.float32(_FINE)
    steps += np.float32(0.5)
    with np.errstate(invalid="ignore"):  # NaN becomes black
        return np.asarray(_level_of_light().take(steps.astype(np.int64), mode="clip"))


def decode(srgb: ArrayLike) -> Floats32:
    """Linear light of sRGB values in [0, 1]."""
    values = np.asarray(srgb, np.float64)
    light = np.where(values <= 0.04045, values / 12.92, ((np.maximum(values, 0) + 0.055) / 1.055) ** 2.4)
    return light.astype(np.float32)


def encode(light: ArrayLike) -> Floats32:
    """Values in [0, 1] of linear light in sRGB, clipped."""
    x = np.clip(np.asarray(light, np.float64), 0, 1)
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055).astype(np.float32)


@cache
def _light_of_level() -> Floats32:
    return frozen(decode(np.arange(256) / 255))


@cache
def _level_of_light() -> Bytes:
    return frozen(np.rint(255 * encode(np.arange(_FINE + 1) / _FINE)).astype(np.uint8))
