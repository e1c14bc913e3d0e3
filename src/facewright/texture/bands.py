"""Splits a picture into a smooth part and a signed detail, by a Gaussian that stays within each island of the layout.

The smooth part has no high frequencies, so it is stored on a coarse grid and enlarged where it is used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import ndimage

from facewright.errors import BadValue
from facewright.image.srgb import Floats32, to_linear
from facewright.mesh.texels import Ints32
from facewright.options import suggests_options
from facewright.texture.layout import Cells

BLUR = 1 / 256  # standard deviation of the Gaussian as a share of the picture's longer side

_REACH = 4.0  # standard deviations to which the Gaussian is evaluated


class Bands:
    """Splits pictures of one size over one layout."""

    @suggests_options
    def __init__(self, size: tuple[int, int], labels: Ints32 | None = None, *, blur: float = BLUR) -> None:
        """size: height and width. labels (h, w): the island of each texel, -1 for none; by default the picture is one
        island.
        """
        if labels is not None and labels.shape != size:
            raise BadValue(f"islands are given for {labels.shape} texels, the picture has {size}")
        if not (np.isfinite(blur) and 0 < blur <= 1):
            raise BadValue(f"the blur is a share of the picture's side above 0 and up to 1, not {blur}")
        self.size = size
        self.labels = np.zeros(size, np.int32) if labels is None or not (labels >= 0).any() else labels
        self.sigma = blur * max(size)  # texels
        self.cells = Cells.of(self.labels, self.sigma / 2)
        # Cells are boxes and interpolation is a tent; the Gaussian on the grid adds the rest of the variance.
        scale = self.cells.scale
        self._sigma = float(np.sqrt(max(self.sigma**2 - (scale**2 - 1) / 4, 0))) / scale
        self._crops = _crops(self.cells.island, int(np.ceil(_REACH * self._sigma)))
        self._weights = [self._blurred(np.where(mine, self.cells.count[crop], 0)) for crop, mine in self._crops]

    def low(self, picture: ArrayLike) -> Floats32:
        """The smooth part in linear light on the grid of cells (H, W, 3)."""
        if np.shape(picture) != (*self.size, 3):
            raise BadValue(f"a picture of shape {np.shape(picture)} is given; the textures here are {(*self.size, 3)}")
        return self._spread(self.cells.sums(picture, self.labels >= 0))

    def spread(self, values: Floats32) -> Floats32:
        """Values (H, W, 3) of cells, averaged by the Gaussian over the texels of their island."""
        return self._spread(values * self.cells.count[..., None])

    def _spread(self, sums: Floats32) -> Floats32:
        found = np.zeros_like(sums)
        for (crop, mine), weight in zip(self._crops, self._weights, strict=True):
            smooth = np.stack(
                [self._blurred(np.where(mine, channel, 0)) for channel in np.moveaxis(sums[crop], -1, 0)], axis=-1
            )
            found[crop][mine] = smooth[mine] / weight[mine][:, None]
        return self.cells.filled(found)

    def raised(self, low: Floats32) -> Floats32:
        """A smooth part enlarged to a picture (h, w, 3)."""
        return self.cells.rows(self.cells.widened(low), slice(0, self.size[0]))

    def split(self, picture: ArrayLike) -> tuple[Floats32, Floats32]:
        """The smooth part and the signed detail, both (h, w, 3) in linear light; they add up to the picture."""
        light = to_linear(picture)
        smooth = self.raised(self.low(light))
        return smooth, light - smooth

    def energy(self, picture: ArrayLike) -> float:
        """The mean square of a picture's detail over the islands, as a measure of sharpness."""
        _, detail = self.split(picture)
        return float(np.square(detail[self.labels >= 0], dtype=np.float64).mean())

    def _blurred(self, values: Floats32) -> Floats32:
        if self._sigma == 0:
            return values
        return np.asarray(ndimage.gaussian_filter(values, self._sigma, mode="constant", truncate=_REACH))


def _crops(island: Ints32, reach: int) -> list[tuple[tuple[slice, slice], np.ndarray]]:
    """For each island the part of the grid that its Gaussian reaches, and which cells there are its own."""
    found = []
    for number, place in enumerate(ndimage.find_objects(island + 1), start=0):
        if place is not None:
            crop = tuple(slice(max(one.start - reach, 0), one.stop + reach) for one in place)
            found.append((crop, island[crop] == number))
    return found  # type: ignore[return-value]
