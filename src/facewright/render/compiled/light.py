"""The light that leaves the points towards the eye, as in `shade.py`, summed up in the pixels."""

from __future__ import annotations

import numpy as np

from facewright.render.camera import Camera
from facewright.render.compiled.fill import Ints32
from facewright.render.compiled.jit import compiled
from facewright.render.compiled.points import SurfacePoints
from facewright.render.scene import Scene
from facewright.render.shade import WET, Light, Studio, direction
from facewright.render.tone import KNEE, Color, Floats32

_STEPS = 1024  # of the tables of powers
_FAINT = 1e-5  # of a highlight's middle: what is less is not visible


def pixels(
    points: SurfacePoints,
    scene: Scene,
    material: Ints32,
    colors: Floats32,
    shine: Floats32,
    roughness: Floats32,
    room: Floats32,
    lit: Floats32,
    camera: Camera,
    studio: Studio,
) -> Floats32:
    """Light and coverage (height * width, 4) of the pixels, from shine, roughness, room (n,) and lit (n, 3)."""
    total = np.zeros((points.size[0] * points.size[1], 4), np.float32)
    wrap = np.array([made.wrap for made in scene.materials], np.float32).reshape(-1, 3)
    eye = camera.eye if camera.perspective else camera.forward
    lamps = (*studio.lamps, studio.catch)
    _shade(points.pixel, points.share, points.place, points.normal, material, colors, shine, room, lit, roughness,
           wrap, _scattered(wrap), np.stack([direction(lamp, camera.axes) for lamp in lamps]), _tints(lamps),
           camera.axes[1].astype(np.float32), _tint(studio.sky), _tint(studio.floor), eye.astype(np.float32),
           camera.perspective, total)  # fmt: skip
    return total


def _tint(color: Color) -> Floats32:
    return np.array(color, np.float32)


def _tints(lamps: tuple[Light, ...]) -> Floats32:
    return np.array([lamp.color for lamp in lamps], np.float32)


def _scattered(wrap: Floats32) -> Floats32:
    """Powers (p, 3, steps) of what arrives, by its square root, which makes them smooth at 0."""
    arrives = (np.arange(_STEPS + 2) / _STEPS) ** 2
    return np.asarray(arrives ** (1 / (1 + 2 * wrap[:, :, None])), np.float32)


@compiled
def _shade(
    pixel: Ints32,
    shares: Floats32,
    place: Floats32,
    normal: Floats32,
    material: Ints32,
    color: Floats32,
    shines: Floats32,
    room: Floats32,
    lit: Floats32,
    roughness: Floats32,
    wrap: Floats32,
    scattered: Floats32,
    toward: Floats32,
    tint: Floats32,
    up: Floats32,
    sky: Floats32,
    floor: Floats32,
    eye: Floats32,
    perspective: bool,
    total: Floats32,
) -> None:
    zero, one = np.float32(0), np.float32(1)
    light = np.empty(3, np.float32)
    for n in range(len(pixel)):
        made, shine = material[n], shines[n]
        rough = roughness[n]
        nx, ny, nz = normal[n, 0], normal[n, 1], normal[n, 2]
        if perspective:
            ex, ey, ez = eye[0] - place[n, 0], eye[1] - place[n, 1], eye[2] - place[n, 2]
            away = one / np.sqrt(ex * ex + ey * ey + ez * ez)
            ex, ey, ez = ex * away, ey * away, ez * away
        else:
            ex, ey, ez = -eye[0], -eye[1], -eye[2]
        facing = max(nx * ex + ny * ey + nz * ez, np.float32(1e-3))
        inner = room[n] * (np.float32(0.3) + np.float32(0.7) * max(lit[n, 0], lit[n, 1]))
        above = np.float32(0.5) + np.float32(0.5) * (nx * up[0] + ny * up[1] + nz * up[2])
        mirror = (np.float32(2) * facing * (nx * up[0] + ny * up[1] + nz * up[2])) - (
            ex * up[0] + ey * up[1] + ez * up[2]
        )
        reflected = np.float32(0.5) + np.float32(0.5) * mirror
        sheen = shine * _fresnel(facing) * (one - np.float32(0.7) * rough)
        for axis in range(3):
            light[axis] = inner * (
                color[n, axis] * (floor[axis] + above * (sky[axis] - floor[axis]))
                + sheen * (floor[axis] + reflected * (sky[axis] - floor[axis]))
            )
        power = max(np.float32(2) / max(rough, np.float32(0.05)) ** 4 - np.float32(2), one)
        faint = np.exp(np.log(np.float32(_FAINT)) / power)
        for lamp in range(3):
            arrives = lit[n, lamp]
            if arrives <= 0:
                continue
            tx, ty, tz = toward[lamp, 0], toward[lamp, 1], toward[lamp, 2]
            slope = nx * tx + ny * ty + nz * tz
            glint = zero
            if slope > 0:
                glint = _glint(nx, ny, nz, ex, ey, ez, tx, ty, tz, power, faint, shine) * slope * arrives
            at = np.sqrt(arrives) * np.float32(_STEPS)
            step = int(at)
            part = at - np.float32(step)
            for axis in range(3):
                reach = wrap[made, axis]
                soft = max((slope + reach) / ((one + reach) * (one + reach)), zero)
                if arrives < 1:
                    low = scattered[made, axis, step]
                    soft *= low + part * (scattered[made, axis, step + 1] - low)
                light[axis] += (color[n, axis] * soft + glint) * tint[lamp, axis]
        if rough < np.float32(WET):
            spark = _glint(nx, ny, nz, ex, ey, ez, toward[3, 0], toward[3, 1], toward[3, 2], power, faint, shine)
            for axis in range(3):
                light[axis] += (one - rough / np.float32(WET)) * spark * tint[3, axis]
        knee = np.float32(KNEE)
        for axis in range(3):
            over = max(light[axis] - knee, zero)
            rolled = min(light[axis], knee) + (one - knee) * over / (one - knee + over)
            total[pixel[n], axis] += rolled * shares[n]
        total[pixel[n], 3] = min(total[pixel[n], 3] + shares[n], one)


@compiled
def _fresnel(cosine: np.float32) -> np.float32:
    away = np.float32(1) - min(max(cosine, np.float32(0)), np.float32(1))
    square = away * away
    return np.float32(0.025) + np.float32(0.975) * square * square * away


@compiled
def _glint(
    nx: np.float32,
    ny: np.float32,
    nz: np.float32,
    ex: np.float32,
    ey: np.float32,
    ez: np.float32,
    tx: np.float32,
    ty: np.float32,
    tz: np.float32,
    power: np.float32,
    faint: np.float32,
    shine: np.float32,
) -> np.float32:
    """Normalised Blinn-Phong with Schlick's Fresnel term."""
    hx, hy, hz = ex + tx, ey + ty, ez + tz
    scale = np.float32(1) / np.sqrt(hx * hx + hy * hy + hz * hz)
    cosine = (nx * hx + ny * hy + nz * hz) * scale
    if cosine <= faint:
        return np.float32(0)
    lobe = np.exp(power * np.log(cosine))
    mirrored = shine * _fresnel((ex * hx + ey * hy + ez * hz) * scale)
    return np.float32(mirrored * (power + np.float32(8)) / np.float32(8) * lobe)
