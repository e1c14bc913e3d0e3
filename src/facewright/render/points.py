"""Where light is worked out: once for each triangle in each pixel it shows in, amid the samples it covers there."""

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter, minimum_filter, uniform_filter

from facewright.arrays import Floats, Ints
from facewright.render.grid import STEPS, Grid
from facewright.render.raster import Samples, Visible


@dataclass(frozen=True, eq=False)
class Points:
    """Points of the surface with the pixels they belong to."""

    size: tuple[int, int]  # width, height in pixels
    samples: Samples  # n of them
    pixel: Ints  # (n,) index into the flattened picture
    share: Floats  # (n,) of the pixel that the point stands for

    def average(self, values: NDArray[np.float32]) -> Floats:
        """Values (n, k) summed into pixels (height * width, k), each by its share."""
        total = self.size[0] * self.size[1]
        return np.stack([np.bincount(self.pixel, column * self.share, minlength=total) for column in values.T], axis=1)

    def coverage(self) -> Floats:
        """How much of each pixel (height * width,) is covered."""
        total = self.size[0] * self.size[1]
        return cast(Floats, np.minimum(np.bincount(self.pixel, self.share, minlength=total), 1.0))

    def turns(self, some: slice) -> Ints:
        """Which of the sixteen places in its block of four by four pixels each point is at."""
        row, column = np.divmod(self.pixel[some], self.size[0])
        return np.asarray(4 * (row % 4) + column % 4)

    def smooth(self, values: NDArray[np.float32], width: int, step: float) -> NDArray[np.float32]:
        """Values (n, k) averaged over boxes of pixels, except in boxes in which depth jumps by twice `step` or more."""
        shape = (self.size[1], self.size[0], -1)
        cover = np.maximum(uniform_filter(self.coverage().reshape(shape), (width, width, 1)), 1e-6)
        mean = uniform_filter(self.average(values).reshape(shape), (width, width, 1)) / cover
        share = np.clip(2 - self._jump(width + 2) / step, 0, 1)[:, None]
        smoothed = mean.reshape(-1, values.shape[1])[self.pixel]
        return cast(NDArray[np.float32], (values + share * (smoothed - values)).astype(np.float32))

    def _jump(self, width: int) -> Floats:
        """By how much depth differs (n,) in the box of pixels round each point."""
        far, near = (np.full(self.size[::-1], empty).ravel() for empty in (-np.inf, np.inf))
        far[self.pixel] = near[self.pixel] = self.samples.depth
        high = maximum_filter(far.reshape(self.size[::-1]), width).ravel()[self.pixel]
        return cast(Floats, high - minimum_filter(near.reshape(self.size[::-1]), width).ravel()[self.pixel])


def points(seen: Visible, *, merge: bool = True) -> Points:
    """Points of a picture; merge=False keeps every sample apart."""
    count, (rows, columns) = seen.samples_per_pixel, seen.triangle.shape
    blocks = seen.triangle.reshape(rows // count, count, columns).transpose(0, 2, 1).reshape(-1, count)
    covered = np.flatnonzero((blocks >= 0).any(axis=1))
    blocks = blocks[covered]
    first, alike = _first_of_equal(blocks) if merge else (np.ones(blocks.shape, bool), 1 << np.arange(count))
    which, sub = np.nonzero(first & (blocks >= 0))
    alike = np.broadcast_to(alike, blocks.shape)[which, sub]
    pixel = covered[which]
    at = (pixel // columns * count + sub) * columns + pixel % columns
    number, middle = _counts_and_middles(count)
    shift = middle[alike] - middle[1 << sub]
    return Points((columns, rows // count), seen.samples(at, shift), pixel, number[alike] / count)


def _first_of_equal(blocks: NDArray[np.int32]) -> tuple[NDArray[np.bool_], Ints]:
    """Which values (n, k) are the first of their kind in their row, and all that are equal to them, as bits."""
    first, alike = np.ones(blocks.shape, bool), np.broadcast_to(1 << np.arange(blocks.shape[1]), blocks.shape).copy()
    for i in range(blocks.shape[1]):
        for j in range(i):
            equal = blocks[:, i] == blocks[:, j]
            first[:, i] &= ~equal
            alike[:, i] += equal << j
            alike[:, j] += equal << i
    return first, alike


@lru_cache(maxsize=8)
def _counts_and_middles(samples: int) -> tuple[Ints, Ints]:
    """For every choice of a pixel's samples, as bits: how many (2^k,), and their middle (2^k, 2) in fixed point."""
    chosen = np.arange(1 << samples)[:, None] >> np.arange(samples) & 1
    number = chosen.sum(axis=1)
    across = Grid.of((1, 1), samples).shifts
    places = np.stack([across, np.arange(samples) * STEPS + STEPS // 2], axis=1)
    return number, np.rint(chosen @ places / np.maximum(number, 1)[:, None]).astype(np.int64)
