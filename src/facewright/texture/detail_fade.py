"""Fades from one detail to another without losing contrast half-way.

The mean of two details that are not registered to each other has half the energy. So both are amplified by what the
mean
would lose, which depends on their correlation; that is measured on a sample of texels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.image.srgb import Floats32
from facewright.texture.bands import Bands
from facewright.texture.detail import Detail

_SAMPLE = 2**14  # texels
_MOST = np.sqrt(2)  # for two details without correlation


class DetailFade:
    """The shares of the maps' details that are shown, for pictures of one layout."""

    def __init__(self, bands: Bands, detail: Callable[[int, Ints, Ints], Floats32]) -> None:
        """detail: that of a map, by its number, at rows (n,) and columns (n,) of texels."""
        self._detail = detail
        inside = np.flatnonzero(bands.labels.ravel() >= 0)
        chosen = np.random.default_rng(0).choice(inside, min(_SAMPLE, len(inside)), replace=False)
        self._at = np.divmod(np.sort(chosen), bands.size[1])
        self._details: dict[int, Floats] = {}
        self._energies: dict[tuple[int, int], tuple[float, float, float]] = {}

    def shown(self, detail: Detail) -> dict[int, float]:
        """The share of each map's detail, by its number."""
        t = detail.share**2 * (3 - 2 * detail.share)  # smooth at both ends
        if detail.map == detail.former or t >= 1:
            return {detail.map: 1.0}
        if t <= 0:
            return {detail.former: 1.0}
        new, old, both = self._products(detail.map, detail.former)
        wanted = t * new + (1 - t) * old
        mean = t * t * new + (1 - t) ** 2 * old + 2 * t * (1 - t) * both
        gain = float(np.clip(np.sqrt(wanted / max(mean, 1e-30)), 1, _MOST))
        return {detail.map: gain * t, detail.former: gain * (1 - t)}

    def _products(self, new: int, old: int) -> tuple[float, float, float]:
        """The energies of two details, and their product."""
        if (new, old) not in self._energies:
            one, other = self.detail(new), self.detail(old)
            products = np.vdot(one, one), np.vdot(other, other), np.vdot(one, other)
            self._energies[new, old] = float(products[0]), float(products[1]), float(products[2])
        return self._energies[new, old]

    def detail(self, index: int) -> Floats:
        """The detail of a map at a sample of texels (n, 3)."""
        if index not in self._details:
            self._details[index] = self._detail(index, *self._at).astype(np.float64)
        return self._details[index]
