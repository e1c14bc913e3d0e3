"""The part of a picture that shows something."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.render.camera import Camera
from facewright.render.clipping import project


@dataclass(frozen=True)
class Window:
    """A range of rows and columns of a picture."""

    left: int
    top: int
    width: int
    height: int

    @property
    def rows(self) -> slice:
        """The rows as a slice."""
        return slice(self.top, self.top + self.height)

    @property
    def columns(self) -> slice:
        """The columns as a slice."""
        return slice(self.left, self.left + self.width)


def window_of(camera: Camera, points: Floats, size: tuple[int, int], step: int) -> Window:
    """The box of points (n, 3) in a picture of a size (width, height), its borders at multiples of `step` pixels.

    So patterns that repeat over pixels do not move when the face does.
    """
    clip = project(camera, points, size)
    if not len(clip) or (camera.perspective and clip[:, 3].min() <= camera.near):
        return Window(0, 0, *size)
    across = clip[:, :2] / clip[:, 3:]
    low, high = np.floor(across.min(axis=0) / step) * step, np.ceil(across.max(axis=0) / step) * step
    (left, top), (right, bottom) = (np.clip(edge, 0, size).astype(int).tolist() for edge in (low, high))
    if left >= right or top >= bottom:  # all of it is outside the picture
        return Window(0, 0, 1, 1)
    return Window(left, top, right - left, bottom - top)
