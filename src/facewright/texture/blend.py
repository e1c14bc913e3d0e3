"""Blends textures of expressions by the shapes' weights, in linear light, without the blur of a plain blend.

After Joshi, Tien, Desbrun and Pighin (2003), section 5: the smooth parts of all maps are blended; the detail is that of
one map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import floats
from facewright.errors import BadValue
from facewright.image.encoded import Encoded
from facewright.image.srgb import Bytes, Floats32, to_bytes, to_linear
from facewright.mesh.texels import Ints32
from facewright.options import suggests_options
from facewright.texture.bands import BLUR, Bands
from facewright.texture.detail import Detail, DetailChoice, over_time
from facewright.texture.detail_fade import DetailFade
from facewright.texture.low_bands import LowBands
from facewright.texture.sources import Picture, Sources, mask_of

_ROWS = 32  # rows of texels blended at a time, so that they fit the cache of a core

Tile = tuple[slice, slice]  # rows and columns


class TextureBlend:
    """Blends textures of one size and layout: called with weights, it returns the texture of a pose."""

    @suggests_options
    def __init__(
        self,
        neutral: Picture,
        maps: Sequence[Picture],
        *,
        islands: Ints32 | None = None,
        mask: ArrayLike | Encoded | None = None,
        blur: float = BLUR,
        size: tuple[int, int] | None = None,
    ) -> None:
        """Pictures are sRGB bytes or linear floats (h, w, 3), or encoded files, which are decoded when they are needed.

        islands (h, w): the island of each texel, -1 for none, as from `island_labels`; by default the picture is one
        island.
        mask (h, w): 1, 255 or white where the neutral's texture stays in every pose.
        blur: standard deviation of the Gaussian between the bands, as a share of the picture's longer side.
        size (w, h): the size that encoded pictures are scaled to; by default the neutral's.
        """
        self._sources = Sources([neutral, *maps], size)
        self.size = self._sources.size  # h, w
        self.bands = Bands(self.size, islands, blur=blur)
        self.lows = LowBands(self.bands, self._sources)
        self.mask = None if mask is None else mask_of(mask, self.size)  # (h, w)
        self.fades = DetailFade(self.bands, self._sources, self.lows)
        self._tiles = _tiles(self.size, self.mask)

    def __call__(self, weights: ArrayLike, detail: Detail | None = None, *, plain: bool = False) -> Bytes:
        """The texture (h, w, 3) in sRGB for weights (k,) of the maps; the neutral has the rest of 1.

        detail: the map whose detail is shown; by default the one with the largest weight.
        plain: blend all maps in one band, for comparison.
        """
        neutral = self._sources[0]
        found = neutral.astype(np.uint8) if neutral.dtype == np.uint8 else to_bytes(neutral)
        for tile, light in self._mixed(weights, detail, plain):
            found[tile] = to_bytes(light)
        return found

    @suggests_options
    def light(self, weights: ArrayLike, detail: Detail | None = None, *, plain: bool = False) -> Floats32:
        """The same texture in linear light, not clipped."""
        found = np.empty((*self.size, 3), np.float32)
        if self.mask is not None:
            found[:] = to_linear(self._sources[0])
        for tile, light in self._mixed(weights, detail, plain):
            found[tile] = light
        return found

    @suggests_options
    def frames(
        self, weights: Iterable[ArrayLike], rate: float, choice: DetailChoice | None = None, *, plain: bool = False
    ) -> Iterator[Bytes]:
        """The texture of each frame at so many frames a second; only one is in memory at a time."""
        if not (np.isfinite(rate) and rate > 0):
            raise BadValue(f"a rate is a positive number of frames a second, not {rate}")
        table = list(weights)
        for row, detail in zip(table, over_time(table, 1 / rate, choice), strict=True):
            yield self(row, detail, plain=plain)

    def shown(self, detail: Detail) -> dict[int, float]:
        """The shares of the maps' details, by the number of the map; 0 is the neutral."""
        return self.fades.shown(detail)

    def _mixed(self, weights: ArrayLike, detail: Detail | None, plain: bool) -> Iterator[tuple[Tile, Floats32]]:
        """The light of every tile that the mask does not keep unchanged."""
        given = floats("weights of the textures", weights, (len(self._sources) - 1,))
        active = {i: float(weight) for i, weight in enumerate(given, start=1) if weight > 0}
        pieces = self._one_band(active) if plain else self._two_bands(active, detail or Detail.at(given))
        for tile, light in pieces:
            if self.mask is not None:
                still = self.mask[tile][..., None]
                light = light * (1 - still) + to_linear(self._sources[0][tile]) * still
            yield tile, light

    def _two_bands(self, weights: dict[int, float], detail: Detail) -> Iterator[tuple[Tile, Floats32]]:
        # low + sum of p (picture - its low) = sum of p picture + (low - sum of p its low), and the latter is small.
        shown = self.fades.shown(detail)
        change = self.lows.mixed(weights)
        for index, share in shown.items():
            change -= np.float32(share) * self.lows[index]
        wide = self.bands.cells.widened(change)
        for rows, columns in self._tiles:
            light = self.bands.cells.rows(wide[:, columns], rows)
            for index, share in shown.items():
                sharp = to_linear(self._sources[index][rows, columns])
                light += sharp if share == 1 else np.float32(share) * sharp
            yield (rows, columns), light

    def _one_band(self, weights: dict[int, float]) -> Iterator[tuple[Tile, Floats32]]:
        total = sum(weights.values())
        shares = {0: 1 - total} | weights if total < 1 else {i: weight / total for i, weight in weights.items()}
        light = np.zeros((*self.size, 3), np.float32)
        for index, share in shares.items():  # one picture after the other, because they are decoded one at a time
            for tile in self._tiles:
                light[tile] += np.float32(share) * to_linear(self._sources[index][tile])
        return ((tile, light[tile]) for tile in self._tiles)


def _tiles(size: tuple[int, int], mask: Floats32 | None) -> list[Tile]:
    """Parts of a picture that are blended at a time, without what the mask keeps unchanged."""
    height, width = size
    found = []
    for start in range(0, height, _ROWS):
        rows = slice(start, min(start + _ROWS, height))
        open_to_change = np.arange(width) if mask is None else np.flatnonzero((mask[rows] < 1).any(axis=0))
        if len(open_to_change):
            found.append((rows, slice(int(open_to_change[0]), int(open_to_change[-1]) + 1)))
    return found


@suggests_options
def blend_textures(
    neutral: Picture,
    maps: Sequence[Picture],
    weights: ArrayLike,
    *,
    plain: bool = False,
    islands: Ints32 | None = None,
    mask: ArrayLike | Encoded | None = None,
    blur: float = BLUR,
    size: tuple[int, int] | None = None,
) -> Bytes:
    """The texture (h, w, 3) in sRGB for weights (k,) of the maps, once: see `TextureBlend`."""
    return TextureBlend(neutral, maps, islands=islands, mask=mask, blur=blur, size=size)(weights, plain=plain)
