"""The software renderer: draws a shot with our own rasteriser, in numpy alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from facewright.render.occlusion import openness
from facewright.render.raster import Visible, visible
from facewright.render.shade import ShadedSurface, direction, lengths, shade
from facewright.render.shading_points import ShadingPoints, shading_points
from facewright.render.shadow import ShadowMap, smooth_light
from facewright.render.shot import HOLLOW, MATTE, Shot
from facewright.render.tone import Backdrop, Bytes, Floats32, backdrop_bytes, backdrop_light, roll_off, to_bytes
from facewright.render.window import Window, window_of
from facewright.render.wire import wire_ink
from facewright.solve.threads import on_threads

_CHUNK = 2**14  # points shaded at a time; their arrays fit the cache of a core


def draw(shot: Shot) -> Bytes:
    """The picture (h, w, 3), or (h, w, 4) without a background."""
    shot = shot.before_camera()
    scene, camera = shot.scene, shot.camera
    window = window_of(camera, scene.positions, shot.size, 8 * shot.cell)
    seen = visible(camera, scene.positions, scene.triangles, shot.size, samples=shot.samples, window=window)
    shown = shading_points(seen, merge=not shot.wire)
    light = _Light(shot, seen, shown).arriving()
    if shot.wire:
        light *= 1 - wire_ink(camera, scene.positions, scene.triangles, shown, shot.size, edges=shot.edges)[:, None]
    return _developed(shot, window, shown, light)


class _Light:
    """The light that leaves the points of a shot, computed in three steps for chunks of points."""

    def __init__(self, shot: Shot, seen: Visible, shown: ShadingPoints) -> None:
        self._shot, self._seen, self._shown = shot, seen, shown
        scene, count = shot.scene, len(shown.pixel)
        self._lamps = [direction(lamp, shot.camera.axes) for lamp in shot.studio.lamps]
        self._maps = [ShadowMap(toward, scene, max(shot.size)) for toward in self._lamps]
        self._corners = scene.positions.astype(np.float32)[scene.triangles]  # (t, 3, 3)
        self._bends = scene.vertex_normals()[scene.welded]  # (t, 3, 3)
        self._place, self._normal = np.empty((count, 3), np.float32), np.empty((count, 3), np.float32)
        self._lit = np.empty((count, 3), np.float32)

    def arriving(self) -> Floats32:
        """Linear light (n, 3) in [0, 1)."""
        shot, shown = self._shot, self._shown
        count = len(shown.pixel)
        _in_chunks(count, self._place_and_shadow)
        self._lit = smooth_light(self._lit, shown, shot.scene.radius)
        reach = HOLLOW * shot.scene.radius * shot.scale
        ahead = np.array([1, 1, -1], np.float32)  # right, up and forward
        seen, normal = self._place * (ahead * np.float32(shot.scale)), self._normal * ahead
        self._open = openness(shown.pixel, shown.size, seen, normal, reach, shot.cell)
        self._light = np.empty((count, 3), np.float32)
        _in_chunks(count, self._shade)
        return self._light

    def _place_and_shadow(self, some: slice) -> None:
        samples = self._shown.samples.pick(some)
        self._place[some] = place = samples.mix(self._corners)
        normal = samples.mix(self._bends)
        normal *= (np.where(samples.front, np.float32(1), np.float32(-1)) / np.maximum(lengths(normal), 1e-6))[:, None]
        self._normal[some] = normal
        turn = self._shown.turns(some)
        for lamp, map in enumerate(self._maps):
            self._lit[some, lamp] = map.lit(place, self._normal[some], turn)

    def _shade(self, some: slice) -> None:
        shot, samples = self._shot, self._shown.samples.pick(some)
        scene, paint = shot.scene, shot.paint
        color = scene.colors(samples, lambda: self._seen.slopes(samples.at))
        shine = scene.finish(samples, "shine")
        if paint is not None:
            painted = samples.mix(paint.astype(np.float32)[scene.triangles])
            color += painted[:, 3:] * (painted[:, :3] - color)
            shine *= 1 - (1 - MATTE) * painted[:, 3]
        surface = ShadedSurface(
            normal=self._normal[some],
            to_eye=shot.camera.to_eye(self._place[some]),
            color=color,
            shine=shine,
            roughness=scene.finish(samples, "roughness"),
            wrap=scene.finish(samples, "wrap"),
            open=self._open[some],
            lit=self._lit[some],
        )
        self._light[some] = roll_off(shade(surface, shot.camera.axes, shot.studio))


def _developed(shot: Shot, window: Window, shown: ShadingPoints, light: Floats32) -> Bytes:
    """Pixels from points: over a background, or with coverage as a fourth channel."""
    summed, cover = shown.average(light), shown.coverage()[:, None]
    part = (window.rows, window.columns)
    if shot.background is None:
        alone = to_bytes(summed / np.maximum(cover, 1e-9), shown.size)
        alpha = np.rint(255 * cover).astype(np.uint8).reshape(*alone.shape[:2], 1)
        whole = np.zeros((shot.size[1], shot.size[0], 4), np.uint8)
        whole[part] = np.concatenate([np.where(alpha > 0, alone, np.uint8(0)), alpha], axis=2)
        return whole
    color = shot.background
    behind = color if isinstance(color, Backdrop) else Backdrop(color, color)
    whole = backdrop_bytes(behind, shot.size).copy()
    under = backdrop_light(behind, shot.size)[part].reshape(-1, 3)
    whole[part] = to_bytes(summed + (1 - cover) * under, shown.size)
    return whole


def _in_chunks(count: int, work: Callable[[slice], None], length: int = _CHUNK) -> None:
    """Call `work` with slices that make up range(count), on several threads; each call writes its own part of the
    result.
    """
    slices = [slice(start, min(start + length, count)) for start in range(0, count, length)]
    on_threads(work, slices)
