"""Simple fields over the face: ramps, soft spots, noise of several wavelengths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.image.srgb import Floats32
from facewright.samples.skin.noise import Noise


def ramp(values: np.ndarray, start: float, end: float) -> Floats32:
    """A smooth step from 0 at `start` to 1 at `end`."""
    share = np.clip((values - start) / (end - start), 0, 1).astype(np.float32, copy=False)
    return np.asarray(share * share * (3 - 2 * share))


def spot(place: Floats32, middle: Sequence[float], reach: Sequence[float]) -> Floats32:
    """A soft spot (n,) at a place and its mirror image, 1 in its centre; reach along x, y and z, in centimetres."""
    x, y, z = (
        (one - np.float32(at)) / np.float32(far) for one, at, far in zip(_folded(place), middle, reach, strict=True)
    )
    return np.asarray(np.exp(-(x * x + y * y + z * z)))


def octaves(noise: Noise, place: Floats32, waves: Sequence[float], grain: float, *, first: int) -> Floats32:
    """Noise of several wavelengths, without those too short for texels of `grain` centimetres."""
    total = np.zeros(len(place), np.float32)
    for field, wave in enumerate(waves, start=first):
        held = min(1.0, max(0.0, wave / (2 * grain) - 0.6))
        if held > 0:
            total += np.float32(held / np.sqrt(len(waves))) * noise(place, wave, field)
    return total


def _folded(place: Floats32) -> tuple[Floats32, Floats32, Floats32]:
    return np.abs(place[:, 0]), place[:, 1], place[:, 2]
