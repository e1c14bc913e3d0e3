"""Soft shadows of one light, by a shadow map."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from facewright.arrays import Floats, Ints, frozen
from facewright.render.camera import Camera, look_at
from facewright.render.raster import visible
from facewright.render.scene import Scene
from facewright.render.shading_points import ShadingPoints
from facewright.render.tone import Floats32, dither

_FINEST = 640  # samples along one side of the map, at most
_TAPS = 8  # for each pixel; sixteen neighbouring pixels use different patterns
TURN = 4  # pixels along one side of a block of these patterns
_SOFT = 0.026  # radius of the light's blur, as a share of the map
FLAT = 0.05  # depth differences above this are edges, which are not smoothed; in radii of the face
AWAY = -0.5  # cosine to the light below which a surface shades itself
_SLACK = 0.012  # as a share of the map: nearer than this to what the light sees counts as lit


class ShadowMap:
    """The depth of a scene as seen from one distant light."""

    def __init__(self, toward: Floats32, scene: Scene, across: int, lit: Floats | None = None) -> None:
        """Toward: unit direction (3,) to the light; across: pixels along the longer side of the picture.

        lit: points (k, 3) that the map must cover, where they are not the whole scene.
        """
        self.toward = toward
        self.camera = light_camera(toward, scene.positions if lit is None else lit)
        self.across = map_size(across)
        seen = visible(self.camera, scene.positions, scene.triangles, (self.across, self.across))
        self.depth = seen.depth.astype(np.float32)  # (across, across)
        self.slack = slack_of(self.camera)

    def lit(self, place: Floats32, normal: Floats32, turn: Ints) -> Floats32:
        """Share (n,) of the light that reaches points at place (n, 3); turn (n,): which of sixteen patterns to use."""
        lit = np.zeros(len(place), np.float32)
        some = np.flatnonzero(normal @ self.toward > AWAY)
        lit[some] = self._lit(place[some], normal[some], turn[some])
        return lit

    def _lit(self, place: Floats32, normal: Floats32, turn: Ints) -> Floats32:
        across, slack = self.across, np.float32(self.slack)
        column, row, depth = _on_map(self.camera, place + normal * slack, across)
        lean_x, lean_y = _lean(self.camera, normal, across)
        total, seen = np.zeros(len(place), np.float32), self.depth.ravel()
        for dx, dy in np.moveaxis(taps() * np.float32(across), 0, 1):
            dx, dy = dx.take(turn), dy.take(turn)
            x, y = (np.clip(v.astype(np.int32), 0, across - 1) for v in (column + dx, row + dy))
            own = depth + lean_x * dx + lean_y * dy
            total += np.clip((seen.take(y * across + x) - own) / slack + 1, 0, 1)
        return total / np.float32(_TAPS)


@lru_cache(maxsize=1)
def taps() -> Floats32:
    """Offsets (2, 8, 16) of the samples, x and y as shares of the map: on a spiral, rotated in sixteen ways."""
    i = np.arange(_TAPS)[:, None]
    radius, angle = np.sqrt((i + 0.5) / _TAPS), i * np.pi * (3 - 5**0.5) + 2 * np.pi * dither(2).ravel()
    return frozen((_SOFT * radius * np.stack([np.cos(angle), np.sin(angle)])).astype(np.float32))


def smooth_light(lit: Floats32, shown: ShadingPoints, radius: float) -> Floats32:
    """Shares (n, k) of light, averaged over neighbours with other patterns; radius: of the face."""
    return shown.smooth(lit, TURN, FLAT * radius)


def _lean(camera: Camera, normal: Floats32, size: int) -> tuple[Floats32, Floats32]:
    """Slopes (n,) of the surface's depth per sample to the right and down on a map, which prevent self-shadowing.

    They are limited at grazing angles.
    """
    right, up, forward = (normal @ camera.axes.T.astype(np.float32)).T
    unit = np.float32(2 * camera.half_height / size) / np.maximum(-forward, np.float32(0.2))
    return right * unit, -up * unit


def map_size(across: int) -> int:
    """Texels along a side of the maps for a picture of so many pixels."""
    return int(np.clip(across, 160, _FINEST))


def slack_of(camera: Camera) -> float:
    """The depth difference, in scene units, below which a point counts as lit."""
    return 2 * _SLACK * camera.half_height


def light_camera(direction: Floats32, positions: Floats) -> Camera:
    """The camera from which a light in a unit direction (3,) sees all positions (v, 3)."""
    toward = direction.astype(np.float64)
    middle = (positions.min(axis=0) + positions.max(axis=0)) / 2
    radius = float(np.linalg.norm(positions - middle, axis=1).max()) or 1.0
    up = (0, 1, 0) if abs(toward[1]) < 0.9 else (0, 0, 1)
    return look_at(middle + 2 * radius * toward, middle, up=up, half_height=radius * 1.05, perspective=False)


def _on_map(camera: Camera, place: Floats32, size: int) -> tuple[Floats32, Floats32, Floats32]:
    """Column, row and depth (n,) of places (n, 3) on a map of size x size samples."""
    across, up, depth = ((place - camera.eye.astype(np.float32)) @ camera.axes.T.astype(np.float32)).T
    scale = np.float32(size / (2 * camera.half_height))
    return size / 2 + scale * across, size / 2 - scale * up, depth
