"""Regions of a texture, each with the detail of its own map.

In Joshi, Tien, Desbrun and Pighin (2003), section 5, the blend weights are those of the vertices: a frown's folds stay
between the brows while those of a smile appear at the mouth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import ndimage

from facewright.arrays import Floats, floats, frozen
from facewright.errors import BadValue
from facewright.image.srgb import Floats32
from facewright.mesh.texels import Texels
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.textures import Textures
from facewright.texture.layout import Cells, triangles_of

MOST = 12  # regions; a finer division is replaced by the finest level that has no more
_FAINT = 0.02  # of the largest motion of all maps: maps that move a region less compete there by their weights alone


@dataclass(frozen=True, eq=False)
class DetailRegions:
    """Regions that cover a texture, with shares that sum to 1, and how much each map has to do with each region."""

    masks: Floats32  # (r, h, w) share of each texel in each region, at any resolution
    relevance: Floats  # (r, k) of each map in each region, above 0 and up to 1

    def __post_init__(self) -> None:
        masks = np.asarray(self.masks, np.float32)
        if masks.ndim != 3 or 0 in masks.shape or not np.isfinite(masks).all() or (masks < 0).any():
            raise BadValue(f"regions of a texture are shares (r, h, w) of 0 or more, not {masks.shape}")
        total = masks.sum(axis=0)
        if not (total > 0).all():
            raise BadValue("the regions of a texture leave some texels uncovered; their shares must sum to more than 0")
        relevance = floats("relevance of the maps in the regions", self.relevance, (len(masks), None))
        if (relevance <= 0).any() or (relevance > 1).any():
            raise BadValue("the relevance of a map in a region is above 0 and at most 1")
        object.__setattr__(self, "masks", frozen(masks / total))
        object.__setattr__(self, "relevance", relevance)

    @classmethod
    def equal(cls, masks: ArrayLike, maps: int) -> DetailRegions:
        """Painted regions (r, h, w) in which maps compete by their weights alone."""
        shares = np.asarray(masks, np.float32)
        return cls(shares, np.ones((len(shares), maps)))

    @classmethod
    def of(cls, rig: Rig, regions: Regions, textures: Textures, size: tuple[int, int]) -> DetailRegions:
        """The regions of a rig, drawn in the layout of its textures at a size (h, w).

        A map has to do with a region as far as its shapes move it, relative to the map that moves it most.
        """
        shares = regions.weights_at(level_of(regions))  # (r, v)
        motion = _motion(rig, shares.toarray(), textures)
        faint = _FAINT * motion.max(initial=0.0) or 1.0
        relevance = (motion + faint) / (motion.max(axis=1, keepdims=True, initial=0.0) + faint)
        parts = tuple(part.name for part in rig.parts if part.name in textures.parts)
        return cls(_drawn(rig, np.asarray(shares.toarray().T), size, parts), relevance)

    def on(self, cells: Cells) -> Floats32:
        """The shares (r, H, W) at the cells of a layout."""
        rows, columns = cells.island.shape
        extent = cells.size[0] / cells.scale, cells.size[1] / cells.scale  # cells that the picture takes
        height, width = self.masks.shape[1:]
        down = ((np.arange(rows) + 0.5) * height / extent[0] - 0.5).clip(0, height - 1)
        across = ((np.arange(columns) + 0.5) * width / extent[1] - 0.5).clip(0, width - 1)
        grid = np.meshgrid(down, across, indexing="ij")
        found = np.stack([ndimage.map_coordinates(mask, grid, order=1, mode="nearest") for mask in self.masks])
        return np.asarray(found / found.sum(axis=0), np.float32)


def level_of(regions: Regions) -> int:
    """The level whose regions have details of their own: the finest with few enough of them."""
    return next(level for level in range(regions.levels) if len(regions.nodes(level)) <= MOST)


def means_of(regions: Regions) -> Floats:
    """Factors (r, finest) that give the values of these regions from those of the finest: means over their vertices."""
    groups, sizes = regions.groups(level_of(regions)), np.asarray(regions.weights.sum(axis=1)).ravel()
    found = (groups == np.arange(groups.max() + 1)[:, None]) * np.maximum(sizes, 1e-9)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _motion(rig: Rig, shares: Floats, textures: Textures) -> Floats:
    """Root mean square motion (r, k) of each region by the shapes of each map at full value."""
    found = np.zeros((len(shares), len(textures.maps)))
    total = np.maximum(shares.sum(axis=1), 1e-12)
    for column, factors in zip(found.T, textures.shares(rig), strict=True):
        moved = np.zeros((rig.vertex_count, 3))
        for i in np.flatnonzero(factors):
            shape = rig.shapes[i]
            moved[shape.vertices] += shape.offsets
        column[:] = np.sqrt(shares @ np.square(moved).sum(axis=1) / total)
    return found


def _drawn(rig: Rig, shares: Floats, size: tuple[int, int], parts: tuple[str, ...]) -> Floats32:
    """Shares (v, r) of vertices as pictures (r, h, w); texels beside the layout take those of the nearest inside."""
    if rig.uvs is None:
        raise BadValue("the rig has no texture coordinates, so nothing says where its regions are in a texture")
    texels = Texels.of(rig.polygons, rig.uvs, size, chosen=triangles_of(rig, parts))
    if not len(texels.at):
        return np.full((shares.shape[1], *size), 1 / shares.shape[1], np.float32)
    picture = np.zeros((size[0] * size[1], shares.shape[1]), np.float32)
    picture[texels.at] = texels.mix(shares[rig.triangles])
    covered = np.zeros(size[0] * size[1], bool)
    covered[texels.at] = True
    rows, columns = ndimage.distance_transform_edt(~covered.reshape(size), return_distances=False, return_indices=True)
    return np.ascontiguousarray(np.moveaxis(picture.reshape(*size, -1)[rows, columns], -1, 0))
