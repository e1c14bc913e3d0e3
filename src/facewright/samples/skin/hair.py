"""Brows, drawn hair by hair, and a shaved scalp."""

from __future__ import annotations

import numpy as np

from facewright.image.srgb import Floats32
from facewright.samples.skin.curves import DrawnLines
from facewright.samples.skin.noise import Noise
from facewright.samples.skin.scalar_fields import ramp, spot

_HAIRS = 380  # of one brow
_INNER, _OUTER = 1.0, 5.1  # where a brow begins and ends, in centimetres


def brows(place: Floats32, seed: int, grain: float) -> Floats32:
    """The share of each texel that hair covers: hairs are upright beside the nose and lie down outwards."""
    rng = np.random.default_rng((seed, 3))
    share = rng.beta(1.1, 1.25, _HAIRS)
    across = rng.normal(0, 0.42, _HAIRS).clip(-1, 1)
    x = _INNER + (_OUTER - _INNER) * share
    y = _arch(share) + across * _width(share)
    lean = 0.2 + 1.15 * share**0.7 + 0.45 * (across + 0.2) + rng.normal(0, 0.13, _HAIRS)  # angle from upright
    length = rng.uniform(0.45, 0.8, _HAIRS) * (1 - 0.35 * share)
    tip = np.stack([x + length * np.sin(lean), y + length * np.cos(lean)], axis=1)
    bend = np.stack([x + 0.5 * length * np.sin(lean - 0.2), y + 0.5 * length * np.cos(lean - 0.2)], axis=1)
    root = np.stack([x, y], axis=1)
    hairs = DrawnLines.of([one.tolist() for one in np.stack([root, bend, tip], axis=1)])
    thick = max(0.018, 0.55 * grain)
    covered = np.zeros(len(place), np.float32)
    some, away, which = hairs.near(place, 4 * thick)
    fade = 0.9 * (1 - 0.65 * hairs.along[which] ** 2) * min(1.0, 0.03 / thick)
    covered[some] = fade * np.exp(-((away / thick) ** 2))
    return np.asarray(np.maximum(covered, np.float32(0.34) * _shadow(place)))


def scalp(place: Floats32, noise: Noise, grain: float) -> Floats32:
    """The share of each texel that hair of a few millimetres covers, with an irregular hairline."""
    x, y, z = place.T
    above = 7.3 - 0.05 * x**2 - 0.75 * np.maximum(-z - 0.5, 0)  # forehead and temples
    behind = -3.2 + 0.25 * (z + 9.5) ** 2 * (z > -9.5)  # neck
    inside = y - np.where(z < -5.2, behind, np.maximum(above, -0.2 + 0.5 * (z + 4.6)))
    found = np.zeros(len(place), np.float32)
    some = np.flatnonzero(inside > -1.5)
    here = place[some]
    ragged = inside[some] + 0.28 * noise(here, 1.1, 95) + 0.16 * noise(here, 0.35, 96)
    ear = spot(here, (7.6, -1.5, -6.3), (1.6, 3.0, 2.0))
    stubble = noise(here, max(0.11, 2.2 * grain), 97)
    found[some] = ramp(ragged, -0.5, 1.1) * np.clip(1 - 1.6 * ear, 0, 1) * np.clip(0.66 + 0.17 * stubble, 0, 0.9)
    return found


def _arch(share: np.ndarray) -> np.ndarray:
    return 1.52 + 0.98 * np.sin(np.pi * (0.12 + 0.66 * share)) - 0.62 * share**2


def _width(share: np.ndarray) -> np.ndarray:
    return 0.40 * (1 - 0.72 * share**1.6)


def _shadow(place: Floats32) -> Floats32:
    side, y = np.abs(place[:, 0]), place[:, 1]
    share = np.clip((side - _INNER) / (_OUTER - _INNER), 0, 1)
    ends = ramp(side, _INNER - 0.1, _INNER + 0.6) * ramp(side, _OUTER + 0.3, _OUTER - 0.7)
    across = ramp(np.abs(y - _arch(share) - 0.12) / (_width(share) + 0.2), 1.2, 0.2)
    return np.asarray(ends * across * (place[:, 2] > 0))
