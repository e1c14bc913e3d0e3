"""Colours for numbers, in steps that look even and that colour-blind readers can distinguish.

Both maps are defined in Oklab (Ottosson 2020) with lightness that rises evenly, so that they can be read by lightness
alone. They start from a dull grey-blue, so that only high values stand out.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue, UnknownName
from facewright.render.oklab import lab_of, linear_of

# Lightness, chroma and hue in degrees.
_STOPS = {
    "sequential": [(0.42, 0.025, 265), (0.54, 0.13, 300), (0.66, 0.18, 352), (0.79, 0.128, 52), (0.92, 0.14, 98)],
    "diverging": [(0.86, 0.10, 215), (0.64, 0.14, 245), (0.42, 0.012, 265), (0.64, 0.14, 50), (0.86, 0.14, 85)],
}
MAPS = tuple(_STOPS)


@dataclass(frozen=True, eq=False)
class Heat:
    """One number for each vertex, shown as colour between `low` and `high`."""

    values: ArrayLike  # (v,)
    low: float | None = None  # None: the least value, or minus `high` on the diverging map
    high: float | None = None  # None: the largest value, or the largest absolute value on the diverging map
    map: str = "sequential"
    label: str = ""  # written over the colour bar

    def range(self) -> tuple[float, float]:
        """The values that the two ends of the colour map stand for."""
        values = floats("heat", self.values, (None,))
        if self.map == "diverging":
            high = float(np.abs(values).max(initial=0.0)) if self.high is None else self.high
            low = -high if self.low is None else self.low
        else:
            low = float(values.min(initial=np.inf)) if self.low is None else self.low
            high = float(values.max(initial=low)) if self.high is None else self.high
        if not (np.isfinite(low) and np.isfinite(high) and low <= high):
            raise BadValue(f"heat goes from low to high, both finite; got {low} and {high}")
        return low, high

    def shares(self) -> Floats:
        """Where each value (v,) lies between low (0) and high (1); all 0 if the range is empty."""
        low, high = self.range()
        values = floats("heat", self.values, (None,))
        return np.clip((values - low) / (high - low), 0, 1) if high > low else np.zeros(len(values))

    def __repr__(self) -> str:
        return f"Heat({np.size(self.values)} values, map={self.map!r}, label={self.label!r})"


def heat_colors(shares: ArrayLike, map: str = "sequential") -> Floats:
    """Linear colours (n, 3) at places (n,) in [0, 1] along a map."""
    if map not in _STOPS:
        raise UnknownName("colour map", map, MAPS)
    shares = np.asarray(shares, dtype=np.float64)
    stops = np.array(_STOPS[map])
    at = np.linspace(0, 1, len(stops))
    lab = np.stack([np.interp(shares, at, column) for column in lab_of(*stops.T).T], axis=-1)
    return linear_of(lab)
