"""Textures of which all is known: noise of every size, warped a little; a layout of islands close to each other."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Light = NDArray[np.float32]
SIZE = (192, 256)


def skin(size: tuple[int, int] = SIZE, seed: int = 0, *, low: float = 0.25, high: float = 0.75) -> Light:
    """Linear light (h, w, 3) with as much structure at every size, in other colours at each."""
    rng = np.random.default_rng(seed)
    light = np.zeros((*size, 3))
    for sigma in (0.7, 1.5, 3, 6, 12, 24):
        noise = ndimage.gaussian_filter(rng.normal(size=size), sigma, mode="reflect")
        light += (noise / noise.std())[..., None] * rng.uniform(0.5, 1, 3)
    return np.interp(light, (light.min(), light.max()), (low, high)).astype(np.float32)


def misregistered(light: Light, seed: int, *, texels: float = 3.0) -> Light:
    """The same picture, each texel taken from so far away on average; the way changes slowly over the picture."""
    rng = np.random.default_rng(seed)
    way = np.stack([ndimage.gaussian_filter(rng.normal(size=light.shape[:2]), 25, mode="reflect") for _ in range(2)])
    way *= texels / np.sqrt(np.square(way).sum(axis=0).mean())
    places = np.mgrid[0 : light.shape[0], 0 : light.shape[1]] + way
    channels = [ndimage.map_coordinates(light[..., c], places, order=3, mode="reflect") for c in range(3)]
    return np.stack(channels, axis=-1).astype(np.float32)


def two_islands(size: tuple[int, int] = SIZE, gap: int = 3) -> NDArray[np.int32]:
    """Labels (h, w) of two islands with a crooked, narrow gap between them, and none at the picture's edge."""
    labels = np.full(size, -1, np.int32)
    bend = (size[1] // 2 + 20 * np.sin(np.arange(size[0]) / 15)).astype(int)
    for row in range(6, size[0] - 6):
        labels[row, 6 : bend[row]] = 0
        labels[row, bend[row] + gap : -6] = 1
    return labels
