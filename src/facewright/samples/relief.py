"""The form of the generated face: a curved oval with nose, brows, eyes, lips and chin as hills and hollows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats

WIDTH, HEIGHT = 15.0, 21.0  # centimetres


@dataclass(frozen=True)
class Mound:
    """A smooth hill, or hollow, at a place, and its mirror image. Centimetres."""

    x: float
    y: float
    wide: float
    high: float
    rise: float
    tilt: float = 0.0  # slope of its long axis

    def over(self, x: Floats, y: Floats) -> Floats:
        """Heights at places x and y."""
        sides = [self._one(side * x, y) for side in ((1,) if self.x == 0 else (1, -1))]
        return np.asarray(sum(sides))

    def _one(self, x: Floats, y: Floats) -> Floats:
        across = (x - self.x) / self.wide
        up = (y - self.y - self.tilt * (x - self.x)) / self.high
        return np.asarray(self.rise * np.exp(-(across**2) - up**2))


MOUNDS = (
    Mound(0.0, 0.9, 0.9, 2.1, 0.85),  # bridge of the nose
    Mound(0.0, -1.0, 0.85, 1.3, 1.5),  # its tip
    Mound(0.95, -1.5, 0.55, 0.6, 0.75),  # wings
    Mound(2.9, 3.5, 2.0, 0.75, 0.75, tilt=0.06),  # brow ridges
    Mound(3.2, 1.7, 1.6, 1.1, -1.25),  # eye sockets
    Mound(3.2, 1.75, 1.05, 0.7, 0.85),  # lids over the eyeballs
    Mound(3.2, 1.45, 1.2, 0.12, -0.22, tilt=0.05),  # where the lids meet
    Mound(4.6, -0.8, 1.7, 1.3, 0.55),  # cheekbones
    Mound(0.0, -4.3, 2.9, 2.2, 0.7),  # curve of the teeth
    Mound(0.65, -3.75, 1.0, 0.42, 0.42, tilt=-0.18),  # upper lip
    Mound(0.0, -5.0, 1.5, 0.5, 0.6),  # lower lip
    Mound(0.0, -4.38, 1.75, 0.2, -0.5),  # where they meet
    Mound(0.0, -2.95, 0.3, 0.5, -0.18),  # philtrum
    Mound(0.0, -6.2, 1.7, 0.5, -0.45),  # hollow above the chin
    Mound(0.0, -7.7, 1.6, 1.1, 0.75),  # chin
)


def relief(flat: Floats) -> Floats:
    """Points (v, 3) of the face at places (v, 2) in a disc of radius 1."""
    side, up = flat.T
    x = WIDTH / 2 * np.sin(1.2 * side) / np.sin(1.2)
    # Narrower towards the chin.
    x *= 1 - 0.16 * np.clip(-up, 0, None) ** 1.5
    y = HEIGHT / 2 * up - 1.0
    z = 7.0 * (np.cos(1.2 * side) - 1) + 3.2 * (np.cos(1.25 * up) - 1)
    return np.stack([x, y, z + sum(mound.over(x, y) for mound in MOUNDS)], axis=1)
