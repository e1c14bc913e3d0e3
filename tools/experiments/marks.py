"""Pins drawn on pictures."""

import numpy as np

from facewright.arrays import Floats
from facewright.render.camera import Camera
from facewright.render.tone import Bytes

PIN, GHOST = (255, 214, 92), (240, 240, 240)


def places_in(camera: Camera, points: Floats, size: tuple[int, int]) -> Floats:
    """Pixels (k, 2), x and y, of points (k, 3)."""
    seen = camera.seen(points)
    shrink = camera.distance / seen[:, 2:] if camera.perspective else 1.0
    width, height = size
    half = np.array([camera.half_height * width / height, -camera.half_height])
    return np.asarray((seen[:, :2] * shrink / half + 1) / 2 * [width, height])


def draw_dots(picture: Bytes, places: Floats, color: tuple[int, int, int], radius: float = 5.0) -> None:
    """Discs with a dark rim, in place."""
    _blend(picture, _nearness(picture, places) - radius - 1.5, (20, 20, 24))
    _blend(picture, _nearness(picture, places) - radius, color)


def draw_ways(picture: Bytes, starts: Floats, ends: Floats, color: tuple[int, int, int]) -> None:
    """Thin lines, in place."""
    for start, end in zip(starts, ends, strict=True):
        steps = np.linspace(0, 1, max(2, int(2 * np.linalg.norm(end - start))))
        _blend(picture, _nearness(picture, start + steps[:, None] * (end - start)) - 1.2, color)


def _nearness(picture: Bytes, places: Floats) -> Floats:
    """Distance (h, w) of every pixel to the nearest place."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]] + 0.5
    nearest = np.full(picture.shape[:2], np.inf)
    for place in places:
        nearest = np.minimum(nearest, np.hypot(x - place[0], y - place[1]))
    return nearest


def _blend(picture: Bytes, outside: Floats, color: tuple[int, int, int]) -> None:
    cover = np.clip(0.5 - outside, 0, 1)[:, :, None]
    picture[:, :, :3] = np.rint(picture[:, :, :3] * (1 - cover) + np.array(color) * cover).astype(np.uint8)
