"""Shading: a soft studio with key, fill and rim light and the light of the room, all in linear light.

The lights move with the camera, so that a face looks the same from every side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.render.tone import Color, Floats32


@dataclass(frozen=True)
class Light:
    """A distant light, fixed to the camera."""

    toward: Color  # direction to the light along the camera's right, up and back (towards the viewer)
    color: Color  # in linear light, times strength


@dataclass(frozen=True)
class Studio:
    """The lights cast shadows; sky and floor light from above and below where nothing occludes them."""

    key: Light
    fill: Light
    rim: Light
    catch: Light  # seen only as a highlight in eyes and on wet teeth
    sky: Color
    floor: Color

    @property
    def lamps(self) -> tuple[Light, Light, Light]:
        """Key, fill and rim light."""
        return self.key, self.fill, self.rim


WET = 0.4  # roughness above which that highlight is not visible
_KEY, _FILL, _RIM, _CATCH = (-0.62, 0.62, 0.78), (0.9, 0.1, 0.6), (0.66, 0.42, -0.72), (-0.34, 0.36, 0.87)

STUDIO = Studio(
    key=Light(_KEY, (1.44, 1.3, 1.16)),
    fill=Light(_FILL, (0.15, 0.18, 0.225)),
    rim=Light(_RIM, (0.95, 1.05, 1.2)),
    catch=Light(_CATCH, (2.6, 2.6, 2.6)),
    sky=(0.26, 0.28, 0.31),
    floor=(0.11, 0.09, 0.08),
)

# White and even, for colours that stand for numbers.
NEUTRAL = Studio(
    key=Light(_KEY, (0.72, 0.72, 0.72)),
    fill=Light(_FILL, (0.24, 0.24, 0.24)),
    rim=Light(_RIM, (0.25, 0.25, 0.25)),
    catch=Light(_CATCH, (0.4, 0.4, 0.4)),
    sky=(0.52, 0.52, 0.52),
    floor=(0.26, 0.26, 0.26),
)


@dataclass(frozen=True, eq=False)
class ShadedSurface:
    """The properties of n points that are shaded."""

    normal: Floats32  # (n, 3) unit, towards the viewer's side
    to_eye: Floats32  # (n, 3) or (1, 3) unit
    color: Floats32  # (n, 3) linear
    shine: Floats32  # (n,)
    roughness: Floats32  # (n,)
    wrap: Floats32  # (n, 3)
    open: Floats32  # (n,) share of the room's light that arrives: 1 in the open, 0 in a crevice
    lit: Floats32  # (n, 3) share of the key, fill and rim light that arrives

    def pick(self, some: Ints) -> ShadedSurface:
        """Some of the points."""
        to_eye = self.to_eye if len(self.to_eye) == 1 else self.to_eye[some]
        kept = (getattr(self, name)[some] for name in ("color", "shine", "roughness", "wrap", "open", "lit"))
        return ShadedSurface(self.normal[some], to_eye, *kept)


def shade(surface: ShadedSurface, axes: Floats, studio: Studio = STUDIO) -> Floats32:
    """Linear light (n, 3) that leaves the points towards the eye; axes: the camera's right, up and forward."""
    facing = np.maximum(_dot(surface.normal, surface.to_eye), 1e-3)
    # What neither key nor fill reaches gets no light from the room either: the inside of a mouth.
    inner = surface.open * (0.3 + 0.7 * np.maximum(surface.lit[:, 0], surface.lit[:, 1]))
    light: Floats32 = surface.color * _room(surface.normal, axes[1], studio)
    light += _sheen(surface, facing, axes[1], studio)
    light *= inner[:, None]
    for lamp, arrives in zip(studio.lamps, surface.lit.T, strict=True):
        toward = direction(lamp, axes)
        some = np.flatnonzero((arrives > 0) & (surface.normal @ toward > -surface.wrap.max(initial=0)))
        light[some] += _lamp(surface.pick(some), toward, arrives[some]) * _tint(lamp.color)
    wet = np.flatnonzero(surface.roughness < WET)
    light[wet] += _spark(surface.pick(wet), direction(studio.catch, axes)) * _tint(studio.catch.color)
    return light


def direction(lamp: Light, axes: Floats) -> Floats32:
    """Unit direction (3,) in space towards the light."""
    toward = np.array(lamp.toward) * (1, 1, -1) @ axes
    return cast(Floats32, (toward / np.linalg.norm(toward)).astype(np.float32))


def _lamp(surface: ShadedSurface, toward: Floats32, arrives: Floats32) -> Floats32:
    slope = surface.normal @ toward
    wrap = surface.wrap
    soft = np.maximum((slope[:, None] + wrap) / (1 + wrap) ** 2, 0)
    # Light scatters under the skin: where the shadow begins, red reaches further than the other colours.
    half_lit = np.flatnonzero(arrives < 1)
    soft[half_lit] *= arrives[half_lit, None] ** (1 / (1 + 2 * wrap[half_lit]))
    glint = _glint(surface, toward) * np.maximum(slope, 0) * arrives
    return cast(Floats32, surface.color * soft + glint[:, None])


def _spark(surface: ShadedSurface, toward: Floats32) -> Floats32:
    wet = np.maximum(1 - surface.roughness / WET, 0)
    return cast(Floats32, (wet * _glint(surface, toward))[:, None])


def _glint(surface: ShadedSurface, toward: Floats32) -> Floats32:
    """Normalised Blinn-Phong with Schlick's Fresnel term."""
    half = surface.to_eye + toward
    half = half / lengths(half)[:, None]
    power = np.maximum(2 / np.maximum(surface.roughness, 0.05) ** 4 - 2, 1)
    lobe = np.maximum(_dot(surface.normal, half), 0) ** power
    return cast(Floats32, surface.shine * _fresnel(_dot(surface.to_eye, half)) * (power + 8) / 8 * lobe)


def _sheen(surface: ShadedSurface, facing: Floats32, up: Floats, studio: Studio) -> Floats32:
    """The room reflected in the surface: strongest at grazing angles, weaker with roughness."""
    mirrored = 2 * facing[:, None] * surface.normal - surface.to_eye
    strength = surface.shine * _fresnel(facing) * (1 - 0.7 * surface.roughness)
    return cast(Floats32, strength[:, None] * _room(mirrored, up, studio))


def _room(toward: Floats32, up: Floats, studio: Studio) -> Floats32:
    above = (0.5 + 0.5 * (toward @ up.astype(np.float32)))[:, None]
    return cast(Floats32, _tint(studio.floor) * (1 - above) + _tint(studio.sky) * above)


def _tint(color: Color) -> Floats32:
    return np.array(color, np.float32)


def _fresnel(cosine: Floats32) -> Floats32:
    return cast(Floats32, 0.025 + 0.975 * (1 - np.clip(cosine, 0, 1)) ** 5)


def lengths(vectors: Floats32) -> Floats32:
    """Length (n,) of vectors (n, 3)."""
    return cast(Floats32, np.sqrt(np.einsum("nk,nk->n", vectors, vectors)))


def _dot(a: Floats32, b: Floats32) -> Floats32:
    return cast(Floats32, np.einsum("nk,nk->n", *np.broadcast_arrays(a, b)))
