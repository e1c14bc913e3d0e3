"""The smooth parts of all maps on a coarse grid, blended by the weights; each is computed when it is first needed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from facewright.arrays import Ints
from facewright.image.srgb import Floats32, to_linear
from facewright.texture.bands import Bands
from facewright.texture.sources import Sources


class LowBands:
    """Smooth parts (H, W, 3) in linear light by the number of the map; 0 is the neutral."""

    def __init__(self, bands: Bands, sources: Sources) -> None:
        self._bands, self._sources = bands, sources
        self._parts: dict[int, Floats32] = {}

    def __getitem__(self, index: int) -> Floats32:
        if index not in self._parts:
            self._parts[index] = self._bands.low(self._sources[index])
        return self._parts[index]

    def detail(self, index: int, rows: Ints, columns: Ints) -> Floats32:
        """What a map has besides its smooth part, at some texels (n, 3)."""
        light = to_linear(self._sources[index][rows, columns])
        return light - self._bands.cells.at(self[index], rows, columns)

    @cached_property
    def limits(self) -> tuple[Floats32, Floats32]:
        """The darkest and the brightest value (H, W, 3) of all maps and the neutral at each place."""
        darkest, brightest = self[0], self[0]
        for index in range(1, len(self._sources)):
            darkest, brightest = np.minimum(darkest, self[index]), np.maximum(brightest, self[index])
        return darkest, brightest

    def mixed(self, shares: Mapping[int, float | Floats32], *, limited: bool) -> Floats32:
        """The sum of all smooth parts by their shares, each one number or one (H, W) for each cell.

        limited: the weights of the maps sum to more than 1 somewhere. Changes add up as the shapes' offsets do, but are
        clipped to the range of all maps: maps of different places do not weaken each other, and equal maps do not
        accumulate.
        """
        found = np.zeros_like(self[0])
        for index, share in shares.items():
            found += (np.float32(share) if isinstance(share, float) else share[..., None]) * self[index]
        return np.clip(found, *self.limits, out=found) if limited else found
