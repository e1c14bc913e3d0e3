"""The nearest triangle at every sample, decided in the same exact integers as in `edges.py` and `raster.py`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.render.camera import Camera
from facewright.render.clipping import GUARD, project
from facewright.render.compiled.jit import compiled
from facewright.render.sample_grid import STEPS, SampleGrid
from facewright.render.window import Window

Ints32 = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Filled:
    """What `fill` finds: depths and triangles of the samples, and edges of the triangles."""

    grid: SampleGrid
    corners: Floats  # (v, 4) homogeneous pixel coordinates
    depth: Floats  # (rows * columns,) as in `Visible`
    triangle: Ints32  # (rows * columns,) -1: nothing
    edges: Ints  # (t, 3, 3) a, b and c of each edge
    front: NDArray[np.bool_]  # (t,) whether the counterclockwise side faces the eye


def filled(
    camera: Camera,
    positions: Floats,
    triangles: Ints,
    size: tuple[int, int],
    *,
    samples: int = 1,
    window: Window | None = None,
) -> Filled | None:
    """As `visible`; None where a triangle would have to be clipped."""
    window = window or Window(0, 0, *size)
    grid = SampleGrid.of((window.width, window.height), samples)
    corners = project(camera, positions, size)
    corners[:, :2] -= corners[:, 3:] * (window.left, window.top)
    corners[:, 1] *= samples
    if not _is_whole(camera, corners):
        return None
    depth, triangle = np.full(grid.rows * grid.columns, np.inf), np.full(grid.rows * grid.columns, -1, np.int32)
    edges = np.zeros((len(triangles), 3, 3), np.int64)
    front = np.zeros(len(triangles), bool)
    fill(corners, triangles, grid.rows, grid.columns, grid.shifts, depth, triangle, edges, front)
    return Filled(grid, corners, depth, triangle, edges, front)


def _is_whole(camera: Camera, corners: Floats) -> bool:
    """Whether all corners are before the eye and not far outside the picture."""
    if not len(corners):
        return True
    away = corners[:, 3] if camera.perspective else corners[:, 2]
    if not away.min() > camera.near:
        return False
    return bool((np.abs(corners[:, :2]) < GUARD * corners[:, 3:]).all())


@compiled
def fill(
    corners: Floats,
    triangles: Ints,
    rows: int,
    columns: int,
    shifts: Ints,
    depth: Floats,
    winner: Ints32,
    edges: Ints,
    front: NDArray[np.bool_],
) -> None:
    """Fill depth and winner (rows * columns,) with the nearest triangles, edges (t, 3, 3) and front (t,)
    with those of all triangles.
    """
    x, y, d = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(3)
    a, b, c, bias = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(3, np.int64), np.empty(3, np.int64)
    high = np.empty(3)
    pattern = len(shifts)
    for t in range(len(triangles)):
        for i in range(3):
            corner = corners[triangles[t, i]]
            x[i] = np.int64(np.rint(corner[0] / corner[3] * STEPS))
            high[i] = corner[1] / corner[3]
            y[i] = np.int64(np.rint(high[i] * STEPS))
            d[i] = corner[2] / corner[3]
        area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0])
        if area == 0:
            continue
        front[t] = area < 0
        sign = -1 if area < 0 else 1
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            a[i], b[i] = sign * (y[j] - y[k]), sign * (x[k] - x[j])
            c[i] = -(a[i] * x[j] + b[i] * y[j])
            bias[i] = 0 if a[i] > 0 or (a[i] == 0 and b[i] > 0) else 1
            edges[t, i, 0], edges[t, i, 1], edges[t, i, 2] = a[i], b[i], c[i]
        total = c[0] + c[1] + c[2]
        rise0, rise1, rise2 = (d[0] - d[0]) / total, (d[1] - d[0]) / total, (d[2] - d[0]) / total
        origin = d[0] + (c[0] * rise0 + c[1] * rise1 + c[2] * rise2)
        slope_x = a[0] * rise0 + a[1] * rise1 + a[2] * rise2
        slope_y = b[0] * rise0 + b[1] * rise1 + b[2] * rise2
        low_y, high_y = min(high[0], high[1], high[2]), max(high[0], high[1], high[2])
        top = max(int(np.ceil(low_y - 0.5 - 1 / STEPS)), 0)
        bottom = min(int(np.floor(high_y - 0.5 + 1 / STEPS)), rows - 1)
        for row in range(top, bottom + 1):
            shift, down = shifts[row % pattern], row * STEPS + STEPS // 2
            first, last = 0, columns - 1
            for i in range(3):
                rest = a[i] * shift + b[i] * down + (c[i] - bias[i])
                if a[i] > 0:
                    first = max(first, -_floored(rest, a[i] * STEPS))
                elif a[i] < 0:
                    last = min(last, _floored(rest, -a[i] * STEPS))
                elif rest < 0:
                    last = -1
            if last < first:
                continue
            start = origin + slope_y * down + slope_x * (shift + first * STEPS)
            step = slope_x * STEPS
            base = row * columns + first
            for i in range(last - first + 1):
                here = start + step * i
                if here < depth[base + i]:
                    depth[base + i] = here
                    winner[base + i] = t


@compiled
def _floored(value: int, by: int) -> int:
    """The quotient rounded down, exactly; a division of floats is sooner than one of integers."""
    found = int(np.floor(float(value) / float(by)))
    while found * by > value:
        found -= 1
    while (found + 1) * by <= value:
        found += 1
    return found
