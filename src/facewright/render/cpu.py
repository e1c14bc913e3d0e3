"""The software renderer: draws a shot with our own rasteriser, in numpy alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from facewright.render.bumps import bent_normals
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

_LAYERS = 24  # at most, of what has opacities
_OPAQUE = 1 / 512  # what lets less light through hides all behind it
_CHUNK = 2**14  # points shaded at a time; their arrays fit the cache of a core


def draw(shot: Shot) -> Bytes:
    """The picture (h, w, 3), or (h, w, 4) without a background."""
    shot = shot.before_camera()
    if shot.scene.translucent.any():
        return _draw_layers(shot)
    scene, camera = shot.scene, shot.camera
    window = window_of(camera, scene.positions, shot.size, 8 * shot.cell)
    seen = visible(camera, scene.positions, scene.triangles, shot.size, samples=shot.samples, window=window)
    shown = shading_points(seen, merge=not shot.wire)
    light = _inked(shot, shown, _Light(shot, seen, shown, _shadow_maps(shot)).arriving())
    return _developed(shot, window, shown.average(light), shown.coverage()[:, None])


def _draw_layers(shot: Shot) -> Bytes:
    """A scene with opacities: what is opaque, and before it the layers of the rest, from the nearest on.

    A sample shows the sum of opacity times light times what the layers before it let through.
    """
    see_through = shot.scene.translucent
    solid, thin = (replace(shot, scene=shot.scene.with_triangles(some)) for some in (~see_through, see_through))
    camera, positions = shot.camera, shot.scene.positions
    window = window_of(camera, positions, shot.size, 8 * shot.cell)
    maps = _shadow_maps(solid)
    seen = visible(camera, positions, solid.scene.triangles, shot.size, samples=shot.samples, window=window)
    nearer = np.full(seen.depth.size, -np.inf)
    total, through = np.zeros((seen.depth.size, 3), np.float32), np.ones(seen.depth.size, np.float32)
    for _ in range(_LAYERS):
        between = nearer.reshape(seen.depth.shape), seen.depth
        layer = visible(camera, positions, thin.scene.triangles, shot.size, samples=shot.samples, window=window,
                        between=between)  # fmt: skip
        shown = shading_points(layer, merge=False)
        if not len(shown.pixel):
            break
        at = shown.samples.at
        opacity = thin.scene.opacities(shown.samples, lambda: layer.slopes(at))  # noqa: B023 called at once
        visible_here = np.flatnonzero(opacity > 0)
        some = shown.pick(visible_here)
        light = _inked(thin, some, _Light(thin, layer, some, maps).arriving())
        places, share = at[visible_here], opacity[visible_here]
        total[places] += (through[places] * share)[:, None] * light
        through[places] *= 1 - share
        nearer[at] = np.where(through[at] > _OPAQUE, layer.depth.ravel()[at], np.inf)
    shown = shading_points(seen, merge=False)
    light = _inked(solid, shown, _Light(solid, seen, shown, maps).arriving())
    total[shown.samples.at] += through[shown.samples.at, None] * light
    through[shown.samples.at] = 0
    return _developed(
        shot, window, _pixels(total, shot.samples, seen), 1 - _pixels(through[:, None], shot.samples, seen)
    )


def _pixels(values: Floats32, samples: int, seen: Visible) -> Floats32:
    """Means (height * width, k) over the samples of each pixel, from values (rows * columns, k)."""
    rows, columns = seen.depth.shape
    means: Floats32 = values.reshape(rows // samples, samples, columns, -1).mean(axis=1)
    return means.reshape(-1, values.shape[1])


def _inked(shot: Shot, shown: ShadingPoints, light: Floats32) -> Floats32:
    """The light with the lines of the mesh, if they are drawn."""
    if not shot.wire:
        return light
    scene = shot.scene
    return light * (
        1 - wire_ink(shot.camera, scene.positions, scene.triangles, shown, shot.size, edges=shot.edges)[:, None]
    )


def _shadow_maps(shot: Shot) -> list[ShadowMap]:
    lamps = [direction(lamp, shot.camera.axes) for lamp in shot.studio.lamps]
    return [ShadowMap(toward, shot.scene, max(shot.size), shot.in_view()) for toward in lamps]


class _Light:
    """The light that leaves the points of a shot, computed in three steps for chunks of points."""

    def __init__(self, shot: Shot, seen: Visible, shown: ShadingPoints, maps: list[ShadowMap]) -> None:
        self._shot, self._seen, self._shown, self._maps = shot, seen, shown, maps
        scene, count = shot.scene, len(shown.pixel)
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
        normal, roughness = self._normal[some], scene.finish(samples, "roughness")
        here, slopes = scene.mapped(samples, "slopes", lambda: self._seen.slopes(samples.at))
        if len(here):
            normal[here] = bent_normals(scene, samples.triangle[here], normal[here], samples.front[here], slopes[:, :2])
        here, values = scene.mapped(samples, "roughnesses", lambda: self._seen.slopes(samples.at))
        roughness[here] = values[:, 0]
        surface = ShadedSurface(
            normal=normal,
            to_eye=shot.camera.to_eye(self._place[some]),
            color=color,
            shine=shine,
            roughness=roughness,
            wrap=scene.finish(samples, "wrap"),
            open=self._open[some],
            lit=self._lit[some],
        )
        self._light[some] = roll_off(shade(surface, shot.camera.axes, shot.studio))


def _developed(shot: Shot, window: Window, summed: Floats32, cover: Floats32) -> Bytes:
    """The picture from pixels (n, 3) and their coverage (n, 1): over a background, or with it as a fourth channel."""
    part, size = (window.rows, window.columns), (window.width, window.height)
    if shot.background is None:
        alone = to_bytes(summed / np.maximum(cover, 1e-9), size)
        alpha = np.rint(255 * cover).astype(np.uint8).reshape(*alone.shape[:2], 1)
        whole = np.zeros((shot.size[1], shot.size[0], 4), np.uint8)
        whole[part] = np.concatenate([np.where(alpha > 0, alone, np.uint8(0)), alpha], axis=2)
        return whole
    color = shot.background
    behind = color if isinstance(color, Backdrop) else Backdrop(color, color)
    whole = backdrop_bytes(behind, shot.size).copy()
    under = backdrop_light(behind, shot.size)[part].reshape(-1, 3)
    whole[part] = to_bytes(summed + (1 - cover) * under, size)
    return whole


def _in_chunks(count: int, work: Callable[[slice], None], length: int = _CHUNK) -> None:
    """Call `work` with slices that make up range(count), on several threads; each call writes its own part of the
    result.
    """
    slices = [slice(start, min(start + length, count)) for start in range(0, count, length)]
    on_threads(work, slices)
