"""Textures: eight of 2048 x 2048 mixed in two bands, beside mixing them plainly in numpy; how they are prepared."""

from collections.abc import Iterator
from functools import partial

import numpy as np

import facewright as fw
from bench.row import Row, compare
from facewright.image.srgb import to_bytes, to_linear
from facewright.samples.skin import EXPRESSIONS, Painter
from facewright.texture.bands import Bands
from facewright.texture.blend import TextureBlend
from facewright.texture.layout import island_labels

SIDE = 2048


def rows() -> Iterator[Row]:
    paint = Painter(SIDE)
    neutral, *maps = pictures = [paint(name) for name in ("neutral", *EXPRESSIONS)]
    labels = island_labels(fw.sample(), (SIDE, SIDE), ("head",))
    weights = np.full(7, 1 / 8)
    every = np.full(8, 1 / 8, np.float32)
    blend = TextureBlend(neutral, maps, islands=labels)
    one = "2048 x 2048 x 8, one pose"
    yield compare(
        "texture", one, partial(blend, weights), baseline=("numpy", partial(mixed, pictures, every)), repeats=5
    )
    ready = [to_linear(picture) for picture in pictures]
    case, known = f"{one}, to linear light", ("numpy, all unpacked to floats", partial(summed, ready, every))
    yield compare("texture", case, partial(blend.light, weights), baseline=known, repeats=5)
    del ready
    masked = TextureBlend(neutral, maps, islands=labels, mask=paint.mask())
    run = partial(masked, weights)
    yield compare("texture", f"{one}, with the mask", run, baseline=("without it", partial(blend, weights)), repeats=5)
    yield splitting(neutral, labels)
    small = Painter(512)
    known = ("numpy, plain mix of 8", partial(mixed, pictures, every))
    yield compare("texture", "skin of 2048 x 2048 painted", partial(paint, "smile"), baseline=known, repeats=2)
    yield compare("texture", "skin of 512 x 512 painted", partial(small, "smile"), baseline=known, repeats=3)


def splitting(picture: np.ndarray, labels: np.ndarray) -> Row:
    """The smooth part of one map, on the coarse grid, beside a Gaussian of all texels that knows of no islands."""
    from scipy.ndimage import gaussian_filter

    bands = Bands(labels.shape, labels)
    light = to_linear(picture)
    plain = partial(gaussian_filter, light, (bands.sigma, bands.sigma, 0))
    return compare("texture", "a map's smooth part", partial(bands.low, picture), baseline=("scipy", plain), repeats=3)


def mixed(pictures: list[np.ndarray], weights: np.ndarray) -> np.ndarray:
    """All in one band, as one would write it."""
    light = np.zeros(pictures[0].shape, np.float32)
    for picture, weight in zip(pictures, weights, strict=True):
        light += weight * to_linear(picture)
    return to_bytes(light)


def summed(lights: list[np.ndarray], weights: np.ndarray) -> np.ndarray:
    """The same without unpacking and packing: four times the memory."""
    light = weights[0] * lights[0]
    for one, weight in zip(lights[1:], weights[1:], strict=True):
        light += weight * one
    return np.asarray(light)
