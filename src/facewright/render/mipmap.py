"""Textures with mipmaps, sampled without aliasing.

A texture is averaged over the area that a pixel covers: between the two levels with texels of about that size
(trilinear), several times along the longer side where the surface is seen at an angle (anisotropic). All in linear
light.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import binary_dilation

from facewright.arrays import Ints, frozen
from facewright.errors import BadValue
from facewright.image.srgb import to_linear
from facewright.render.tone import Floats32

PROBES = 4  # largest number of samples along the longer side of a pixel's footprint
_FLAT = 1e-12
_BESIDE = 4  # texels beyond the border of an island that a pixel on it may reach


@dataclass(frozen=True, eq=False)
class Mipmap:
    """A picture and its halves, down to one texel. Row 0 is the top, where v is 1; it repeats beyond [0, 1]."""

    levels: tuple[Floats32, ...]  # (h, w, 3) each, linear light

    @classmethod
    def of(cls, picture: ArrayLike, cover: Coverage | None = None) -> Mipmap:
        """From a picture (h, w, 3), bytes in sRGB or floats in linear light; cover: which texels count."""
        given = np.asarray(picture)
        if given.ndim != 3 or given.shape[2] not in (3, 4) or 0 in given.shape or given.dtype.kind not in "uf":
            raise BadValue(f"a texture is an array (h, w, 3) of bytes or floats, not {given.dtype} {given.shape}")
        light = to_linear(given[..., :3])
        if given.dtype.kind == "f" and not np.isfinite(light).all():
            raise BadValue("a texture has a value that is not finite")
        levels = _halves(light) if cover is None else cover.halves(light)
        return cls(tuple(frozen(level) for level in levels))

    @property
    def size(self) -> tuple[int, int]:
        """Height and width."""
        height, width, _ = self.levels[0].shape
        return height, width

    def sample(self, uv: Floats32, across: Floats32, down: Floats32) -> Floats32:
        """Light (n, 3) at coordinates (n, 2), v up, which change by across and down (n, 2) from pixel to pixel."""
        step, level, count = self._footprint(across, down)
        light = np.zeros((len(uv), 3), np.float32)
        for number in range(PROBES):
            some = np.flatnonzero(count > number)
            if not len(some):
                break
            shift = ((number + np.float32(0.5)) / count[some] - np.float32(0.5))[:, None]
            light[some] += self._trilinear(uv[some] + shift * step[some], level[some]) / count[some, None]
        return light

    def _footprint(self, across: Floats32, down: Floats32) -> tuple[Floats32, Floats32, Floats32]:
        """The longer side (n, 2) of a pixel's footprint, the level (n,) to use, and the number of samples (n,) along
        it.
        """
        texels = np.array(self.size[::-1], np.float32)
        wide, high = (np.linalg.norm(side * texels, axis=1) for side in (across, down))
        step = np.where((wide >= high)[:, None], across, down)
        long, short = np.maximum(wide, high), np.minimum(wide, high)
        # A footprint is never thinner than a texel.
        count = np.clip(np.ceil(long / np.maximum(short, 1)), 1, PROBES).astype(np.float32)
        level = np.log2(np.maximum(long / count, 1))
        return step, np.minimum(level, len(self.levels) - 1).astype(np.float32), count

    def _trilinear(self, uv: Floats32, level: Floats32) -> Floats32:
        lower = np.floor(level).astype(np.int64)
        share = (level - lower)[:, None]
        light = self._bilinear(uv, lower)
        between = np.flatnonzero(share[:, 0] > 0)
        if len(between):
            finer = light[between]
            coarser = self._bilinear(uv[between], lower[between] + 1)
            light[between] = finer + share[between] * (coarser - finer)
        return light

    def _bilinear(self, uv: Floats32, level: Ints) -> Floats32:
        """Light (n, 3) on a level (n,) each, bilinearly interpolated."""
        flat, starts, heights, widths = self.flat
        width, height = widths[level], heights[level]
        x = (uv[:, 0] - np.floor(uv[:, 0])) * width - np.float32(0.5)
        y = (np.ceil(uv[:, 1]) - uv[:, 1]) * height - np.float32(0.5)  # v = 1 is the top
        left, top = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
        right_share, low_share = (x - left).astype(np.float32)[:, None], (y - top).astype(np.float32)[:, None]
        columns, rows = (left % width, (left + 1) % width), (top % height, (top + 1) % height)
        texels = [[flat.take(starts[level] + row * width + column, axis=0) for column in columns] for row in rows]
        upper, lower = (_mixed(left_one, right_one, right_share) for left_one, right_one in texels)
        return _mixed(upper, lower, low_share)

    @cached_property
    def flat(self) -> tuple[Floats32, Ints, Ints, Ints]:
        """All levels one after the other (texels, 3), the start of each, and their heights and widths."""
        heights, widths = (np.array([level.shape[axis] for level in self.levels]) for axis in (0, 1))
        starts = np.cumsum(np.r_[0, heights * widths])[:-1]
        return np.concatenate([level.reshape(-1, 3) for level in self.levels]), starts, heights, widths


@dataclass(frozen=True, eq=False)
class Coverage:
    """Which texels of a layout a surface shows, on every level, and with what the texels beside them are filled.

    Texels outside are filled from near ones, so that the colour between islands does not show at their borders.
    """

    shares: tuple[Floats32, ...]  # (h, w, 1) share of each texel that is inside
    # for each level but the last: empty texels, and their texels on the next level
    fills: tuple[tuple[Ints, Ints], ...]

    @classmethod
    def of(cls, inside: ArrayLike) -> Coverage:
        """From the texels (h, w) that are inside."""
        shares = _halves(np.asarray(inside, bool)[..., None].astype(np.float32))
        fills = [_fill(finer[..., 0], coarser[..., 0]) for finer, coarser in pairwise(shares)]
        return cls(tuple(shares), tuple(fills))

    def halves(self, light: Floats32) -> list[Floats32]:
        """The levels of a picture's light, halved and filled."""
        if light.shape[:2] != self.shares[0].shape[:2]:
            raise BadValue(f"the texture is {light.shape[:2]}, its cover {self.shares[0].shape[:2]}")
        levels = _halves(light * self.shares[0])
        for level, share in zip(levels[1:], self.shares[1:], strict=True):
            level /= np.maximum(share, np.float32(_FLAT))
        for finer, coarser, (empty, source) in list(zip(levels, levels[1:], self.fills, strict=False))[::-1]:
            finer.reshape(-1, 3)[empty] = coarser.reshape(-1, 3)[source]
        return levels


def _fill(finer: Floats32, coarser: Floats32) -> tuple[Ints, Ints]:
    """Empty texels of a level near others, and the texels of the next level that cover them."""
    full = finer > 0
    near = binary_dilation(full, iterations=_BESIDE, structure=np.ones((3, 3), bool)) if min(full.shape) > 64 else ~full
    rows, columns = np.nonzero(near & ~full)
    up, beside = (
        np.minimum(at // 2, length - 1) if now > 1 else at
        for at, length, now in zip((rows, columns), coarser.shape, finer.shape, strict=True)
    )
    return rows * finer.shape[1] + columns, up * coarser.shape[1] + beside


def _mixed(a: Floats32, b: Floats32, share: Floats32) -> Floats32:
    b -= a
    b *= share
    b += a
    return b


def _halves(light: Floats32) -> list[Floats32]:
    levels = [light]
    while max(levels[-1].shape[:2]) > 1:
        levels.append(_halved(_halved(levels[-1], 0), 1))
    return levels


def _halved(values: Floats32, axis: int) -> Floats32:
    """Values at half as many places along an axis, rounded down; each is the mean over its part of the whole."""
    length = values.shape[axis]
    if length == 1:
        return values
    half = length // 2
    even, odd = (values[_along(axis, slice(start, 2 * half, 2))] for start in (0, 1))
    if length % 2 == 0:
        return (even + odd) * np.float32(0.5)
    shape = [-1 if i == axis else 1 for i in range(values.ndim)]
    i = np.arange(half, dtype=np.float32).reshape(shape)
    later = values[_along(axis, slice(2, None, 2))]
    return np.asarray(((half - i) * even + half * odd + (i + 1) * later) / np.float32(length))


def _along(axis: int, some: slice) -> tuple[slice, ...]:
    return (slice(None),) * axis + (some,)
