"""Skin at rest: the amounts of pigment and blood at every place.

Light that returns from skin has passed through melanin and blood, each of which absorbs its own share of each colour;
so
amounts add up, and colours multiply. Lengths are centimetres on the default head; left and right are the same except
for noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.image.srgb import Floats32, decode
from facewright.samples.skin.curves import nearest
from facewright.samples.skin.hair import brows, scalp
from facewright.samples.skin.noise import Noise
from facewright.samples.skin.scalar_fields import octaves, ramp, spot
from facewright.samples.skin.skin_texels import SkinTexels

_PALE = decode([0.93, 0.80, 0.715])  # light that returns where there is little of either
_MELANIN = np.array([0.50, 0.77, 1.04], np.float32)  # exponents of absorption of red, green and blue, for one unit
_BLOOD = np.array([0.13, 0.62, 0.56], np.float32)
_LIP = 5.2  # rings of vertices that are lip


@dataclass(frozen=True)
class Tone:
    """The complexion of a person."""

    melanin: float = 0.30
    blood: float = 0.34
    freckles: int = 420
    age: float = 0.0  # 1: lines that others have only in expressions are there at rest, and spots
    hair: tuple[float, float, float] = (0.20, 0.135, 0.10)  # sRGB


TONES = {
    "default": Tone(),
    "amara": Tone(melanin=1.5, blood=0.36, freckles=40, hair=(0.085, 0.065, 0.06)),
    "kenji": Tone(melanin=0.52, blood=0.36, freckles=90, age=0.35, hair=(0.10, 0.085, 0.085)),
    "edith": Tone(melanin=0.24, blood=0.42, freckles=160, age=1.0, hair=(0.50, 0.48, 0.46)),
}


@dataclass(eq=False)
class Amounts:
    """The amounts at n texels."""

    melanin: Floats32  # (n,)
    blood: Floats32  # (n,)
    shade: Floats32  # (n,) light lost in creases and pores, as an exponent; below 0 if gained
    hair: Floats32  # (n,) share that is covered

    def light(self, tone: Tone) -> Floats32:
        """Linear colour (n, 3)."""
        exponent = np.maximum(self.melanin, 0)[:, None] * _MELANIN + np.maximum(self.blood, 0)[:, None] * _BLOOD
        exponent += self.shade[:, None]
        skin = _PALE * np.exp(-exponent)
        return np.asarray(skin + self.hair[:, None] * (decode(tone.hair) - skin))


def complexion(surface: SkinTexels, place: Floats32, tone: Tone, seed: int) -> Amounts:
    """Skin at rest. place (n, 3): where each texel's picture is taken, slightly off for a misregistered one."""
    noise = Noise(seed)
    mottle = octaves(noise, place, (1.6, 0.5), surface.grain, first=0)
    patches = octaves(noise, place, (4.0, 1.0), surface.grain, first=20)
    fine = octaves(noise, place, (0.22, 0.11), surface.grain, first=40)
    pores = np.maximum(octaves(noise, place, (0.15,), surface.grain, first=60) - 0.8, 0)
    lids = ramp(surface.lid, 7.5, 1.5) * np.where(place[:, 1] < 0, np.float32(0.15), np.float32(0.10))
    oily = spot(place, (0, -1.5, 4), (2.6, 2.6, 3)) + 0.5 * spot(place, (0, 5, 2), (4, 2, 3))
    found = Amounts(
        melanin=tone.melanin
        + (0.02 + 0.03 * tone.melanin) * (mottle + 1.2 * patches)
        + 0.5 * lids
        + 0.05 * ramp(-place[:, 1], 6, 12),
        blood=tone.blood * (1 + 0.16 * mottle - 0.10 * patches) + _ruddy(place) + 0.9 * lids,
        shade=0.05 * fine + (0.07 + 0.09 * oily) * pores,
        hair=np.maximum(brows(place, seed, surface.grain), scalp(place, noise, surface.grain)),
    )
    _add_freckles(found, place, tone, seed)
    _add_lips(found, surface, place, noise)
    _add_lid_edges(found, surface)
    return found


def _ruddy(place: Floats32) -> Floats32:
    """More blood in cheeks, nose, chin and ears, less in the forehead."""
    return np.asarray(
        0.26 * spot(place, (4.3, -2.2, 1.2), (1.9, 1.6, 2.5))
        + 0.24 * spot(place, (0, -2.9, 5.0), (1.3, 1.1, 1.6))
        + 0.10 * spot(place, (0, -9.2, 2.5), (1.5, 1.0, 2.0))
        - 0.05 * spot(place, (0, 6.0, 2.5), (4.5, 2.2, 3.0))
        + 0.16 * ramp(np.abs(place[:, 0]), 6.9, 8.2)
    )


def _add_freckles(found: Amounts, place: Floats32, tone: Tone, seed: int) -> None:
    """Small spots on nose and cheeks."""
    rng = np.random.default_rng((seed, 7))
    middle = np.stack([rng.normal(0, 2.7, tone.freckles), rng.normal(-1.6, 1.5, tone.freckles)], axis=1)
    size = (rng.gamma(4.0, 0.013, tone.freckles) + 0.025) * (1 + tone.age)
    depth = rng.uniform(0.10, 0.5, tone.freckles)
    x, y, z = place.T
    front = np.flatnonzero((z > -1) & (np.abs(x) < 7.5) & (y < 4.5) & (y > -7.5))
    away, which = nearest(middle, place[front, :2], 0.3, count=2)
    for near, index in zip(away.T, which.T, strict=True):
        some = np.isfinite(near)
        found.melanin[front[some]] += depth[index[some]] * np.exp(-((near[some] / size[index[some]]) ** 2))


def _add_lips(found: Amounts, surface: SkinTexels, place: Floats32, noise: Noise) -> None:
    rings = surface.lip if place is surface.place else surface.lip_at(place)
    some = np.flatnonzero(rings < 10)
    here, ring = place[some], rings[some]
    ragged = ring + 0.3 * noise(here, 0.5, 80) + 0.2 * noise(here, 0.15, 81)
    lip = ramp(ragged, _LIP + 0.6, _LIP - 0.8)
    rim = np.exp(-(((ragged - _LIP - 0.9) / 0.8) ** 2))
    creases = noise(here, 0.16, 82, stretch=(0.7, 6.0, 2.0)) + 0.6 * noise(here, 0.09, 83, stretch=(0.7, 5.0, 2.0))
    found.melanin[some] += lip * (0.15 - 0.16 * found.melanin[some]) - 0.04 * rim
    found.blood[some] += lip * (0.95 + 0.12 * noise(here, 0.9, 84))
    found.shade[some] += lip * (0.06 * creases + 0.05) - 0.03 * rim + 0.5 * ramp(ring, 2.4, 0.5)
    found.blood += 1.0 * surface.inner
    found.shade += 0.5 * surface.inner


def _add_lid_edges(found: Amounts, surface: SkinTexels) -> None:
    """The wet, pink edge of the lids, and the dark line of the lashes beside it."""
    found.blood += 0.8 * ramp(surface.lid, 1.6, 0.3)
    line = np.exp(-(((surface.lid - 2.6) / 1.3) ** 2))
    found.shade += line * np.where(surface.place[:, 1] > -0.1, np.float32(1.9), np.float32(0.7))
