"""What the texels of a map mean, as numbers that may be added up: light, slopes of a surface, or roughness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from facewright.image.srgb import Bytes, Floats32, to_bytes, to_linear

_STEEP = 0.05  # the least cosine of a normal to the surface; what leans further is no wrinkle


@dataclass(frozen=True)
class MapKind:
    """Bytes to numbers and back."""

    unpack: Callable[[Bytes], Floats32]  # (h, w, 3) each
    pack: Callable[[Floats32], Bytes]


def slopes(picture: Bytes) -> Floats32:
    """Slopes of the surface to the right and up, and 0, from normals in tangent space.

    Slopes of wrinkles over each other add up, normals do not.
    """
    normal = np.asarray(picture, np.float32) / np.float32(127.5) - 1
    found = normal / np.maximum(normal[..., 2:], np.float32(_STEEP))
    found[..., 2] = 0
    return np.asarray(found, np.float32)


def normals(slope: Floats32) -> Bytes:
    """Unit normals in tangent space as bytes."""
    found = np.array(slope, np.float32)
    found[..., 2] = 1
    found /= np.sqrt(np.square(found).sum(axis=-1, keepdims=True))
    return _levels(np.asarray((found + 1) / 2, np.float32))


def _shares(picture: Bytes) -> Floats32:
    """Roughness from 0 to 1: the green channel, which in grey pictures is all of them."""
    return np.repeat(np.asarray(picture, np.float32)[..., 1:2] / np.float32(255), 3, axis=-1)


def _levels(values: Floats32) -> Bytes:
    return np.asarray(np.rint(255 * np.clip(values, 0, 1)), np.uint8)


MAP_KINDS = {
    "color": MapKind(to_linear, to_bytes),
    "normal": MapKind(slopes, normals),
    "roughness": MapKind(_shares, _levels),
}
