"""Regions of a face as they were painted: pictures in the layout of its textures."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from facewright.errors import BadValue
from facewright.image.encoded import Encoded
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.texture.vertex_colors import vertex_colors

REST, WHOLE = "rest", "face"  # names of what no mask covers, and of all
_SEEN = 1 / 512  # of white: darker is black


def painted_regions(rig: Rig, masks: Mapping[str, Encoded | NDArray[np.uint8]]) -> Regions:
    """Regions from masks by name, sRGB bytes (h, w, 3) or encoded pictures: white where a region is, grey in part.

    Where masks cover a vertex by more than white together, they share it; what they leave is a region named rest.
    """
    if not masks or {REST, WHOLE} & masks.keys():
        raise BadValue(f"a region is painted under a name, which is not {REST} or {WHOLE}")
    shares = np.array([vertex_colors(rig, mask).mean(axis=1) for mask in masks.values()])  # (r, v)
    shares[shares < _SEEN] = 0
    for name, row in zip(masks, shares, strict=True):
        if not row.any():
            raise BadValue(f"the mask of {name!r} is black wherever the face shows it")
    left = np.maximum(1 - shares.sum(axis=0), 0)
    left[left < _SEEN] = 0
    rows = np.vstack([shares, left]) if left.any() else shares
    names = [*masks, *([REST] if left.any() else [])]
    weights = sp.csr_array(rows / rows.sum(axis=0))
    every = tuple(range(len(names)))
    named: dict[tuple[int, ...], str] = {(i,): name for i, name in enumerate(names)}
    if len(names) == 1:
        return Regions.of(weights, [], named)
    return Regions.of(weights, [np.zeros(len(names), np.int64)], {**named, every: WHOLE})
