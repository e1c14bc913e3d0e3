"""Splits a picture into a smooth part that keeps edges, and a signed detail.

The guided filter of He, Sun and Tang (2010, ECCV), guided by the picture itself: near each place the smooth part is a
line `slope * picture + offset`. The slope is near 1 where the picture varies by much more than `edges`, as along lips
and around moles, and near 0 where it varies by less, as pores do. Slopes and offsets are smooth, so that they are
stored on the coarse grid of the layout, and never look beyond an island.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.errors import BadValue
from facewright.image.srgb import Floats32, to_linear
from facewright.texture.bands import Bands


@dataclass(frozen=True, eq=False)
class EdgeLine:
    """The smooth part of a picture as a line over its light."""

    slope: Floats32  # (H, W, 3) on the cells of a layout, 0 to 1
    offset: Floats32  # (H, W, 3)


class GuidedBands:
    """Splits pictures of one size over one layout.

    edges: contrast in linear light, above 0; what varies by more stays in the smooth part.
    """

    def __init__(self, bands: Bands, edges: float) -> None:
        if not (np.isfinite(edges) and 0 < edges <= 1):
            raise BadValue(f"the contrast of edges is above 0 and up to 1, not {edges}")
        self.bands, self.edges = bands, edges

    def line(self, picture: ArrayLike) -> EdgeLine:
        """The smooth part as a line over the picture's light."""
        light = to_linear(picture)
        mean, square = self.bands.low(light), self.bands.low(np.square(light))
        spread = np.maximum(square - np.square(mean), 0)
        slope = np.asarray(spread / (spread + np.float32(self.edges**2)), np.float32)
        offset = mean - slope * mean
        return EdgeLine(self.bands.spread(slope), self.bands.spread(offset))

    def split(self, picture: ArrayLike) -> tuple[Floats32, Floats32]:
        """The smooth part and the signed detail, both (h, w, 3) in linear light; they add up to the picture."""
        light, line = to_linear(picture), self.line(picture)
        smooth = self.bands.raised(line.slope) * light + self.bands.raised(line.offset)
        return smooth, light - smooth
