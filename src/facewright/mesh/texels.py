"""The texels of a texture on the surface: their triangle, their place in it, and their island in the layout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons, Uvs

Ints32 = NDArray[np.int32]

_BATCH = 2**20  # texels processed at a time
_MOST_SPANS = 2**26  # a layout that covers the picture once has a hundredth of it
_EDGE = 1e-6  # of a texel: a texel on an edge belongs to both sides, so that there are no cracks


@dataclass(frozen=True, eq=False)
class Texels:
    """Texels whose centres are covered by a triangle. Row 0 is the top, where v is 1."""

    size: tuple[int, int]  # h, w
    at: Ints  # (n,) index into the flattened picture, increasing
    triangle: Ints32  # (n,)
    barycentric: NDArray[np.float32]  # (n, 3)

    @classmethod
    def of(
        cls, polygons: Polygons, uvs: Uvs, size: tuple[int, int], *, chosen: NDArray[np.bool_] | None = None
    ) -> Texels:
        """All texels, or those of chosen triangles (t,). Where triangles overlap, the first one counts.

        Coordinates beyond [0, 1] repeat the picture; triangles that are larger than the whole picture are left out.
        """
        if min(size) < 1:
            raise BadValue(f"a texture has at least one texel, not {size[0]} x {size[1]}")
        corners = uvs.corners[polygons.triangle_corners]
        used = (corners >= 0).all(axis=1) if chosen is None else (corners >= 0).all(axis=1) & chosen
        which = np.flatnonzero(used)
        return cls(size, *_covered(_places(uvs.coordinates[corners[which]], size), which, size))

    def mix(self, corner_values: NDArray[np.floating]) -> NDArray[np.float32]:
        """Values (n, k) from values (t, 3, k) at the triangles' corners."""
        near = corner_values.astype(np.float32, copy=False)
        found = near[self.triangle, 0] * self.barycentric[:, :1]
        for corner in (1, 2):
            found += near[self.triangle, corner] * self.barycentric[:, corner : corner + 1]
        return np.asarray(found)

    def picture(self, values: NDArray[np.generic], empty: float = 0) -> NDArray[np.generic]:
        """Values (n, ...) of the texels as a picture (h, w, ...)."""
        flat = np.full((self.size[0] * self.size[1], *values.shape[1:]), empty, values.dtype)
        flat[self.at] = values
        return flat.reshape(*self.size, *values.shape[1:])


def islands(polygons: Polygons, uvs: Uvs) -> Ints:
    """The island (t,) of each triangle: triangles that share a vertex with the same coordinates are connected.

    -1 for a triangle without coordinates.
    """
    has = uvs.corners >= 0
    place = np.full((len(uvs.corners), 2), np.nan, np.float32)
    place[has] = uvs.coordinates[uvs.corners[has]] + np.float32(0)  # avoids a negative zero
    keys = np.ascontiguousarray(place).view(np.uint64)[:, 0]
    point = np.unique(np.stack([polygons.corners.astype(np.uint64), keys], axis=1), axis=0, return_inverse=True)[1]
    fan = point.ravel()[polygons.triangle_corners]
    fine = has[polygons.triangle_corners].all(axis=1)
    start, end = np.concatenate([fan[fine, 0]] * 2), np.concatenate([fan[fine, 1], fan[fine, 2]])
    count = int(point.max(initial=-1)) + 1
    _, of_point = connected_components(coo_array((np.ones(len(start), bool), (start, end)), (count, count)), False)
    found = np.full(len(fan), -1)
    found[fine] = np.unique(of_point[fan[fine, 0]], return_inverse=True)[1]
    return found


def _places(coordinates: Floats, size: tuple[int, int]) -> Floats:
    """Corners (t, 3, 2) in texels, x to the right and y down, shifted so that each triangle's
    centre is in the picture.
    """
    middle = coordinates.mean(axis=1, keepdims=True)
    moved = coordinates - np.floor(middle)
    return np.stack([moved[..., 0] * size[1], (1 - moved[..., 1]) * size[0]], axis=-1)


def _covered(places: Floats, which: Ints, size: tuple[int, int]) -> tuple[Ints, Ints32, NDArray[np.float32]]:
    height, width = size
    extent = np.ptp(places, axis=1)
    fine = (extent[:, 0] <= width) & (extent[:, 1] <= height) & (_doubled_area(places) != 0)
    places, which = places[fine], which[fine]
    row, piece, first, count = _spans(places)
    owner = np.full(height * width, -1, np.int32)
    spans = _batches(count)
    found = []
    for some in reversed(spans):  # the first triangle is written last, and stays
        span = np.repeat(np.arange(some.start, some.stop), count[some])[::-1]
        step = (np.arange(len(span)) - np.repeat(np.cumsum(count[some]) - count[some], count[some]))[::-1]
        owner[row[span] % height * width + (first[span] + step) % width] = piece[span]
    at = np.flatnonzero(owner >= 0)
    for start in range(0, len(at), _BATCH):
        some = at[start : start + _BATCH]
        found.append(_shares(places[owner[some]], some, size))
    shares = np.concatenate(found) if found else np.zeros((0, 3), np.float32)
    return at, which[owner[at]].astype(np.int32), shares


def _doubled_area(places: Floats) -> Floats:
    (ax, ay), (bx, by) = (places[:, 1] - places[:, 0]).T, (places[:, 2] - places[:, 0]).T
    return np.asarray(ax * by - ay * bx)


def _spans(places: Floats) -> tuple[Ints, Ints, Ints, Ints]:
    """Row, triangle, first column and number of columns of each run of texels whose centres a triangle covers."""
    top = np.ceil(places[:, :, 1].min(axis=1) - 0.5 - _EDGE).astype(np.int64)
    rows = np.floor(places[:, :, 1].max(axis=1) - 0.5 + _EDGE).astype(np.int64) - top + 1
    if rows.sum() > _MOST_SPANS:
        raise BadValue(f"the layout's triangles have {rows.sum():,} rows of texels; at most {_MOST_SPANS:,} are drawn")
    piece = np.repeat(np.arange(len(places)), rows)
    row = np.arange(len(piece)) - np.repeat(np.cumsum(rows) - rows, rows) + top[piece]
    low, high = np.full(len(piece), -np.inf), np.full(len(piece), np.inf)
    turn = np.sign(_doubled_area(places))[piece]
    for corner in range(3):
        (x0, y0), (x1, y1) = places[piece, corner].T, places[piece, (corner + 1) % 3].T
        down = (y1 - y0) * turn
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = x0 + (row + 0.5 - y0) * (x1 - x0) / (y1 - y0)
        np.maximum(low, cross, out=low, where=down < 0)
        np.minimum(high, cross, out=high, where=down > 0)
    first = np.ceil(low - 0.5 - _EDGE).astype(np.int64)
    count = np.floor(high - 0.5 + _EDGE).astype(np.int64) - first + 1
    some = np.flatnonzero(count > 0)
    return row[some], piece[some], first[some], count[some]


def _batches(count: Ints) -> list[slice]:
    if not len(count):
        return []
    ends = np.cumsum(count)
    stops = np.unique(np.searchsorted(ends, np.arange(_BATCH, ends[-1] + _BATCH, _BATCH)) + 1).clip(max=len(count))
    return [slice(int(i), int(j)) for i, j in zip(np.r_[0, stops[:-1]], stops, strict=True) if j > i]


def _shares(places: Floats, at: Ints, size: tuple[int, int]) -> NDArray[np.float32]:
    """Barycentrics (n, 3) of texels in their triangles; a texel beyond the border belongs to the nearest copy."""
    height, width = size
    middle = places.mean(axis=1)
    here = np.stack([at % width + 0.5, at // width + 0.5], axis=1)
    here += np.rint((middle - here) / (width, height)) * (width, height)
    (ax, ay), (bx, by), (px, py) = ((there - places[:, 0]).T for there in (places[:, 1], places[:, 2], here))
    whole = ax * by - ay * bx
    second, third = (px * by - py * bx) / whole, (ax * py - ay * px) / whole
    return np.stack([1 - second - third, second, third], axis=1).astype(np.float32)
