"""Small meshes to take pictures of."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay

from facewright.arrays import Floats, Ints
from facewright.render import Camera, look_at

Pixels = tuple[int, int]


def flat_camera(size: Pixels) -> Camera:
    """Parallel rays along -z onto a picture in which one pixel is one unit: pixel (x, y) shows (x, height - y)."""
    width, height = size
    middle = np.array([width / 2, height / 2, 0.0])
    return look_at(middle + np.array([0, 0, 100]), middle, half_height=height / 2, perspective=False)


def soup(count: int, *, seed: int, size: float = 1.0) -> tuple[Floats, Ints]:
    """Random triangles that share nothing."""
    rng = np.random.default_rng(seed)
    middles = rng.uniform(-1, 1, (count, 1, 3))
    return (middles + size * rng.normal(size=(count, 3, 3))).reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


def patchwork(points: NDArray[np.float64]) -> tuple[Floats, Ints]:
    """The Delaunay triangulation of points (n, 2), at z = 0."""
    return np.column_stack([points, np.zeros(len(points))]), Delaunay(points).simplices.astype(np.int64)


def ball(rings: int = 24) -> tuple[Floats, Ints]:
    """A unit sphere with its poles up and down, counterclockwise from outside."""
    theta, phi = np.meshgrid(
        np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings, False), indexing="ij"
    )
    points = np.stack([np.sin(theta) * np.sin(phi), np.cos(theta), np.sin(theta) * np.cos(phi)], axis=2).reshape(-1, 3)
    i, j = (v.ravel() for v in np.meshgrid(np.arange(rings), np.arange(2 * rings), indexing="ij"))
    a, b = i * 2 * rings + j, i * 2 * rings + (j + 1) % (2 * rings)
    c, d = a + 2 * rings, b + 2 * rings
    return points, np.concatenate([np.stack([a, c, d], 1), np.stack([a, d, b], 1)])


def rays(camera: Camera, size: Pixels) -> tuple[Floats, Floats]:
    """Start and direction (height * width, 3) of the ray through the middle of each pixel."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width]
    unit = 2 * camera.half_height / height
    across, up = (x.ravel() + 0.5 - width / 2) * unit, (height / 2 - y.ravel() - 0.5) * unit
    offset = across[:, None] * camera.axes[0] + up[:, None] * camera.axes[1]
    forward = np.broadcast_to(camera.forward, offset.shape)
    if camera.perspective:
        return np.broadcast_to(camera.eye, offset.shape), forward + offset / camera.distance
    return camera.eye + offset, forward


def cast_rays(camera: Camera, positions: Floats, triangles: Ints, size: Pixels) -> tuple[Floats, Floats]:
    """Depth (t, pixels) at which each triangle is met (inf: not), and how clearly each ray is in or out (t, pixels).

    Möller and Trumbore's test, one triangle against all rays: nothing in common with the rasteriser.
    """
    start, along = rays(camera, size)
    depth, clear = (np.empty((len(triangles), len(start))) for _ in range(2))
    for i, (a, b, c) in enumerate(positions[triangles]):
        across = np.cross(along, c - a)
        volume = across @ (b - a)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = np.einsum("nk,nk->n", start - a, across) / volume
            turned = np.cross(start - a, b - a)
            v = np.einsum("nk,nk->n", along, turned) / volume
            t = turned @ (c - a) / volume
        margin = np.minimum(np.minimum(u, v), 1 - u - v)
        depth[i] = np.where((margin >= 0) & (t >= camera.near), t, np.inf)
        clear[i] = np.minimum(np.abs(margin), np.abs(t - camera.near))
    return depth, clear
