"""How far colour bleeds across a lip line, and around a mole, where maps of other colours are mixed.

Two maps with a shape of known outline, whose colour changes from one to the other, as lips redden, or as skin around a
mole does; each with its own pores. Mixed half and half, with the second one's detail, the picture should have the
second one's outline and pores and the mean of both colours on each side of the outline. What it has instead, within
two standard deviations of the blur, is the halo.
"""

from collections.abc import Callable

import numpy as np
from scipy import ndimage
from tools.experiments.result import markdown

from facewright.texture.bands import BLUR
from facewright.texture.blend import TextureBlend
from facewright.texture.detail import Detail

Color = tuple[float, float, float]
Colors = tuple[tuple[Color, Color], tuple[Color, Color]]  # inside and outside, at rest and in the expression
Outline = Callable[[float], np.ndarray]

SIDE = 1024
SIGMA = BLUR * SIDE
EDGES = (0.1, 0.05, 0.02)
PORES = 0.012  # standard deviation in linear light, of the painted skin at 1024
LIPS: Colors = (((0.36, 0.12, 0.11), (0.52, 0.33, 0.25)), ((0.48, 0.10, 0.10), (0.52, 0.33, 0.25)))
MOLE: Colors = (((0.12, 0.07, 0.05), (0.52, 0.33, 0.25)), ((0.12, 0.07, 0.05), (0.60, 0.28, 0.22)))


def halo_table() -> str:
    """Root mean square of the halo as a share of the change of colour, and what a mix keeps of the pores' energy."""
    rows = []
    for name, colors, outline in (("lip line", LIPS, lips), ("mole", MOLE, mole)):
        for off in (0.0, 0.5, 1.0):
            cells = [halo(colors, outline, off * SIGMA, edges) for edges in (0.0, *EDGES)]
            rows.append(
                [f"{name}, off by {off:g} of the blur", *(f"{bleeds:.2f}, {kept:.2f}" for bleeds, kept in cells)]
            )
    head = ["halo, pores kept", "Gaussian", *(f"guided, edges above {edges:g}" for edges in EDGES)]
    return markdown(head, rows)


def halo(colors: Colors, outline: Outline, off: float, edges: float) -> tuple[float, float]:
    """The halo, and the share of the pores that is there."""
    first, second = Painted(outline(0.0), colors[0], 1), Painted(outline(off), colors[1], 2)
    made = TextureBlend(first.light, [second.light], edges=edges).light([0.5], Detail(1))
    inside, outside = ((np.array(a) + np.array(b)) / 2 for a, b in zip(*colors, strict=True))
    smooth = second.cover * inside + (1 - second.cover) * outside
    near = second.away < 2 * SIGMA
    change = max(float(np.abs(np.subtract(a, b)).max()) for a, b in zip(*colors, strict=True))
    error = ndimage.gaussian_filter(made - smooth - second.pores, (1.5, 1.5, 0))[near]  # without what pores leave
    far = second.away > 6 * SIGMA
    shown = made - smooth
    kept = float((shown * second.pores)[far].sum() / np.square(second.pores)[far].sum())
    return float(np.sqrt(np.square(error).mean(axis=0).max())) / change, kept


class Painted:
    """A picture whose outline and pores are known; inside (h, w): the share of each texel within the outline."""

    def __init__(self, inside: np.ndarray, colors: tuple[Color, Color], seed: int) -> None:
        self.cover = inside[..., None]
        edge = np.abs(inside - 0.5) < 0.49
        self.away = ndimage.distance_transform_edt(~edge)
        noise = ndimage.gaussian_filter(np.random.default_rng(seed).normal(size=inside.shape), 1.0)
        self.pores = (PORES * noise / noise.std())[..., None] * np.ones(3)
        flat = self.cover * np.array(colors[0]) + (1 - self.cover) * np.array(colors[1])
        self.light = (flat + self.pores).astype(np.float32)


def lips(off: float) -> np.ndarray:
    """The share (h, w) of each texel that is inside a wavy stripe, softened over a texel."""
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    far = np.abs(y - SIDE / 2 - off - 20 * np.sin(x / 60)) - 40
    return np.asarray(np.clip(0.5 - far / 1.5, 0, 1))


def mole(off: float) -> np.ndarray:
    """The same for a disc of 5 mm, where 1024 texels are 360 mm."""
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    return np.asarray(np.clip(0.5 - (np.hypot(x - SIDE / 2 - off, y - SIDE / 2) - 7) / 1.5, 0, 1))
