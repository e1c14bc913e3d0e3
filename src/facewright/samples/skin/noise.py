"""Noise in space, which is the same on both sides of a seam in the layout."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import ndimage
from scipy.spatial.transform import Rotation

from facewright.image.srgb import Floats32

_CELLS = 64  # size of the block of noise that repeats in all directions
_SMOOTH = 1.1  # cells: the Gaussian that smooths it
_WAVE = 5.0  # cells from crest to crest, about


class Noise:
    """Smooth random fields of mean 0 and variance 1, each with a wavelength; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        block = ndimage.gaussian_filter(rng.normal(size=(_CELLS,) * 3), _SMOOTH, mode="wrap")
        self._block = ((block - block.mean()) / block.std()).astype(np.float32)
        self._seed = seed

    def __call__(self, place: Floats32, wave: float, field: int, *, stretch: Sequence[float] | None = None) -> Floats32:
        """Values (n,) at places (n, 3), with `wave` centimetres from crest to crest.

        field: number of an independent field. stretch: factors on its length along x, y and z.
        """
        rng = np.random.default_rng((self._seed, field))
        turn = Rotation.random(rng=rng).as_matrix() if stretch is None else np.diag(1 / np.asarray(stretch))
        start = rng.uniform(0, _CELLS, (3, 1)).astype(np.float32)
        at = (turn * (_WAVE / wave)).astype(np.float32) @ place.T + start
        found = ndimage.map_coordinates(self._block, at, np.float32, order=1, mode="grid-wrap", prefilter=False)
        return np.asarray(found)
