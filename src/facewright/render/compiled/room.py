"""Ambient occlusion, as in `occlusion.py`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from facewright.arrays import Ints
from facewright.render.compiled.fill import Ints32
from facewright.render.compiled.jit import compiled
from facewright.render.compiled.points import SurfacePoints
from facewright.render.occlusion import BLUR, LEAST, STRENGTH, TAPS, room_taps
from facewright.render.tone import Floats32


def openness(points: SurfacePoints, reach: float, cell: int, scale: float) -> Floats32:
    """Share (n,) of the room's light at the points, from what occludes them within `reach` pixels.

    cell: it is computed at every cell-th pixel, both ways. scale: pixels in a unit of length.
    """
    width, height = points.size
    shape = (-(-height // cell), -(-width // cell))
    place, normal, full = np.zeros((*shape, 3), np.float32), np.zeros((*shape, 3), np.float32), np.zeros(shape, bool)
    _pick(points.pixel, points.place, points.normal, width, cell, np.float32(scale), place, normal, full)
    over = np.zeros(shape, np.float32)
    _occlude(place, normal, full, np.array(room_taps(reach / cell)), np.float32(1.6 * reach), over)
    open_share = np.clip(1 - np.float32(STRENGTH / TAPS) * over, np.float32(LEAST), 1) * full
    cover = np.maximum(gaussian_filter(full.astype(np.float32), BLUR), np.float32(1e-3))
    smooth = np.asarray(gaussian_filter(open_share, BLUR) / cover, np.float32)
    found = np.empty(len(points.pixel), np.float32)
    _interpolate(points.pixel, width, cell, smooth, np.float32(LEAST), found)
    return found


@compiled
def _pick(
    pixel: Ints32,
    places: Floats32,
    normals: Floats32,
    width: int,
    cell: int,
    scale: np.float32,
    place: Floats32,
    normal: Floats32,
    full: NDArray[np.bool_],
) -> None:
    """Places, in pixels, and normals of the points at every cell-th pixel."""
    for n in range(len(pixel)):
        row, column = pixel[n] // width, pixel[n] % width
        if row % cell or column % cell:
            continue
        full[row // cell, column // cell] = True
        for axis in range(3):
            place[row // cell, column // cell, axis] = places[n, axis] * scale
            normal[row // cell, column // cell, axis] = normals[n, axis]


@compiled
def _occlude(
    place: Floats32, normal: Floats32, full: NDArray[np.bool_], offsets: Ints, most: np.float32, over: Floats32
) -> None:
    """What rises above each cell's surface, summed over the offsets."""
    rows, columns = full.shape
    for row in range(rows):
        for column in range(columns):
            if not full[row, column]:
                continue
            x, y, z = place[row, column]
            nx, ny, nz = normal[row, column]
            total = np.float32(0)
            for k in range(len(offsets)):
                j, i = row + offsets[k, 1], column + offsets[k, 0]
                if not (0 <= j < rows and 0 <= i < columns) or not full[j, i]:
                    continue
                dx, dy, dz = place[j, i, 0] - x, place[j, i, 1] - y, place[j, i, 2] - z
                length = np.sqrt(dx * dx + dy * dy + dz * dz) + np.float32(1e-6)
                rise = (dx * nx + dy * ny + dz * nz) / length - np.float32(0.12)
                near = np.float32(1) - length / most
                if rise > 0 and near > 0:
                    total += rise * near
            over[row, column] = total


@compiled
def _interpolate(pixel: Ints32, width: int, cell: int, smooth: Floats32, least: np.float32, found: Floats32) -> None:
    """Values of the cells at the points, linearly interpolated."""
    rows, columns = smooth.shape
    for n in range(len(pixel)):
        row, column = pixel[n] // width, pixel[n] % width
        down, right = np.float32(row % cell) / np.float32(cell), np.float32(column % cell) / np.float32(cell)
        j, i = row // cell, column // cell
        below, beside = min(j + 1, rows - 1), min(i + 1, columns - 1)
        upper = smooth[j, i] + right * (smooth[j, beside] - smooth[j, i])
        lower = smooth[below, i] + right * (smooth[below, beside] - smooth[below, i])
        found[n] = min(max(upper + down * (lower - upper), least), np.float32(1))
