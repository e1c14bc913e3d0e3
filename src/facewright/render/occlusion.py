"""Screen-space ambient occlusion: the share of the room's light at each point, from the picture's depth."""

from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, map_coordinates

from facewright.arrays import Floats, Ints
from facewright.render.tone import Floats32

TAPS = 28
STRENGTH = 1.9
LEAST = 0.06  # light that reaches the deepest crevice
BLUR = 1.1  # cells, standard deviation


def openness(
    pixel: Ints, size: tuple[int, int], seen: Floats | Floats32, normals: Floats | Floats32, reach: float, cell: int
) -> Floats32:
    """Share (n,) of the room's light at points in the given pixels, from what occludes them within `reach` pixels.

    seen (n, 3) and normals (n, 3) are in the camera's right, up and forward; the unit of length is a pixel.
    cell: it is computed at every cell-th pixel, both ways, and interpolated between.
    """
    place, normal, full = _cells(pixel, size, cell, seen, normals)
    over = np.zeros(full.shape, np.float32)
    for dx, dy in room_taps(reach / cell):
        here, there = _overlap(full.shape, dx, dy)
        away = [p[there] - p[here] for p in place]
        length = np.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2) + np.float32(1e-6)
        rise = sum(a * n[here] for a, n in zip(away, normal, strict=True)) / length
        near = np.maximum(1 - length / np.float32(1.6 * reach), 0)
        over[here] += np.maximum(rise - np.float32(0.12), 0) * near * full[there]
    open_share = np.clip(1 - STRENGTH / TAPS * over, LEAST, 1) * full
    smooth = gaussian_filter(open_share, BLUR) / np.maximum(gaussian_filter(full.astype(np.float32), BLUR), 1e-3)
    at = np.stack([pixel // size[0], pixel % size[0]]) / cell
    return cast(Floats32, np.clip(map_coordinates(smooth, at, order=1, mode="nearest"), LEAST, 1))


def _cells(
    pixel: Ints, size: tuple[int, int], cell: int, seen: Floats | Floats32, normals: Floats | Floats32
) -> tuple[Floats32, Floats32, NDArray[np.bool_]]:
    """Positions and normals (3, rows, columns) at every cell-th pixel, and which of them show something."""
    width, height = size
    row, column = pixel // width, pixel % width
    chosen = np.flatnonzero((row % cell == 0) & (column % cell == 0))
    at = row[chosen] // cell, column[chosen] // cell
    shape = (-(-height // cell), -(-width // cell))
    full = np.zeros(shape, bool)
    full[at] = True
    place, normal = np.zeros((3, *shape), np.float32), np.zeros((3, *shape), np.float32)
    place[:, *at], normal[:, *at] = seen[chosen].T, normals[chosen].T
    return place, normal, full


def room_taps(reach: float) -> list[tuple[int, int]]:
    """Integer offsets on a spiral, denser near the centre, so that small creases count as much as large hollows."""
    i = np.arange(TAPS) + 1.0
    radius = np.maximum(reach * (i / TAPS) ** 1.3, 1.0)
    angle = i * np.pi * (3 - 5**0.5)
    x, y = np.rint(radius * np.cos(angle)).astype(int), np.rint(radius * np.sin(angle)).astype(int)
    return [(int(dx), int(dy)) for dx, dy in zip(x, y, strict=True) if (dx, dy) != (0, 0)]


def _overlap(shape: tuple[int, ...], dx: int, dy: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Cells that have a neighbour at the offset, and these neighbours."""
    rows, columns = shape
    here = (slice(max(0, -dy), rows - max(0, dy)), slice(max(0, -dx), columns - max(0, dx)))
    there = (slice(max(0, dy), rows + min(0, dy)), slice(max(0, dx), columns + min(0, dx)))
    return here, there
