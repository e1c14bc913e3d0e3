"""The colours of the points: of materials, textures and irises, as in `scene.py` and `mipmap.py`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Ints
from facewright.render.compiled.fill import Ints32
from facewright.render.compiled.jit import compiled
from facewright.render.compiled.points import SurfacePoints
from facewright.render.iris import eye_color
from facewright.render.mipmap import PROBES, Mipmap
from facewright.render.scene import INSIDE, Scene
from facewright.render.tone import Floats32, to_linear


def colors(points: SurfacePoints, scene: Scene, material: Ints32) -> Floats32:
    """Linear colours (n, 3) of points with materials (n,)."""
    table = to_linear([made.color for made in scene.materials]).astype(np.float32)
    double = np.array([made.double_sided for made in scene.materials], bool)
    found = table[material]
    for number, made in enumerate(scene.materials):
        if made.iris:
            here = np.flatnonzero(material == number)
            found[here] = eye_color(_on_ball(points, scene, here), found[here])
        elif made.texture is not None and len(points.uv):
            _multiply(found, material, number, points.uv, points.slopes, *made.texture.flat)
    _dim_inside(found, material, double, points.front, np.float32(INSIDE))
    return found


def sampled(points: SurfacePoints, scene: Scene, material: Ints32, name: str) -> tuple[Ints, Floats32]:
    """Which points (k,) have a map of that name, slopes or roughnesses, and its texels (k, 3) there."""
    has = np.array([getattr(made, name) is not None for made in scene.materials], bool)
    if not has.any() or not len(points.uv):
        return np.zeros(0, np.int64), np.zeros((0, 3), np.float32)
    here = np.flatnonzero(has[material] & np.isfinite(points.uv).all(axis=1))
    found, of = np.ones((len(here), 3), np.float32), material[here]
    for number in np.flatnonzero(has).tolist():
        texture: Mipmap = getattr(scene.materials[number], name)
        _multiply(found, of, number, points.uv[here], points.slopes[here], *texture.flat)
    return here, found


def _on_ball(points: SurfacePoints, scene: Scene, here: Ints) -> Floats32:
    corners = scene.balls()[scene.triangles[points.triangle[here]]]
    return np.asarray(np.einsum("nc,nck->nk", points.barycentric[here], corners))


@compiled
def _dim_inside(
    colors: Floats32, material: Ints32, double: NDArray[np.bool_], front: NDArray[np.bool_], share: np.float32
) -> None:
    for n in range(len(material)):
        if not front[n] and not double[material[n]]:
            for axis in range(3):
                colors[n, axis] *= share


@compiled
def _multiply(
    colors: Floats32,
    material: Ints32,
    number: int,
    uv: Floats32,
    slopes: Floats32,
    flat: Floats32,
    starts: Ints,
    heights: Ints,
    widths: Ints,
) -> None:
    """Multiply the colours of the points of one material by its texture, averaged over what a pixel covers."""
    wide, high, last = np.float32(widths[0]), np.float32(heights[0]), len(starts) - 1
    light, probe = np.empty(3, np.float32), np.empty(3, np.float32)
    for n in range(len(material)):
        if material[n] != number or not (np.isfinite(uv[n, 0]) and np.isfinite(uv[n, 1])):
            continue
        ax, ay, dx, dy = slopes[n, 0, 0], slopes[n, 0, 1], slopes[n, 1, 0], slopes[n, 1, 1]
        across, down = np.sqrt((ax * wide) ** 2 + (ay * high) ** 2), np.sqrt((dx * wide) ** 2 + (dy * high) ** 2)
        step_u, step_v = (ax, ay) if across >= down else (dx, dy)
        long, short = max(across, down), min(across, down)
        count = min(max(int(np.ceil(long / max(short, np.float32(1)))), 1), PROBES)
        level = min(np.log2(max(long / np.float32(count), np.float32(1))), np.float32(last))
        lower = int(level)
        share = level - np.float32(lower)
        light[:] = 0
        for i in range(count):
            shift = (np.float32(i) + np.float32(0.5)) / np.float32(count) - np.float32(0.5)
            u, v = uv[n, 0] + shift * step_u, uv[n, 1] + shift * step_v
            _bilinear(flat, starts[lower], heights[lower], widths[lower], u, v, probe)
            for axis in range(3):
                light[axis] += (np.float32(1) - share) * probe[axis]
            if share > 0:
                _bilinear(flat, starts[lower + 1], heights[lower + 1], widths[lower + 1], u, v, probe)
                for axis in range(3):
                    light[axis] += share * probe[axis]
        for axis in range(3):
            colors[n, axis] *= light[axis] / np.float32(count)


@compiled
def _bilinear(
    flat: Floats32, start: int, height: int, width: int, u: np.float32, v: np.float32, found: Floats32
) -> None:
    """Light (3,) of one level, which repeats beyond [0, 1]; v = 1 is its top."""
    x = (u - np.floor(u)) * np.float32(width) - np.float32(0.5)
    y = (np.ceil(v) - v) * np.float32(height) - np.float32(0.5)
    left, top = int(np.floor(x)), int(np.floor(y))
    right, low = x - np.float32(left), y - np.float32(top)
    left, beside = left % width, (left + 1) % width
    top, below = top % height, (top + 1) % height
    a, b = start + top * width, start + below * width
    for axis in range(3):
        upper = flat[a + left, axis] + right * (flat[a + beside, axis] - flat[a + left, axis])
        lower = flat[b + left, axis] + right * (flat[b + beside, axis] - flat[b + left, axis])
        found[axis] = upper + low * (lower - upper)
