"""Soft shadows of one light: is anything between a point and the light?"""

from collections.abc import Sequence
from typing import cast

import numpy as np

from facewright.arrays import Floats
from facewright.render.camera import Camera, look_at
from facewright.render.points import Points
from facewright.render.raster import visible
from facewright.render.scene import Scene
from facewright.render.tone import Floats32, dither

_FINEST = 640  # samples along one side of the picture that the light sees, at most
_TAPS = 8  # for each pixel; sixteen neighbours take turns
_TURN = 4  # pixels along one side of a block in which the taps take turns
_SOFT = 0.026  # radius of the lamp's blur, as a part of what the light sees
_FLAT = 0.05  # steps in depth beyond this are edges, over which nothing is smoothed; in radii of the face
_SLACK = 0.012  # nearer than this to what the light sees counts as seen, as a part of the same


def lit(lamps: Sequence[Floats32], scene: Scene, shown: Points, place: Floats, normal: Floats32) -> Floats32:
    """Share (n, k) of the light from k unit directions that reaches the points at `place` (n, 3)."""
    arrives = np.stack([_arrives(toward, scene, shown, place, normal) for toward in lamps], axis=1)
    return shown.smooth(arrives, _TURN, _FLAT * scene.radius)


def _arrives(toward: Floats32, scene: Scene, shown: Points, place: Floats, normal: Floats32) -> Floats32:
    camera = _from_light(toward.astype(np.float64), scene.positions)
    across = int(np.clip(max(shown.size), 160, _FINEST))
    seen = visible(camera, scene.positions, scene.triangles, (across, across)).depth.astype(np.float32).ravel()
    slack = np.float32(2 * _SLACK * camera.half_height)
    column, row, depth = _on_map(camera, place + normal * slack, across)
    lean_x, lean_y = _lean(camera, normal, across)
    turn = _turns(shown)
    total = np.zeros(len(place), np.float32)
    for radius, angle in _spiral(_TAPS):
        dx, dy = (np.float32(_SOFT * across * radius) * wave(turn + np.float32(angle)) for wave in (np.cos, np.sin))
        x, y = (np.clip(v.astype(np.int32), 0, across - 1) for v in (column + dx, row + dy))
        own = depth + lean_x * dx + lean_y * dy
        total += np.clip((seen[y * across + x] - own) / slack + 1, 0, 1)
    return total / np.float32(_TAPS)


def _lean(camera: Camera, normal: Floats32, size: int) -> tuple[Floats32, Floats32]:
    """How much deeper (n,) the surface itself is, one sample to the right and one down on a map: no shadow of its own.

    Limited where the light grazes and would find anything.
    """
    right, up, forward = (normal @ camera.axes.T.astype(np.float32)).T
    unit = np.float32(2 * camera.half_height / size) / np.maximum(-forward, np.float32(0.2))
    return right * unit, -up * unit


def _from_light(toward: Floats, positions: Floats) -> Camera:
    middle = (positions.min(axis=0) + positions.max(axis=0)) / 2
    radius = float(np.linalg.norm(positions - middle, axis=1).max()) or 1.0
    up = (0, 1, 0) if abs(toward[1]) < 0.9 else (0, 0, 1)
    return look_at(middle + 2 * radius * toward, middle, up=up, half_height=radius * 1.05, perspective=False)


def _on_map(camera: Camera, place: Floats, size: int) -> tuple[Floats32, Floats32, Floats32]:
    """Column, row and depth (n,) at which the light sees places (n, 3) on a map of size x size samples."""
    across, up, depth = camera.seen(place).astype(np.float32).T
    scale = np.float32(size / (2 * camera.half_height))
    return size / 2 + scale * across, size / 2 - scale * up, depth


def _turns(shown: Points) -> Floats32:
    """Angle (n,) by which each pixel turns its taps: one of sixteen, each once in every block."""
    row, column = np.divmod(shown.pixel, shown.size[0])
    block = np.array(dither(2) * 2 * np.pi, np.float32)
    return cast(Floats32, block[row % _TURN, column % _TURN])


def _spiral(count: int) -> list[tuple[float, float]]:
    """Radius and angle of points spread evenly over the unit disc, on a sunflower spiral."""
    return [(((i + 0.5) / count) ** 0.5, i * np.pi * (3 - 5**0.5)) for i in range(count)]
