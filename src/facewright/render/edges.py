"""Which samples lie in a triangle, decided in exact integers.

Corners are rounded to fixed point, and a sample on an edge belongs to exactly one of the triangles that share it
(top-left rule), so that there are no cracks and no sample is drawn twice. Each row of a triangle is one span of
samples, found by integer division.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.render.clipping import GUARD, ClippedTriangles
from facewright.render.sample_grid import STEPS, SampleGrid


@dataclass(frozen=True, eq=False)
class Edges:
    """Per triangle: e_i(x, y) = a_i x + b_i y + c_i in fixed point; a sample is inside where all e_i >= bias_i."""

    a: Ints  # (3, n)
    b: Ints  # (3, n)
    c: Ints  # (3, n)
    bias: Ints  # (3, n) 0 where samples on the edge belong to the triangle, else 1
    flipped: NDArray[np.bool_]  # (n,) counterclockwise as seen from the eye; clockwise is positive, because y goes down


def find_edges(corners: ClippedTriangles) -> tuple[Edges, Ints]:
    """Edge functions of the triangles that have an area on the fixed-point grid, and the indices of these triangles."""
    xy = corners.clip[:, :, :2] / corners.clip[:, :, 3:]
    fixed = np.rint(np.clip(xy, -GUARD, GUARD) * STEPS).astype(np.int64)
    x, y = fixed[:, :, 0].T, fixed[:, :, 1].T  # (3, n)
    area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0])
    kept = np.flatnonzero(area)
    x, y, flipped = x[:, kept], y[:, kept], area[kept] < 0
    sign = np.where(flipped, -1, 1)
    # Edge i lies opposite corner i, from corner i+1 to corner i+2.
    (x0, y0), (x1, y1) = (np.roll(x, -1, 0), np.roll(y, -1, 0)), (np.roll(x, -2, 0), np.roll(y, -2, 0))
    a, b = sign * (y0 - y1), sign * (x1 - x0)
    c = -(a * x0 + b * y0)
    # y goes down: inside is to the right of a rising edge (left side, a > 0) and below a level one (top, b > 0).
    owns = (a > 0) | ((a == 0) & (b > 0))
    return Edges(a, b, c, np.where(owns, 0, 1), flipped), kept


def rows(corners: ClippedTriangles, height: int) -> tuple[Ints, Ints]:
    """Every row of samples that a triangle's box meets, and the triangle."""
    y = corners.clip[:, :, 1] / corners.clip[:, :, 3]
    # One fixed-point step wider than the box; the exact edges decide.
    top = np.clip(np.ceil(y.min(axis=1) - 0.5 - 1 / STEPS), 0, height).astype(np.int64)
    bottom = np.clip(np.floor(y.max(axis=1) - 0.5 + 1 / STEPS), -1, height - 1).astype(np.int64)
    count = np.maximum(bottom - top + 1, 0)
    piece = np.repeat(np.arange(len(count)), count)
    row = np.arange(len(piece)) - np.repeat(np.cumsum(count) - count, count) + top[piece]
    return row, piece


def spans(edges: Edges, piece: Ints, row: Ints, grid: SampleGrid) -> tuple[Ints, Ints]:
    """First and last covered column of each row of each triangle; last < first if none is covered."""
    first, last = np.zeros(len(row), np.int64), np.full(len(row), grid.columns - 1, np.int64)
    x, y = grid.x(row, 0), grid.y(row)
    for a, b, c, bias in zip(edges.a, edges.b, edges.c, edges.bias, strict=True):
        a = a[piece]
        rest = a * x + b[piece] * y + (c - bias)[piece]
        # Inside: a STEPS column + rest >= 0. One division serves both sides.
        whole = rest // np.maximum(np.abs(a) * STEPS, 1)
        np.maximum(first, -whole, out=first, where=a > 0)
        np.minimum(last, whole, out=last, where=a < 0)
        last[(a == 0) & (rest < 0)] = -1
    return first, last


def depth_planes(edges: Edges, corners: ClippedTriangles) -> tuple[Floats, Floats, Floats]:
    """Screen depth of each triangle as a plane in fixed point: origin, slope along x, slope along y."""
    d = (corners.clip[:, :, 2] / corners.clip[:, :, 3]).T  # (3, n)
    # The edge functions sum to the area everywhere. Depths relative to the first corner keep level triangles exactly
    # level.
    rise = (d - d[0]) / edges.c.sum(axis=0)
    return d[0] + (edges.c * rise).sum(axis=0), (edges.a * rise).sum(axis=0), (edges.b * rise).sum(axis=0)
