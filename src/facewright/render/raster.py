"""The rasteriser: triangles to samples with a depth buffer, in operations on whole arrays of covered samples."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.options import suggests_options
from facewright.render.camera import Camera
from facewright.render.clipping import ClippedTriangles, cut, project
from facewright.render.edges import Edges, depth_planes, find_edges, rows, spans
from facewright.render.sample_grid import STEPS, SampleGrid
from facewright.render.window import Window

_BATCH = 2**18  # samples processed at a time; they fit the cache of a core


@dataclass(frozen=True, eq=False)
class Samples:
    """The visible surface at each covered sample of a grid (rows, columns), row by row from the top left."""

    shape: tuple[int, int]  # rows, columns
    at: Ints  # (n,) index into the flattened grid, ascending
    triangle: Ints  # (n,)
    barycentric: Floats  # (n, 3) of the triangle's corners, in space: corrected for perspective
    depth: Floats  # (n,) distance from the eye along the view direction
    front: NDArray[np.bool_]  # (n,) whether the counterclockwise side of the triangle faces the eye

    def pick(self, which: Ints | slice) -> "Samples":
        """Some of the samples."""
        kept = (getattr(self, name)[which] for name in ("at", "triangle", "barycentric", "depth", "front"))
        return Samples(self.shape, *kept)

    def grid(self, values: NDArray[Any], empty: Any = 0) -> NDArray[Any]:
        """Values (n, ...) of the samples on the grid (rows, columns, ...)."""
        rows, columns = self.shape
        grid = np.full((rows * columns, *values.shape[1:]), empty, dtype=values.dtype)
        grid[self.at] = values
        return grid.reshape(rows, columns, *values.shape[1:])

    def mix(self, corner_values: NDArray[Any]) -> NDArray[Any]:
        """Values (n, k) from values (t, 3, k) at the triangles' corners."""
        near = corner_values[self.triangle]
        b = self.barycentric.astype(corner_values.dtype, copy=False)
        return cast(NDArray[Any], np.einsum("nc,nck->nk", b, near))


@dataclass(frozen=True, eq=False)
class Visible:
    """The nearest triangle at every sample of a grid (rows, columns)."""

    camera: Camera
    samples_per_pixel: int
    depth: Floats  # (rows, columns) distance for parallel rays, -1 / distance in perspective; inf: nothing
    triangle: NDArray[np.int32]  # (rows, columns), -1: nothing
    _piece: NDArray[np.int32]  # (rows * columns,)
    _edges: Edges
    _corners: ClippedTriangles
    _grid: SampleGrid

    def samples(self, at: Ints | None = None, shift: Ints | int = 0) -> Samples:
        """All covered samples, or those at the given places in the flattened grid.

        shift (n, 2): offset in fixed point; the same triangles are evaluated that far beside the samples.
        """
        if at is None:
            at = np.flatnonzero(self._piece >= 0)
        piece = self._piece[at].astype(np.int64)
        shares = _shares(self._edges, self._corners, piece, *self._places(at, shift))
        depth = (shares * _distances(self.camera, self._corners)[piece]).sum(axis=1)
        whole = _of_source(self._corners, piece, shares)
        shape = (self._grid.rows, self._grid.columns)
        return Samples(shape, at, self._corners.source[piece], whole, depth, self._edges.flipped[piece])

    def _places(self, at: Ints, shift: Ints | int = 0) -> tuple[Ints, Ints]:
        """Positions of samples in fixed point: x (n,) and y (n,)."""
        row, column = np.divmod(at, self._grid.columns)
        right, down = np.broadcast_to(shift, (len(at), 2)).T
        return self._grid.x(row, column) + right, self._grid.y(row) + down

    def slopes(self, at: Ints) -> NDArray[np.float32]:
        """Derivatives (n, 3, 2) of the barycentrics by x and y in pixels, at places in the flattened grid."""
        piece = self._piece[at].astype(np.int64)
        x, y = self._places(at)
        weight = self._corners.clip[:, :, 3].T  # (3, pieces)
        edges = self._edges
        along, down = edges.a / weight * STEPS, edges.b / weight * STEPS * self.samples_per_pixel
        value = [(a[piece] * x + b[piece] * y + c[piece]) / w[piece] for a, b, c, w in
                 zip(edges.a, edges.b, edges.c, weight, strict=True)]  # fmt: skip
        total = sum(value)
        found = np.empty((len(at), 3, 2), np.float32)
        for axis, slope in enumerate((along, down)):
            all = slope.sum(axis=0)[piece]
            for corner in range(3):
                found[:, corner, axis] = (slope[corner][piece] - value[corner] / total * all) / total
        weights = self._corners.weight[piece] if _is_cut(self._corners).any() else None
        return found if weights is None else np.einsum("ncd,ncs->nsd", found, weights).astype(np.float32)


def visible(
    camera: Camera,
    positions: Floats,
    triangles: Ints,
    size: tuple[int, int],
    *,
    samples: int = 1,
    window: Window | None = None,
    between: tuple[Floats, Floats] | None = None,
) -> Visible:
    """The nearest triangle at each sample of a picture (width, height); the first of equally near ones.

    A single sample is at the centre of its pixel. window: the part of the picture to draw.
    between: only what is further than one depth (rows, columns) and nearer than another, as `Visible.depth` has them.
    """
    window = window or Window(0, 0, *size)
    grid = SampleGrid.of((window.width, window.height), samples)
    clip = project(camera, positions, size)
    clip[:, :2] -= clip[:, 3:] * (window.left, window.top)
    clip[:, 1] *= samples
    corners = cut(camera, clip, triangles)
    edges, kept = find_edges(corners)
    corners = corners.pick(kept)
    depth, piece = _nearest(edges, corners, grid, between)
    triangle = np.append(corners.source, -1).astype(np.int32)[piece]
    shape = (grid.rows, grid.columns)
    return Visible(camera, samples, depth.reshape(shape), triangle.reshape(shape), piece, edges, corners, grid)


@suggests_options
def rasterise(
    camera: Camera, positions: Floats, triangles: Ints, size: tuple[int, int], *, samples: int = 1
) -> Samples:
    """The visible surface at every covered sample of a picture (width, height)."""
    return visible(camera, positions, triangles, size, samples=samples).samples()


def _nearest(
    edges: Edges, corners: ClippedTriangles, grid: SampleGrid, between: tuple[Floats, Floats] | None = None
) -> tuple[Floats, NDArray[np.int32]]:
    """Screen depth and index of the nearest piece at every sample (rows * columns,); inf and -1 where there is none."""
    row, piece = rows(corners, grid.rows)
    first, last = spans(edges, piece, row, grid)
    full = np.flatnonzero(last >= first)
    row, piece, first, count = row[full], piece[full], first[full], (last - first + 1)[full]
    origin, slope_x, slope_y = depth_planes(edges, corners)
    depth0 = origin[piece] + slope_y[piece] * grid.y(row) + slope_x[piece] * grid.x(row, first)
    rise = (slope_x * STEPS)[piece]
    start = row * grid.columns + first
    depth = np.full(grid.rows * grid.columns, np.inf) if between is None else between[1].ravel().copy()
    beyond = None if between is None else between[0].ravel()
    winner = np.full(grid.rows * grid.columns, -1, np.int32)
    for some in _batches(count):
        span = np.repeat(np.arange(some.start, some.stop), count[some])
        step = np.arange(len(span)) - np.repeat(np.cumsum(count[some]) - count[some], count[some])
        _keep_nearer(depth, winner, start[span] + step, depth0[span] + rise[span] * step, piece[span], beyond)
    return depth, winner


def _keep_nearer(
    depth: Floats, winner: NDArray[np.int32], at: Ints, new: Floats, piece: Ints, beyond: Floats | None
) -> None:
    closer = np.flatnonzero(new < depth[at] if beyond is None else (new < depth[at]) & (new > beyond[at]))
    at, new, piece = at[closer], new[closer], piece[closer]
    np.minimum.at(depth, at, new)
    won = np.flatnonzero(new == depth[at])[::-1]  # backwards: the last write to a sample stays, and is the first piece
    winner[at[won]] = piece[won]


def _batches(count: Ints) -> list[slice]:
    """Ranges of spans with about _BATCH samples each."""
    if not len(count):
        return []
    ends = np.cumsum(count)
    stops = np.unique(np.searchsorted(ends, np.arange(_BATCH, ends[-1] + _BATCH, _BATCH), side="left") + 1)
    stops = np.minimum(stops, len(count))
    return [slice(int(i), int(j)) for i, j in zip(np.r_[0, stops[:-1]], stops, strict=True) if j > i]


def _shares(edges: Edges, corners: ClippedTriangles, piece: Ints, x: Ints, y: Ints) -> Floats:
    """Barycentrics (n, 3) of the samples in their pieces."""
    shares = np.empty((len(x), 3))
    for i in range(3):
        inside = edges.a[i][piece] * x + edges.b[i][piece] * y + edges.c[i][piece]
        # Values that are linear in space are hyperbolic on the screen.
        np.divide(inside, corners.clip[:, i, 3][piece], out=shares[:, i])
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def _of_source(corners: ClippedTriangles, piece: Ints, shares: Floats) -> Floats:
    """Barycentrics (n, 3) in the triangles that the pieces were cut from."""
    cut_samples = np.flatnonzero(_is_cut(corners)[piece])
    shares[cut_samples] = np.einsum("nc,ncs->ns", shares[cut_samples], corners.weight[piece[cut_samples]])
    return shares


def _is_cut(corners: ClippedTriangles) -> NDArray[np.bool_]:
    return cast(NDArray[np.bool_], (corners.weight != np.eye(3)).any(axis=(1, 2)))


def _distances(camera: Camera, corners: ClippedTriangles) -> Floats:
    return corners.clip[:, :, 3] if camera.perspective else corners.clip[:, :, 2]
