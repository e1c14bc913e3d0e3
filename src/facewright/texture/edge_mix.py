"""Blends textures whose smooth parts keep edges (`guided.py`): each is a line over its own picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from facewright.arrays import Ints
from facewright.image.srgb import Floats32, to_linear
from facewright.texture.guided import EdgeLine, GuidedBands
from facewright.texture.layout import Cells
from facewright.texture.sources import Sources

Tile = tuple[slice, slice]  # rows and columns
Fields = dict[int, float | Floats32]  # by the number of a map: one number, or one (H, W) for each cell


class EdgeMix:
    """The smooth parts of all maps mixed by their weights, and details of some."""

    def __init__(self, bands: GuidedBands, sources: Sources) -> None:
        self._bands, self._sources = bands, sources
        self._cells: Cells = bands.bands.cells
        self._lines: dict[int, EdgeLine] = {}

    def line(self, index: int) -> EdgeLine:
        """The smooth part of a map, by its number; 0 is the neutral."""
        if index not in self._lines:
            self._lines[index] = self._bands.line(self._sources[index])
        return self._lines[index]

    def detail(self, index: int, rows: Ints, columns: Ints) -> Floats32:
        """What a map has besides its smooth part, at some texels (n, 3)."""
        light, line, at = to_linear(self._sources[index][rows, columns]), self.line(index), self._cells.at
        return light - at(line.slope, rows, columns) * light - at(line.offset, rows, columns)

    def tiles(
        self, weights: Fields, details: Fields, tiles: Sequence[Tile], *, limited: bool
    ) -> Iterator[tuple[Tile, Floats32]]:
        """The light of tiles, for the weights of smooth parts and the shares of details.

        limited: the smooth part is kept between the darkest and the brightest of all maps.
        """
        wide = self._cells.widened
        used = range(len(self._sources)) if limited else sorted({*weights, *details})
        lines = {index: (wide(self.line(index).slope), wide(self.line(index).offset)) for index in used}
        shares = [
            {index: field if isinstance(field, float) else wide(field[..., None]) for index, field in fields.items()}
            for fields in (weights, details)
        ]
        for rows, columns in tiles:
            low, sharp = np.zeros((2, *_shape(rows, columns), 3), np.float32)
            darkest, brightest = np.full_like(low, np.inf), np.full_like(low, -np.inf)
            for index, (slope, offset) in lines.items():
                light = to_linear(self._sources[index][rows, columns])
                smooth = self._cells.rows(slope[:, columns], rows) * light
                smooth += self._cells.rows(offset[:, columns], rows)
                for total, part, fields in ((low, smooth, shares[0]), (sharp, light - smooth, shares[1])):
                    if index in fields:
                        total += self._here(fields[index], rows, columns) * part
                if limited:
                    np.minimum(darkest, smooth, out=darkest)
                    np.maximum(brightest, smooth, out=brightest)
            yield (rows, columns), (np.clip(low, darkest, brightest) if limited else low) + sharp

    def _here(self, field: float | Floats32, rows: slice, columns: slice) -> np.float32 | Floats32:
        return np.float32(field) if isinstance(field, float) else self._cells.rows(field[:, columns], rows)


def _shape(rows: slice, columns: slice) -> tuple[int, int]:
    return rows.stop - rows.start, columns.stop - columns.start
