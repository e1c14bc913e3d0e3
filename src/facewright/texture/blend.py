"""Blends textures of expressions by the shapes' weights, in linear light, without the blur of a plain blend.

After Joshi, Tien, Desbrun and Pighin (2003), section 5: the smooth parts of all maps are blended; the detail is that of
one map, or of one map in each region of the face.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats, numbers
from facewright.errors import BadValue, UnknownName
from facewright.image.encoded import Encoded
from facewright.image.srgb import Bytes, Floats32, to_linear
from facewright.mesh.texels import Ints32
from facewright.options import suggests_options
from facewright.texture.bands import BLUR, Bands
from facewright.texture.detail import Detail, DetailChoice
from facewright.texture.detail_fade import DetailFade
from facewright.texture.detail_regions import DetailRegions
from facewright.texture.edge_mix import EdgeMix, Fields, Tile
from facewright.texture.guided import GuidedBands
from facewright.texture.low_bands import LowBands
from facewright.texture.map_kind import MAP_KINDS
from facewright.texture.sources import Picture, Sources, mask_of

_ROWS = 32  # rows of texels blended at a time, so that they fit the cache of a core


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
        regions: DetailRegions | None = None,
        edges: float = 0.0,
        kind: str = "color",
    ) -> None:
        """Pictures are sRGB bytes or linear floats (h, w, 3), or encoded files, which are decoded when they are needed.

        islands (h, w): the island of each texel, -1 for none, as from `island_labels`; by default the picture is one
        island.
        mask (h, w): 1, 255 or white where the neutral's texture stays in every pose.
        blur: standard deviation of the Gaussian between the bands, as a share of the picture's longer side.
        size (w, h): the size that encoded pictures are scaled to; by default the neutral's.
        regions: parts of the picture of which each has the detail of its own map; by default the picture is one.
        edges: contrast in linear light above which edges stay in the smooth part (`GuidedBands`); 0: none do.
        kind: color, normal, whose slopes are blended, or roughness.
        """
        if kind not in MAP_KINDS:
            raise UnknownName("kind of texture", kind, MAP_KINDS)
        self._kind = MAP_KINDS[kind]
        self._sources = Sources([neutral, *maps], size, None if kind == "color" else self._kind.unpack)
        self.size = self._sources.size  # h, w
        self.bands = Bands(self.size, islands, blur=blur)
        self.lows = LowBands(self.bands, self._sources)
        self.mask = None if mask is None else mask_of(mask, self.size)  # (h, w)
        self._edges = EdgeMix(GuidedBands(self.bands, edges), self._sources) if edges else None
        self.fades = DetailFade(self.bands, self.lows.detail if self._edges is None else self._edges.detail)
        self._tiles = _tiles(self.size, self.mask)
        if regions is not None and regions.relevance.shape[1] != len(maps):
            raise BadValue(f"the regions know {regions.relevance.shape[1]} maps, and there are {len(maps)}")
        self.regions = regions
        self._shares = None if regions is None else regions.on(self.bands.cells)  # (r, H, W)

    @property
    def region_count(self) -> int:
        """The number r of regions with a detail of their own; 1 without regions."""
        return 1 if self._shares is None else len(self._shares)

    def details(self, weights: ArrayLike, choice: DetailChoice | None = None) -> tuple[Detail, ...]:
        """The detail of each region (r,) in a single pose, for weights (k,) of the maps, or (r, k) of each region."""
        return tuple(
            Detail.at(row, choice, relevance)
            for row, relevance in zip(self._rows(weights), self._relevance, strict=True)
        )

    def details_after(
        self, before: Sequence[Detail], seconds: float, weights: ArrayLike, choice: DetailChoice | None = None
    ) -> tuple[Detail, ...]:
        """The detail of each region so many seconds later, at new weights."""
        return tuple(
            detail.after(seconds, row, choice, relevance)
            for detail, row, relevance in zip(before, self._rows(weights), self._relevance, strict=True)
        )

    def __call__(
        self, weights: ArrayLike, detail: Detail | Sequence[Detail] | None = None, *, plain: bool = False
    ) -> Bytes:
        """The texture (h, w, 3) in sRGB for weights (k,) of the maps, or (r, k) of each region; the neutral has the
        rest of 1.

        detail: the map whose detail is shown, or one for each region; by default that with the largest weight.
        plain: blend all maps in one band, for comparison.
        """
        neutral = self._sources[0]
        found = neutral.astype(np.uint8) if neutral.dtype == np.uint8 else self._kind.pack(to_linear(neutral))
        for tile, light in self._mixed(weights, detail, plain):
            found[tile] = self._kind.pack(light)
        return found

    @suggests_options
    def light(
        self, weights: ArrayLike, detail: Detail | Sequence[Detail] | None = None, *, plain: bool = False
    ) -> Floats32:
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
        details: tuple[Detail, ...] | None = None
        for row in weights:
            details = (
                self.details(row, choice) if details is None else self.details_after(details, 1 / rate, row, choice)
            )
            yield self(row, details, plain=plain)

    def tables(self, weights: ArrayLike, details: Sequence[Detail]) -> tuple[Floats, Floats]:
        """The weights (r, 1 + k) of all maps' smooth parts, the neutral's first, and the shares (r, 1 + k) of their
        details, in each region.
        """
        return _with_rest(np.maximum(self._rows(weights), 0)), self._shown_by(details)

    def shown(self, detail: Detail) -> dict[int, float]:
        """The shares of the maps' details, by the number of the map; 0 is the neutral."""
        return self.fades.shown(detail)

    def _mixed(
        self, weights: ArrayLike, detail: Detail | Sequence[Detail] | None, plain: bool
    ) -> Iterator[tuple[Tile, Floats32]]:
        """The light of every tile that the mask does not keep unchanged."""
        rows = np.maximum(self._rows(weights), 0)
        if detail is None:
            detail = self.details(rows)
        details = (detail,) * len(rows) if isinstance(detail, Detail) else tuple(detail)
        if len(details) != len(rows):
            raise BadValue(f"{len(details)} details are given for {len(rows)} regions")
        pieces = self._one_band(rows) if plain else self._two_bands(rows, details)
        for tile, light in pieces:
            if self.mask is not None:
                still = self.mask[tile][..., None]
                light = light * (1 - still) + to_linear(self._sources[0][tile]) * still
            yield tile, light

    def _two_bands(self, weights: Floats, details: Sequence[Detail]) -> Iterator[tuple[Tile, Floats32]]:
        parts = self._shown_by(details)
        if self._edges is not None:
            yield from self._edges.tiles(
                self._fields(_with_rest(weights)),
                self._fields(parts),
                self._tiles,
                limited=bool((weights.sum(axis=1) > 1).any()),
            )
            return
        # low + sum of p (picture - its low) = sum of p picture + (low - sum of p its low), and the latter is small.
        shown = self._fields(parts)
        change = self.lows.mixed(self._fields(_with_rest(weights)), limited=bool((weights.sum(axis=1) > 1).any()))
        for index, field in shown.items():
            change -= _times(field, self.lows[index])
        wide = self.bands.cells.widened(change)
        wide_shares = {
            index: field if isinstance(field, float) else self.bands.cells.widened(field[..., None])
            for index, field in shown.items()
        }
        for rows, columns in self._tiles:
            light = self.bands.cells.rows(wide[:, columns], rows)
            for index, part in wide_shares.items():
                sharp = to_linear(self._sources[index][rows, columns])
                if isinstance(part, float):
                    light += sharp if part == 1 else np.float32(part) * sharp
                else:
                    light += self.bands.cells.rows(part[:, columns], rows) * sharp
            yield (rows, columns), light

    def _shown_by(self, details: Sequence[Detail]) -> Floats:
        """Shares (r, 1 + k) of the maps' details in each region."""
        parts = np.zeros((len(details), len(self._sources)))
        for row, one in zip(parts, details, strict=True):
            for index, share in self.fades.shown(one).items():
                row[index] = share
        return parts

    def _one_band(self, weights: Floats) -> Iterator[tuple[Tile, Floats32]]:
        shares = _with_rest(weights / np.maximum(weights.sum(axis=1, keepdims=True), 1))
        light = np.zeros((*self.size, 3), np.float32)
        cells = self.bands.cells
        for index, share in self._fields(shares).items():  # one after the other, as pictures are decoded one at a time
            wide = share if isinstance(share, float) else cells.widened(share[..., None])
            for rows, columns in self._tiles:
                here = np.float32(wide) if isinstance(wide, float) else cells.rows(wide[:, columns], rows)
                light[rows, columns] += here * to_linear(self._sources[index][rows, columns])
        return ((tile, light[tile]) for tile in self._tiles)

    @property
    def _relevance(self) -> Sequence[Floats | None]:
        return [None] if self.regions is None else list(self.regions.relevance)

    def _rows(self, weights: ArrayLike) -> Floats:
        """Weights (r, k) of each region, from those, or from weights (k,) that all have."""
        given = numbers("weights of the textures", weights)
        maps = len(self._sources) - 1
        if given.ndim == 2:
            return floats("weights of the textures", given, (self.region_count, maps))
        return np.tile(floats("weights of the textures", given, (maps,)), (self.region_count, 1))

    def _fields(self, shares: Floats) -> Fields:
        """Shares (r, 1 + k) of the regions as one field for each map that has any."""
        found: Fields = {}
        for index, column in enumerate(shares.T):
            if self._shares is None or (column == column[0]).all():
                if column[0] != 0:
                    found[index] = float(column[0])
            else:
                found[index] = np.tensordot(column.astype(np.float32), self._shares, 1)
        return found


def _with_rest(weights: Floats) -> Floats:
    """Weights (r, 1 + k): the neutral's first, which is the rest of 1."""
    return np.hstack([1 - weights.sum(axis=1, keepdims=True), weights])


def _times(share: float | Floats32, low: Floats32) -> Floats32:
    return np.asarray(np.float32(share) * low if isinstance(share, float) else share[..., None] * low)


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
