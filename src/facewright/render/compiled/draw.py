"""Draws a shot in compiled loops: the steps of `cpu.py`, with their constants and in their order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.render import cpu
from facewright.render.bumps import bent_normals
from facewright.render.compiled.develop import develop
from facewright.render.compiled.fill import Ints32, filled
from facewright.render.compiled.light import pixels
from facewright.render.compiled.points import SurfacePoints, points
from facewright.render.compiled.room import openness
from facewright.render.compiled.shadows import lamp_light, smooth_light
from facewright.render.compiled.surface import colors, sampled
from facewright.render.scene import Scene
from facewright.render.shade import direction
from facewright.render.shot import HOLLOW, MATTE, Shot
from facewright.render.tone import Backdrop, Bytes, Floats32, backdrop_bytes, backdrop_light
from facewright.render.window import Window, window_of


def draw(shot: Shot) -> Bytes:
    """The picture (h, w, 3), or (h, w, 4) without a background.

    Scenes with opacities or wires, and those with something behind the camera, are drawn by `cpu.draw`.
    """
    if shot.wire or shot.scene.translucent.any():
        return cpu.draw(shot)
    found = _drawn(shot.before_camera())
    return cpu.draw(shot) if found is None else found


def _drawn(shot: Shot) -> Bytes | None:
    scene, camera = shot.scene, shot.camera
    window = window_of(camera, scene.positions, shot.size, 8 * shot.cell)
    seen = filled(camera, scene.positions, scene.triangles, shot.size, samples=shot.samples, window=window)
    if seen is None:
        return None
    shown = points(seen, scene, shot.samples, perspective=camera.perspective)
    lamps = [direction(lamp, camera.axes) for lamp in shot.studio.lamps]
    lit = lamp_light(shown, scene, lamps, max(shot.size), shot.in_view())
    smooth_light(shown, lit, scene.radius)
    room = openness(shown, HOLLOW * scene.radius * shot.scale, shot.cell, shot.scale)
    material = scene.of_triangle.astype(np.int32)[shown.triangle]
    color = colors(shown, scene, material)
    shine = np.array([made.shine for made in scene.materials], np.float32)[material]
    if shot.paint is not None:
        _paint(shot.paint.astype(np.float32), shot, shown, color, shine)
    roughness = np.array([made.roughness for made in scene.materials], np.float32)[material]
    shown = _mapped(shown, scene, material, roughness)
    light = pixels(shown, scene, material, color, shine, roughness, room, lit, camera, shot.studio)
    return _developed(shot, window, light)


def _mapped(shown: SurfacePoints, scene: Scene, material: Ints32, roughness: Floats32) -> SurfacePoints:
    """The points with normals bent by maps; roughness (n,) is replaced where there is a map of it."""
    here, slopes = sampled(shown, scene, material, "slopes")
    if len(here):
        normal = shown.normal.copy()
        front, triangle = shown.front[here], shown.triangle[here]
        normal[here] = bent_normals(scene, triangle, normal[here], front, slopes[:, :2])
        shown = replace(shown, normal=normal)
    here, values = sampled(shown, scene, material, "roughnesses")
    roughness[here] = values[:, 0]
    return shown


def _paint(paint: Floats32, shot: Shot, shown: SurfacePoints, color: Floats32, shine: Floats32) -> None:
    """Cover colours (n, 3) and shine (n,) with what is painted on the vertices (v, 4)."""
    painted = np.einsum("nc,nck->nk", shown.barycentric, paint[shot.scene.triangles[shown.triangle]])
    color += painted[:, 3:] * (painted[:, :3] - color)
    shine *= 1 - (1 - MATTE) * painted[:, 3]


def _developed(shot: Shot, window: Window, light: Floats32) -> Bytes:
    color = shot.background
    if color is None:
        whole = np.zeros((shot.size[1], shot.size[0], 4), np.uint8)
        develop(light, None, whole, window.top, window.left, window.width)
        return whole
    behind = color if isinstance(color, Backdrop) else Backdrop(color, color)
    whole = backdrop_bytes(behind, shot.size).copy()
    develop(light, backdrop_light(behind, shot.size), whole, window.top, window.left, window.width)
    return whole
