"""The points that are shaded, as in `shading_points.py`, with place, normal and texture coordinates of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.render.compiled.fill import Filled, Ints32
from facewright.render.compiled.jit import compiled
from facewright.render.sample_grid import STEPS
from facewright.render.scene import Scene
from facewright.render.shading_points import counts_and_middles
from facewright.render.tone import Floats32

_MOST = 16  # samples of a pixel


@dataclass(frozen=True, eq=False)
class SurfacePoints:
    """One point for each triangle in each pixel, in the order of the pixels."""

    size: tuple[int, int]  # width, height in pixels
    pixel: Ints32  # (n,)
    triangle: Ints32  # (n,)
    share: Floats32  # (n,) of the pixel
    barycentric: Floats32  # (n, 3)
    depth: Floats32  # (n,) distance from the eye along the view direction
    place: Floats32  # (n, 3)
    normal: Floats32  # (n, 3) unit, on the visible side
    front: NDArray[np.bool_]  # (n,)
    uv: Floats32  # (n, 2), NaN where there are none; (0, 2) without textures
    slopes: Floats32  # (n, 2, 2) of uv by pixels across, then down


def points(seen: Filled, scene: Scene, samples: int, *, perspective: bool) -> SurfacePoints:
    """The points of a picture."""
    grid, count = seen.grid, samples
    stacked = seen.triangle.reshape(grid.rows // count, count, grid.columns)
    n = count_points(stacked)
    with_uvs = scene.uvs is not None and any(made.texture is not None for made in scene.materials)
    size, mapped = (grid.columns, grid.rows // count), n if with_uvs else 0
    found = SurfacePoints(
        size,
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.float32),
        np.empty((n, 3), np.float32),
        np.empty(n, np.float32),
        np.empty((n, 3), np.float32),
        np.empty((n, 3), np.float32),
        np.empty(n, bool),
        np.empty((mapped, 2), np.float32),
        np.empty((mapped, 2, 2), np.float32),
    )
    number, middle = counts_and_middles(count)
    uvs = scene.uvs if scene.uvs is not None and with_uvs else np.zeros((0, 3, 2), np.float32)
    away = seen.corners[:, 3 if perspective else 2]
    _gather(stacked, number, middle, found.pixel, found.triangle, found.share, found.barycentric, found.slopes,
            seen.edges, seen.corners[:, 3].copy(), away, scene.triangles, uvs, found.depth, found.uv)  # fmt: skip
    _place(found.triangle, found.barycentric, scene.positions.astype(np.float32), scene.vertex_normals(),
           scene.triangles, scene.welded, seen.front, found.place, found.normal, found.front)  # fmt: skip
    return found


@compiled
def count_points(stacked: Ints32) -> int:
    """The number of different triangles in the samples (rows, samples, columns) of each pixel, added up."""
    rows, samples, columns = stacked.shape
    total = 0
    for row in range(rows):
        for column in range(columns):
            for i in range(samples):
                new = stacked[row, i, column] >= 0
                for j in range(i):
                    new = new and stacked[row, j, column] != stacked[row, i, column]
                total += new
    return total


@compiled
def _gather(
    stacked: Ints32,
    number: Ints,
    middle: Ints,
    pixel: Ints32,
    triangle: Ints32,
    share: Floats32,
    barycentric: Floats32,
    slopes: Floats32,
    edges: Ints,
    weight: Floats,
    away: Floats,
    triangles: Ints,
    uvs: Floats32,
    depth: Floats32,
    uv: Floats32,
) -> None:
    """Find the points, and where in their triangles they are."""
    rows, samples, columns = stacked.shape
    value, inverse = np.empty(3), np.empty(3)
    n = 0
    for row in range(rows):
        for column in range(columns):
            for i in range(samples):
                t = stacked[row, i, column]
                new = t >= 0
                for j in range(i):
                    new = new and stacked[row, j, column] != t
                if not new:
                    continue
                alike = 0
                for j in range(i, samples):
                    if stacked[row, j, column] == t:
                        alike |= 1 << j
                x, y = column * STEPS + middle[alike, 0], row * samples * STEPS + middle[alike, 1]
                total = 0.0
                for k in range(3):
                    inverse[k] = 1 / weight[triangles[t, k]]
                    value[k] = (edges[t, k, 0] * x + edges[t, k, 1] * y + edges[t, k, 2]) * inverse[k]
                    total += value[k]
                far = 0.0
                for k in range(3):
                    value[k] /= total
                    barycentric[n, k] = value[k]
                    far += value[k] * away[triangles[t, k]]
                pixel[n], triangle[n], depth[n] = row * columns + column, t, far
                share[n] = number[alike] / samples
                if len(uvs):
                    for axis in range(2):
                        step = STEPS if axis == 0 else STEPS * samples
                        every = 0.0
                        for k in range(3):
                            every += edges[t, k, axis] * inverse[k] * step
                        across, down, u, v = 0.0, 0.0, 0.0, 0.0
                        for k in range(3):
                            slope = (edges[t, k, axis] * inverse[k] * step - value[k] * every) / total
                            across += slope * uvs[t, k, 0]
                            down += slope * uvs[t, k, 1]
                            u += value[k] * uvs[t, k, 0]
                            v += value[k] * uvs[t, k, 1]
                        slopes[n, axis, 0], slopes[n, axis, 1] = across, down
                        uv[n, 0], uv[n, 1] = u, v
                n += 1


@compiled
def _place(
    triangle: Ints32,
    barycentric: Floats32,
    positions: Floats32,
    normals: Floats32,
    triangles: Ints,
    welded: Ints,
    front_of: NDArray[np.bool_],
    place: Floats32,
    normal: Floats32,
    front: NDArray[np.bool_],
) -> None:
    """Places and normals of the points."""
    for n in range(len(triangle)):
        t = triangle[n]
        b0, b1, b2 = barycentric[n, 0], barycentric[n, 1], barycentric[n, 2]
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        p, q, r = welded[t, 0], welded[t, 1], welded[t, 2]
        length = np.float32(0)
        for axis in range(3):
            place[n, axis] = b0 * positions[i, axis] + b1 * positions[j, axis] + b2 * positions[k, axis]
            normal[n, axis] = b0 * normals[p, axis] + b1 * normals[q, axis] + b2 * normals[r, axis]
            length += normal[n, axis] * normal[n, axis]
        turned = front_of[t]
        front[n] = turned
        scale = (np.float32(1) if turned else np.float32(-1)) / max(np.sqrt(length), np.float32(1e-6))
        for axis in range(3):
            normal[n, axis] *= scale
