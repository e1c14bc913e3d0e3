"""The islands of a texture layout, and the coarse grid of cells that stores the smooth part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from facewright.arrays import Ints
from facewright.errors import BadValue
from facewright.image.srgb import Floats32, to_linear
from facewright.mesh.texels import Ints32, Texels, islands
from facewright.rig.rig import Rig

_COARSEST = 16
_ROWS = 32  # rows of texels at a time, so that they fit the cache of a core


def island_labels(rig: Rig, size: tuple[int, int], parts: tuple[str, ...] = ()) -> Ints32:
    """The island (h, w) of each texel of a rig's layout, -1 for none; parts: names of the parts to include, by default
    all.
    """
    if rig.uvs is None:
        raise BadValue("the rig has no texture coordinates, so nothing says where its texture goes")
    texels = Texels.of(rig.polygons, rig.uvs, size, chosen=triangles_of(rig, parts))
    labels = np.full(size[0] * size[1], -1, np.int32)
    labels[texels.at] = islands(rig.polygons, rig.uvs)[texels.triangle]
    return labels.reshape(size)


def triangles_of(rig: Rig, parts: tuple[str, ...] = ()) -> NDArray[np.bool_]:
    """Which triangles (t,) belong to some parts, by default to any."""
    first = rig.triangles[:, 0]
    chosen = np.zeros(len(first), bool)
    for part in [rig.part(name) for name in parts] or list(rig.parts):
        chosen |= (first >= part.start) & (first < part.stop)
    return chosen


@dataclass(frozen=True, eq=False)
class Cells:
    """Square cells of `scale` texels, each of one island, so fine that no texel lies between cells of two islands."""

    size: tuple[int, int]  # h, w of the picture
    scale: int  # texels along a cell
    count: Floats32  # (H, W) covered texels in each cell
    island: Ints32  # (H, W) -1 where a cell has none
    nearest: Ints  # (H, W) flat index of the nearest cell with an island

    @classmethod
    def of(cls, labels: Ints32, most: float) -> Cells:
        """The coarsest cells, of at most so many texels, that separate the islands of labels (h, w)."""
        scale = 1
        while 2 * scale <= min(most, _COARSEST, *labels.shape):
            scale *= 2
        while True:
            cells = cls._at(labels, scale)
            if scale == 1 or cells._keep_apart(labels):
                return cells
            scale //= 2

    @classmethod
    def _at(cls, labels: Ints32, scale: int) -> Cells:
        count = _blocks((labels >= 0)[..., None].astype(np.float32), scale)[..., 0]
        padded = _padded(labels, scale, -1)
        island = padded.reshape(count.shape[0], scale, count.shape[1], scale).max(axis=(1, 3))
        if (island >= 0).any():
            rows, columns = ndimage.distance_transform_edt(island < 0, return_distances=False, return_indices=True)
            nearest = rows.astype(np.int64) * island.shape[1] + columns
        else:
            nearest = np.arange(island.size).reshape(island.shape)
        return cls(labels.shape, scale, count, island, nearest)

    def _keep_apart(self, labels: Ints32) -> bool:
        """Whether all four cells around each covered texel, and around those beside it, are of the texel's island."""
        filled = self.island.ravel()[self.nearest]
        wide = ndimage.grey_dilation(labels, size=(3, 3))  # a picture is sampled up to one texel beyond the edge
        own = np.where(labels >= 0, labels, wide)
        rows, columns = (
            _between(length, self.scale, cells) for length, cells in zip(self.size, filled.shape, strict=True)
        )
        return all(
            bool(((own < 0) | (filled[row[:, None], column] == own)).all())
            for row in rows[:2]
            for column in columns[:2]
        )

    def sums(self, picture: ArrayLike, covered: NDArray[np.bool_]) -> Floats32:
        """Sums (H, W, 3) of the light of a picture over the covered texels (h, w) of each cell."""
        pixels, found = np.asarray(picture), np.empty((*self.island.shape, 3), np.float32)
        step = max(_ROWS, self.scale)
        for start in range(0, len(pixels), step):
            light = to_linear(pixels[start : start + step]) * covered[start : start + step, :, None]
            cells = _blocks(light, self.scale)
            found[start // self.scale :][: len(cells)] = cells
        return found

    def filled(self, values: Floats32) -> Floats32:
        """Values of cells; those without an island take the value of the nearest cell with one."""
        flat: Floats32 = values.reshape(-1, values.shape[-1])[self.nearest]
        return flat

    def widened(self, values: Floats32) -> Floats32:
        """Values (H, W, k) of cells, linearly interpolated at every column of texels: (H, w, k)."""
        left, right, share = _between(self.size[1], self.scale, values.shape[1])
        found, after = values.take(left, axis=1), values.take(right, axis=1)
        found *= (1 - share)[:, None]
        after *= share[:, None]
        found += after
        return np.asarray(found)

    def at(self, values: Floats32, rows: Ints, columns: Ints) -> Floats32:
        """Values (n, k) at single texels, linearly interpolated."""
        above, below, down = (one[rows] for one in _between(self.size[0], self.scale, values.shape[0]))
        left, right, across = (one[columns] for one in _between(self.size[1], self.scale, values.shape[1]))
        across, down = across[:, None], down[:, None]
        upper = values[above, left] * (1 - across) + values[above, right] * across
        lower = values[below, left] * (1 - across) + values[below, right] * across
        return np.asarray(upper * (1 - down) + lower * down)

    def rows(self, wide: Floats32, some: slice) -> Floats32:
        """Rows of texels (rows, w, k), linearly interpolated from values (H, w, k) of `widened`."""
        above, below, share = (one[some] for one in _between(self.size[0], self.scale, len(wide)))
        found = wide[above]
        found *= (1 - share)[:, None, None]
        lower = wide[below]
        lower *= share[:, None, None]
        found += lower
        return found


def _between(length: int, scale: int, cells: int) -> tuple[Ints, Ints, Floats32]:
    """For each texel the cells before and after its centre, and the share of the latter."""
    place = (np.arange(length) + 0.5) / scale - 0.5
    before = np.floor(place).astype(np.int64)
    share = (place - before).astype(np.float32)
    return before.clip(0, cells - 1), (before + 1).clip(0, cells - 1), share


def _padded(values: NDArray[np.generic], scale: int, empty: float) -> NDArray[np.generic]:
    height, width = values.shape[:2]
    pad = [(0, -height % scale), (0, -width % scale)] + [(0, 0)] * (values.ndim - 2)
    return np.pad(values, pad, constant_values=empty) if pad[0][1] or pad[1][1] else values


def _blocks(values: Floats32, scale: int) -> Floats32:
    """Sums over squares of texels."""
    padded = _padded(values, scale, 0)
    height, width, depth = padded.shape
    down = padded.reshape(height // scale, scale, width, depth).sum(axis=1)
    return np.asarray(down.reshape(height // scale, width // scale, scale, depth).sum(axis=2))
