"""What a frame shows of a surface: for points of a face, the measured points they are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, uniform_filter
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.motion.depth import DepthImage, PointCloud, ScanFrame

_WINDOW = 3  # pixels over which depth is averaged
_NOISE = 0.004  # of the depth: an allowance for noise
_STEEP = 2.5  # slope of a surface that is not taken for an edge
_SLOPE = 2  # pixels on each side over which a normal is measured
_MARGIN = 12  # pixels around what is looked at
_CELLS = 80  # of the grid across a cloud
_BEYOND = 8  # cells around it
_NEIGHBOURS = 3  # points of a cloud whose mean one is compared with


@dataclass(frozen=True, eq=False)
class Measured:
    """Measured points on the surface near points of a face; rows that are not `known` have no counterpart."""

    points: Floats  # (k, 3) metres
    normals: Floats  # (k, 3) outward, unit length
    known: NDArray[np.bool_]  # (k,)


class Observed(Protocol):
    """A frame prepared for comparison."""

    def measured(self, points: Floats) -> Measured:
        """The counterparts of points (k, 3)."""

    def gaps(self, points: Floats) -> Floats:
        """How far points (k, 3) are from what was measured, metres; infinite where nothing was."""

    def rough_gaps(self, points: Floats) -> Floats:
        """About the same, quickly, for very many points."""

    def towards(self, points: Floats) -> Floats | None:
        """Unit directions (k, 3) from points to the camera; None where there is none."""

    def places(self, count: int) -> Floats:
        """About so many of the measured points (m, 3), evenly chosen."""


def observed(frame: ScanFrame, about: Floats | None = None) -> Observed:
    """A frame prepared for comparison; of a depth image only the part about points (k, 3), if they are given."""
    return ObservedDepth(frame, about) if isinstance(frame, DepthImage) else ObservedCloud(frame)


class ObservedDepth:
    """A depth image: a point's counterpart is what was measured at its pixel."""

    def __init__(self, image: DepthImage, about: Floats | None = None) -> None:
        self._lens = image.lens
        self._top, self._left, window = _window(image, about)
        depth = image.depth[window].astype(np.float64)
        self._smooth = _averaged(
            depth, _NOISE + _STEEP / image.lens.fx
        )  # (h, w) 0 where nothing was seen, and at edges
        self.depth = np.where(self._smooth > 0, depth, 0.0)
        self._normals, self._sloped = self._measure_normals()

    def measured(self, points: Floats) -> Measured:
        """The measured points at the pixels of points (k, 3)."""
        row, column, inside = self._pixels(points)
        depth = self.depth[row, column]
        known = inside & (depth > 0) & self._sloped[row, column]
        there = self._lens.points(row + self._top, column + self._left, depth)
        return Measured(there, self._normals[row, column], known)

    def gaps(self, points: Floats) -> Floats:
        """Differences (k,) in depth at the pixels of points (k, 3)."""
        row, column, inside = self._pixels(points)
        depth = self.depth[row, column]
        return np.where(inside & (depth > 0), np.abs(depth - points[:, 2]), np.inf)

    def rough_gaps(self, points: Floats) -> Floats:
        return self.gaps(points)

    def towards(self, points: Floats) -> Floats:
        return np.asarray(-points / np.linalg.norm(points, axis=1, keepdims=True))

    def places(self, count: int) -> Floats:
        rows, columns = np.nonzero(self.depth)
        step = max(1, round(np.sqrt(len(rows) / count)))
        some = (rows % step == 0) & (columns % step == 0)
        rows, columns = rows[some], columns[some]
        return self._lens.points(rows + self._top, columns + self._left, self.depth[rows, columns])

    def _pixels(self, points: Floats) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """Row and column (k,) of points (k, 3) in the window, and whether they are in it."""
        height, width = self.depth.shape
        ahead = points[:, 2] > 0
        at = self._lens.project(np.where(ahead[:, None], points, 1.0))
        pixel = np.clip(np.nan_to_num(np.round(at)), -1e6, 1e6).astype(np.int64) - (self._left, self._top)
        column, row = pixel.T
        inside = ahead & (row >= 0) & (row < height) & (column >= 0) & (column < width)
        return np.where(inside, row, 0), np.where(inside, column, 0), inside

    def _measure_normals(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Outward normals (h, w, 3), and where they are known."""
        z, n = self._smooth, _SLOPE
        normals = np.zeros((*z.shape, 3))
        known = np.zeros(z.shape, bool)
        if min(z.shape) <= 2 * n:
            return normals, known
        inner = slice(n, -n), slice(n, -n)
        left, right, above, below, here = (
            z[n:-n, : -2 * n],
            z[n:-n, 2 * n :],
            z[: -2 * n, n:-n],
            z[2 * n :, n:-n],
            z[inner],
        )
        along, down = (right - left) / (2 * n), (below - above) / (2 * n)
        rows, columns = np.arange(n, z.shape[0] - n) + self._top, np.arange(n, z.shape[1] - n) + self._left
        x, y = (columns[None, :] - self._lens.cx) / self._lens.fx, (rows[:, None] - self._lens.cy) / self._lens.fy
        # with depth z over the pixels, the surface (x z, y z, z) has this normal, towards the camera
        a, b = along * self._lens.fx, down * self._lens.fy
        normal = np.stack([a, b, -(here + x * a + y * b)], axis=2)
        normals[inner] = normal / np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 1e-12)
        known[inner] = (left > 0) & (right > 0) & (above > 0) & (below > 0) & (here > 0)
        return normals, known


class ObservedCloud:
    """Points on a surface: a point's counterpart is the mean of the measured points nearest to it."""

    def __init__(self, cloud: PointCloud) -> None:
        self._points, self._normals = cloud.points, cloud.normals
        self._tree = cKDTree(cloud.points)

    def measured(self, points: Floats) -> Measured:
        if not len(self._points):
            nothing = np.zeros(points.shape)
            return Measured(nothing, nothing, np.zeros(len(points), bool))
        count = min(_NEIGHBOURS, len(self._points))
        near = np.asarray(self._tree.query(points, count)[1]).reshape(len(points), count)
        normals = self._normals[near].mean(axis=1)
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        unit = normals / np.maximum(lengths, 1e-12)
        return Measured(self._points[near].mean(axis=1), unit, lengths[:, 0] > 0.5)

    def gaps(self, points: Floats) -> Floats:
        """Distances (k,) to the nearest measured points."""
        return np.asarray(self._tree.query(points)[0]) if len(self._points) else np.full(len(points), np.inf)

    def rough_gaps(self, points: Floats) -> Floats:
        """Distances (k,) to the nearest measured points, by cells of a grid."""
        low, cell, grid = self._grid
        at = np.rint((points - low) / cell).astype(np.int64)
        inside = ((at >= 0) & (at < grid.shape)).all(axis=1)
        found = np.full(len(points), np.inf)
        found[inside] = grid[tuple(at[inside].T)]
        return found

    @cached_property
    def _grid(self) -> tuple[Floats, float, Floats]:
        """The middle of the first cell, the size of a cell, and the distance of each cell from a measured point."""
        low, high = np.quantile(self._points, [0.01, 0.99], axis=0)
        cell = float((high - low).max()) / _CELLS or 1.0
        low = low - _BEYOND * cell
        shape = np.ceil((high - low) / cell).astype(np.int64) + _BEYOND
        at = np.rint((self._points - low) / cell).astype(np.int64)
        inside = ((at >= 0) & (at < shape)).all(axis=1)
        empty = np.ones(shape, bool)
        empty[tuple(at[inside].T)] = False
        return low, cell, np.asarray(cell * distance_transform_edt(empty))

    def towards(self, points: Floats) -> None:
        return None

    def places(self, count: int) -> Floats:
        return self._points[:: max(1, len(self._points) // count)]


def _window(image: DepthImage, about: Floats | None) -> tuple[int, int, tuple[slice, slice]]:
    """First row and column of the part of a picture about points (k, 3), and the part itself."""
    height, width = image.depth.shape
    if about is None or not (about[:, 2] > 0).all():
        return 0, 0, (slice(0, height), slice(0, width))
    at = np.clip(image.lens.project(about), -1e6, 1e6)
    left, top = np.clip(np.floor(at.min(axis=0)) - _MARGIN, 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(np.ceil(at.max(axis=0)) + _MARGIN + 1, (left + 1, top + 1), (width, height)).astype(int)
    return int(top), int(left), (slice(top, bottom), slice(left, right))


def _averaged(depth: Floats, jump: float) -> Floats:
    """Depth (h, w) averaged over a few pixels; 0 where nothing was seen, and at edges: a share of it off the mean."""
    seen = (depth > 0).astype(np.float64)
    share = uniform_filter(seen, _WINDOW, mode="constant")
    mean = uniform_filter(depth, _WINDOW, mode="constant") / np.maximum(share, 1e-9)
    return np.where((seen > 0) & (np.abs(depth - mean) < jump * depth), mean, 0.0)
