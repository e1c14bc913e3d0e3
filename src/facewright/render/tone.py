"""From light to pixels: sRGB, highlights, the backdrop, dithering."""

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, frozen

Color = tuple[float, float, float]  # sRGB, 0 to 1

Floats32 = NDArray[np.float32]
Bytes = NDArray[np.uint8]

# Light above this is compressed towards 1, so that highlights are not clipped; below it colours do not change.
KNEE = 0.55


def to_linear(srgb: ArrayLike) -> Floats:
    """Linear light of sRGB values in [0, 1] (IEC 61966-2-1)."""
    srgb = np.asarray(srgb, dtype=np.float64)
    return cast(Floats, np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4))


def to_srgb(linear: ArrayLike) -> Floats:
    """SRGB values in [0, 1] of linear light, clipped."""
    linear = np.clip(np.asarray(linear, dtype=np.float64), 0.0, 1.0)
    return cast(Floats, np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055))


def roll_off(light: Floats32) -> Floats32:
    """Light of any strength compressed to [0, 1): unchanged up to the knee, then smoothly towards 1."""
    over = np.maximum(light - KNEE, 0)
    room = 1 - KNEE
    return cast(Floats32, np.minimum(light, KNEE) + room * over / (room + over))


@dataclass(frozen=True)
class Backdrop:
    """A soft gradient in sRGB, brightest behind the head."""

    inner: Color = (0.165, 0.175, 0.19)
    outer: Color = (0.065, 0.068, 0.075)


DARK = Backdrop()


@lru_cache(maxsize=4)
def backdrop_light(backdrop: Backdrop, size: tuple[int, int]) -> Floats32:
    """The backdrop (h, w, 3) in linear light."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width]
    reach = np.hypot((x + 0.5) / width - 0.5, 0.85 * ((y + 0.5) / height - 0.42))
    share = np.clip(reach / 0.72, 0, 1)[..., None]
    share = share * share * (3 - 2 * share)
    light = to_linear(np.array(backdrop.inner) * (1 - share) + np.array(backdrop.outer) * share)
    return frozen(light.astype(np.float32))


@lru_cache(maxsize=4)
def backdrop_bytes(backdrop: Backdrop, size: tuple[int, int]) -> Bytes:
    """The backdrop (h, w, 3) alone, as a picture."""
    return frozen(to_bytes(backdrop_light(backdrop, size).reshape(-1, 3), size))


def to_bytes(light: Floats | Floats32, size: tuple[int, int]) -> Bytes:
    """Linear light (h * w, k) as an sRGB picture (h, w, k), dithered so that gradients show no bands."""
    width, height = size
    steps = np.clip(light.astype(np.float32, copy=False) * np.float32(FINE), 0, FINE - 1).astype(np.uint16)
    levels = srgb_levels().take(steps).reshape(height, width, -1)
    grain = np.tile(dither(3).astype(np.float32), (height // 8 + 1, width // 8 + 1))[:height, :width, None]
    return np.asarray(np.minimum(levels + grain, 255).astype(np.uint8))


FINE = 2**16  # entries of the table; a step is at most a twentieth of a level


@lru_cache(maxsize=1)
def srgb_levels() -> Floats32:
    return frozen((255 * to_srgb((np.arange(FINE) + 0.5) / FINE)).astype(np.float32))


def dither(level: int) -> Floats:
    """Bayer's thresholds (2^level, 2^level), evenly spread in (0, 1)."""
    grid = np.zeros((1, 1))
    for _ in range(level):
        grid = np.block([[4 * grid, 4 * grid + 2], [4 * grid + 3, 4 * grid + 1]])
    return (grid + 0.5) / grid.size
