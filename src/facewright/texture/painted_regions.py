"""Regions of a face as they were painted: pictures in the layout of its textures."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy import ndimage

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

REST, WHOLE = "rest", "face"  # names of what no mask covers, and of all
_SEEN = 1 / 512  # of white: darker is black


def painted_regions(rig: Rig, masks: Mapping[str, Encoded | NDArray[np.uint8]]) -> Regions:
    """Regions from masks by name, sRGB bytes (h, w, 3) or encoded pictures: white where a region is, grey in part.

    Where masks cover a vertex by more than white together, they share it; what they leave is a region named rest.
    """
    if not masks or {REST, WHOLE} & masks.keys():
        raise BadValue(f"a region is painted under a name, which is not {REST} or {WHOLE}")
    shares = np.array([_at_vertices(rig, mask) for mask in masks.values()])  # (r, v)
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


def _at_vertices(rig: Rig, mask: Encoded | NDArray[np.uint8]) -> Floats:
    """The grey (v,) of a mask at the texture coordinates of each vertex, from 0 to 1; the mean at a seam, which has
    several, and black where there are none.
    """
    if rig.uvs is None:
        raise BadValue("this rig has no texture coordinates, so that a picture says nothing about its vertices")
    grey = (pixels(mask) if isinstance(mask, Encoded) else mask).mean(axis=2) / 255
    height, width = grey.shape
    u, v = rig.uvs.coordinates.T
    places = [(1 - v) * height - 0.5, u * width - 0.5]  # v is 1 at the top
    seen = ndimage.map_coordinates(grey, places, order=1, mode="nearest")
    mapped = rig.uvs.corners >= 0
    vertices, values = rig.polygons.corners[mapped], seen[rig.uvs.corners[mapped]]
    counts = np.bincount(vertices, minlength=rig.vertex_count)
    return np.asarray(np.bincount(vertices, values, rig.vertex_count) / np.maximum(counts, 1))
