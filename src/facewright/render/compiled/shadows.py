"""Soft shadows, as in `shadow.py`: the share of each lamp's light at the points, averaged over near pixels."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.render.compiled.fill import Ints32, filled
from facewright.render.compiled.jit import compiled
from facewright.render.compiled.points import SurfacePoints
from facewright.render.scene import Scene
from facewright.render.shadow import AWAY, FLAT, TURN, light_camera, map_size, slack_of, taps
from facewright.render.tone import Floats32


def lamp_light(points: SurfacePoints, scene: Scene, lamps: list[Floats32], across: int, lit: Floats) -> Floats32:
    """Shares (n, k) of the light of lamps in unit directions (3,), not yet averaged; lit: points that maps must cover.

    across: pixels along the longer side of the picture.
    """
    side = map_size(across)
    found = np.zeros((len(points.pixel), len(lamps)), np.float32)
    for number, toward in enumerate(lamps):
        camera = light_camera(toward, lit)
        map = filled(camera, scene.positions, scene.triangles, (side, side))
        assert map is not None  # a lamp is far away, and sees all
        axes, eye = camera.axes.astype(np.float32), camera.eye.astype(np.float32)
        offsets = taps() * np.float32(side)
        _look_up(points.pixel, points.place, points.normal, points.size[0], map.depth.astype(np.float32), side, toward,
                 eye, axes, np.float32(slack_of(camera)), np.float32(camera.half_height), offsets, AWAY,
                 found[:, number])  # fmt: skip
    return found


@compiled
def _look_up(
    pixel: Ints32,
    place: Floats32,
    normal: Floats32,
    width: int,
    seen: Floats32,
    side: int,
    toward: Floats32,
    eye: Floats32,
    axes: Floats32,
    slack: np.float32,
    half_height: np.float32,
    offsets: Floats32,
    away: float,
    lit: Floats32,
) -> None:
    """Shares (n,) of one lamp's light."""
    scale = np.float32(side) / (np.float32(2) * half_height)
    unit = np.float32(2) * half_height / np.float32(side)
    middle, count = np.float32(side / 2), offsets.shape[1]
    most = side - 1
    for n in range(len(pixel)):
        nx, ny, nz = normal[n, 0], normal[n, 1], normal[n, 2]
        if nx * toward[0] + ny * toward[1] + nz * toward[2] <= away:
            continue
        px, py, pz = (
            place[n, 0] + nx * slack - eye[0],
            place[n, 1] + ny * slack - eye[1],
            place[n, 2] + nz * slack - eye[2],
        )
        column = middle + scale * (px * axes[0, 0] + py * axes[0, 1] + pz * axes[0, 2])
        row = middle - scale * (px * axes[1, 0] + py * axes[1, 1] + pz * axes[1, 2])
        depth = px * axes[2, 0] + py * axes[2, 1] + pz * axes[2, 2]
        right = nx * axes[0, 0] + ny * axes[0, 1] + nz * axes[0, 2]
        up = nx * axes[1, 0] + ny * axes[1, 1] + nz * axes[1, 2]
        forward = nx * axes[2, 0] + ny * axes[2, 1] + nz * axes[2, 2]
        lean = unit / max(-forward, np.float32(0.2))
        lean_x, lean_y = right * lean, -up * lean
        turn = 4 * (pixel[n] // width % 4) + pixel[n] % width % 4
        total = np.float32(0)
        for tap in range(count):
            dx, dy = offsets[0, tap, turn], offsets[1, tap, turn]
            x, y = min(max(int(column + dx), 0), most), min(max(int(row + dy), 0), most)
            own = depth + lean_x * dx + lean_y * dy
            total += min(max((seen[y * side + x] - own) / slack + np.float32(1), np.float32(0)), np.float32(1))
        lit[n] = total / np.float32(count)


def smooth_light(points: SurfacePoints, lit: Floats32, radius: float) -> None:
    """Average shares (n, k) of light over near pixels, in place, where depth does not jump; radius: of the face."""
    width, height = points.size
    sums = np.zeros((height, width, lit.shape[1] + 1), np.float32)
    near, far = np.full((height, width), np.inf, np.float32), np.full((height, width), -np.inf, np.float32)
    _spread(points.pixel, points.share, points.depth, lit, sums, near, far)
    means = _box_means(_box_means(sums, TURN).transpose(1, 0, 2), TURN).transpose(1, 0, 2)
    jumps = _box_range(near, far, TURN + 2)
    _blend(points.pixel, lit, means, jumps, np.float32(FLAT * radius))


@compiled
def _spread(
    pixel: Ints32,
    share: Floats32,
    depth: Floats32,
    lit: Floats32,
    sums: Floats32,
    near: Floats32,
    far: Floats32,
) -> None:
    """Sums (h, w, k + 1) of light and coverage of each pixel, and the depth (h, w) of its last point."""
    width, lamps = sums.shape[1], lit.shape[1]
    for n in range(len(pixel)):
        row, column = pixel[n] // width, pixel[n] % width
        for lamp in range(lamps):
            sums[row, column, lamp] += share[n] * lit[n, lamp]
        sums[row, column, lamps] = min(sums[row, column, lamps] + share[n], np.float32(1))
        near[row, column] = far[row, column] = depth[n]


@compiled
def _box_means(values: Floats32, size: int) -> Floats32:
    """Means along the second axis over `size` places, reflected at the ends as scipy's `uniform_filter` does."""
    rows, columns, count = values.shape
    found = np.empty((rows, columns, count), np.float32)
    for row in range(rows):
        for column in range(columns):
            for k in range(count):
                total = np.float32(0)
                for step in range(-(size // 2), size - size // 2):
                    total += values[row, _reflected(column + step, columns), k]
                found[row, column, k] = total / np.float32(size)
    return found


@compiled
def _reflected(place: int, length: int) -> int:
    while place < 0 or place >= length:
        place = -1 - place if place < 0 else 2 * length - 1 - place
    return place


@compiled
def _box_range(near: Floats32, far: Floats32, size: int) -> Floats32:
    """The largest minus the smallest value (h, w) in the box around each place."""
    rows, columns = near.shape
    low, high, found = np.empty_like(near), np.empty_like(near), np.empty_like(near)
    before, after = size // 2, size - size // 2
    for row in range(rows):
        for column in range(columns):
            least, most = near[row, column], far[row, column]
            for at in range(max(column - before, 0), min(column + after, columns)):
                least, most = min(least, near[row, at]), max(most, far[row, at])
            low[row, column], high[row, column] = least, most
    for row in range(rows):
        for column in range(columns):
            least, most = low[row, column], high[row, column]
            for at in range(max(row - before, 0), min(row + after, rows)):
                least, most = min(least, low[at, column]), max(most, high[at, column])
            found[row, column] = most - least
    return found


@compiled
def _blend(pixel: Ints32, lit: Floats32, means: Floats32, jumps: Floats32, step: np.float32) -> None:
    width, lamps = means.shape[1], lit.shape[1]
    for n in range(len(pixel)):
        row, column = pixel[n] // width, pixel[n] % width
        cover = max(means[row, column, lamps], np.float32(1e-6))
        share = min(max(np.float32(2) - jumps[row, column] / step, np.float32(0)), np.float32(1))
        for lamp in range(lamps):
            lit[n, lamp] += share * (means[row, column, lamp] / cover - lit[n, lamp])
