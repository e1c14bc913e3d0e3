"""The edges of the mesh as thin dark lines over the surface."""

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints, indices
from facewright.render.camera import Camera
from facewright.render.clip import project
from facewright.render.points import Points
from facewright.render.tone import Floats32

_WIDTH = 0.9  # pixels, at a picture 800 pixels high
_DARK = 0.72  # how much light a line takes away
_ROOMY = 7.0  # pixels across a triangle from which on lines have their full strength: a dense mesh must not turn black


def wire_ink(
    camera: Camera, positions: Floats, triangles: Ints, points: Points, *, edges: ArrayLike | None = None
) -> Floats32:
    """How much of each point (n,) a line covers; edges (e, 2) names those to draw (None: every edge of a triangle)."""
    corners = triangles[points.samples.triangle]
    if not len(corners):
        return np.zeros(0, np.float32)
    high = _heights(camera, positions, triangles, points.size)
    drawn = np.ones(triangles.shape, bool) if edges is None else _drawn(triangles, edges, len(positions))
    away = np.where(drawn[points.samples.triangle], points.samples.barycentric * high[points.samples.triangle], np.inf)
    width = max(_WIDTH * points.size[1] / 800, 0.8)
    strength = np.clip(high.max(axis=1) / _ROOMY, 0.1, 1)[points.samples.triangle]
    return cast(Floats32, (_DARK * strength * np.clip(width / 2 + 0.5 - away.min(axis=1), 0, 1)).astype(np.float32))


def _heights(camera: Camera, positions: Floats, triangles: Ints, size: tuple[int, int]) -> Floats:
    """Pixels (t, 3) from each corner to the edge opposite."""
    clip = project(camera, positions, size)
    least = camera.near if camera.perspective else 1.0
    xy = (clip[:, :2] / np.maximum(clip[:, 3:], least))[triangles]  # (t, 3, 2)
    along = np.roll(xy, -2, axis=1) - np.roll(xy, -1, axis=1)
    area = np.abs(along[:, 0, 0] * along[:, 1, 1] - along[:, 0, 1] * along[:, 1, 0])
    return cast(Floats, area[:, None] / np.maximum(np.linalg.norm(along, axis=2), 1e-9))


def _drawn(triangles: Ints, edges: ArrayLike, count: int) -> NDArray[np.bool_]:
    """Which edges (t, 3), each opposite its corner, are among the given ones."""
    wanted = np.sort(indices("edges", edges, (None, 2), below=count), axis=1)
    ends = np.sort(np.stack([np.roll(triangles, -1, axis=1), np.roll(triangles, -2, axis=1)], axis=2), axis=2)
    return np.isin(ends[:, :, 0] * count + ends[:, :, 1], wanted[:, 0] * count + wanted[:, 1])
