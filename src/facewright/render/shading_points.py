"""The points that are shaded: one for each triangle in each pixel, at the centre of the samples it covers there."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter, minimum_filter, uniform_filter

from facewright.arrays import Floats, Ints
from facewright.render.raster import Samples, Visible
from facewright.render.sample_grid import STEPS, SampleGrid


@dataclass(frozen=True, eq=False)
class ShadingPoints:
    """Points of the surface with the pixels they belong to."""

    size: tuple[int, int]  # width, height in pixels
    samples: Samples  # n of them
    pixel: Ints  # (n,) index into the flattened picture, not decreasing
    share: NDArray[np.float32]  # (n,) share of the pixel that the point covers

    def pick(self, which: Ints) -> "ShadingPoints":
        """Some of the points."""
        return ShadingPoints(self.size, self.samples.pick(which), self.pixel[which], self.share[which])

    def average(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Pixels (height * width, k): sums of values (n, k), weighted by the points' shares."""
        total = np.zeros((self.size[0] * self.size[1], values.shape[1]), np.float32)
        if len(self.pixel):
            starts = self._starts
            total[self.pixel[starts]] = np.add.reduceat(values * self.share[:, None], starts, axis=0)
        return total

    @cached_property
    def _starts(self) -> Ints:
        """The first point of each pixel that has any; points are sorted by pixel."""
        return np.flatnonzero(np.diff(self.pixel, prepend=-1))

    def coverage(self) -> NDArray[np.float32]:
        """The covered share of each pixel (height * width,)."""
        return cast(NDArray[np.float32], np.minimum(self.average(np.ones((len(self.pixel), 1), np.float32))[:, 0], 1))

    def turns(self, some: slice) -> Ints:
        """The place, from 0 to 15, of each point in its block of four by four pixels."""
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
        """The difference in depth (n,) within the box of pixels around each point."""
        far, near = (np.full(self.size[::-1], empty).ravel() for empty in (-np.inf, np.inf))
        far[self.pixel] = near[self.pixel] = self.samples.depth
        high = maximum_filter(far.reshape(self.size[::-1]), width).ravel()[self.pixel]
        return cast(Floats, high - minimum_filter(near.reshape(self.size[::-1]), width).ravel()[self.pixel])


def shading_points(seen: Visible, *, merge: bool = True) -> ShadingPoints:
    """The points of a picture; merge=False keeps every sample as a point of its own."""
    count, (rows, columns) = seen.samples_per_pixel, seen.triangle.shape
    stacked = seen.triangle.reshape(rows // count, count, columns)
    covered = np.flatnonzero(stacked.max(axis=1) >= 0)
    row, column = np.divmod(covered, columns)
    blocks = stacked[row, :, column]
    first, alike = _first_of_equal(blocks) if merge else (np.ones(blocks.shape, bool), 1 << np.arange(count))
    which, sub = np.nonzero(first & (blocks >= 0))
    alike = np.broadcast_to(alike, blocks.shape)[which, sub]
    pixel = covered[which]
    at = (pixel // columns * count + sub) * columns + pixel % columns
    number, middle = counts_and_middles(count)
    shift = middle[alike] - middle[1 << sub]
    return ShadingPoints(
        (columns, rows // count), seen.samples(at, shift), pixel, (number[alike] / count).astype(np.float32)
    )


def _first_of_equal(blocks: NDArray[np.int32]) -> tuple[NDArray[np.bool_], Ints]:
    """Which values (n, k) are the first of their kind in their row, and all that are equal to them, as bits."""
    count = blocks.shape[1]
    first, alike = np.zeros(blocks.shape, bool), np.zeros(blocks.shape, np.int64)
    first[:, 0], alike[:, 0] = True, (1 << count) - 1
    several = np.flatnonzero(np.any([blocks[:, i] != blocks[:, 0] for i in range(count)], axis=0))
    some = blocks[several]
    firsts, alikes = np.ones(some.shape, bool), np.broadcast_to(1 << np.arange(count), some.shape).copy()
    for i in range(count):
        for j in range(i):
            equal = some[:, i] == some[:, j]
            firsts[:, i] &= ~equal
            alikes[:, i] += equal << j
            alikes[:, j] += equal << i
    first[several], alike[several] = firsts, alikes
    return first, alike


@lru_cache(maxsize=8)
def counts_and_middles(samples: int) -> tuple[Ints, Ints]:
    """For every subset of a pixel's samples, as bits: their number (2^k,) and their centre (2^k, 2) in fixed point."""
    chosen = np.arange(1 << samples)[:, None] >> np.arange(samples) & 1
    number = chosen.sum(axis=1)
    across = SampleGrid.of((1, 1), samples).shifts
    places = np.stack([across, np.arange(samples) * STEPS + STEPS // 2], axis=1)
    return number, np.rint(chosen @ places / np.maximum(number, 1)[:, None]).astype(np.int64)
