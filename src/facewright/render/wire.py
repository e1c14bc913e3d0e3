"""The edges of the mesh as thin dark lines on the surface."""

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints, indices
from facewright.render.camera import Camera
from facewright.render.clipping import project
from facewright.render.shading_points import ShadingPoints
from facewright.render.tone import Floats32

_WIDTH = 0.9  # pixels, at a picture 800 pixels high
_DARK = 0.72  # share of the light that a line takes away
_ROOMY = 7.0  # pixels across a triangle above which lines have full strength, so that dense meshes do not turn black


def wire_ink(
    camera: Camera,
    positions: Floats,
    triangles: Ints,
    points: ShadingPoints,
    size: tuple[int, int],
    *,
    edges: ArrayLike | None = None,
) -> Floats32:
    """The share of each point (n,) that a line covers; edges (e, 2): those to draw, or None for all."""
    corners = triangles[points.samples.triangle]
    if not len(corners):
        return np.zeros(0, np.float32)
    high = heights(camera, positions, triangles, size)
    drawn = drawn_edges(triangles, edges, len(positions))
    away = np.where(drawn[points.samples.triangle], points.samples.barycentric * high[points.samples.triangle], np.inf)
    ink = strength(high)[points.samples.triangle] * np.clip(line_width(size) / 2 + 0.5 - away.min(axis=1), 0, 1)
    return cast(Floats32, ink.astype(np.float32))


def line_width(size: tuple[int, int]) -> float:
    """The width of lines in pixels."""
    return max(_WIDTH * size[1] / 800, 0.8)


def strength(heights: Floats) -> Floats:
    """The share of light (t,) that a line takes in triangles of some heights (t, 3)."""
    return cast(Floats, _DARK * np.clip(heights.max(axis=1) / _ROOMY, 0.1, 1))


def heights(camera: Camera, positions: Floats, triangles: Ints, size: tuple[int, int]) -> Floats:
    """Pixels (t, 3) from each corner to the opposite edge."""
    clip = project(camera, positions, size)
    least = camera.near if camera.perspective else 1.0
    xy = (clip[:, :2] / np.maximum(clip[:, 3:], least))[triangles]  # (t, 3, 2)
    along = np.roll(xy, -2, axis=1) - np.roll(xy, -1, axis=1)
    area = np.abs(along[:, 0, 0] * along[:, 1, 1] - along[:, 0, 1] * along[:, 1, 0])
    return cast(Floats, area[:, None] / np.maximum(np.linalg.norm(along, axis=2), 1e-9))


def drawn_edges(triangles: Ints, edges: ArrayLike | None, count: int) -> NDArray[np.bool_]:
    """Which edges (t, 3), each opposite its corner, are among the given ones; all if none are given."""
    if edges is None:
        return np.ones(triangles.shape, bool)
    wanted = np.sort(indices("edges", edges, (None, 2), below=count), axis=1)
    ends = np.sort(np.stack([np.roll(triangles, -1, axis=1), np.roll(triangles, -2, axis=1)], axis=2), axis=2)
    return np.isin(ends[:, :, 0] * count + ends[:, :, 1], wanted[:, 0] * count + wanted[:, 1])
