"""From light to pixels over a background, as in `tone.py`."""

from __future__ import annotations

import numpy as np

from facewright.render.compiled.jit import compiled
from facewright.render.tone import FINE, Bytes, Floats32, dither, srgb_levels


def develop(light: Floats32, under: Floats32 | None, whole: Bytes, top: int, left: int, width: int) -> None:
    """Put pixels (n, 4) of light and coverage, rows of `width`, into a picture (h, w, 3) over what is behind them.

    under (h, w, 3): the light behind all of the picture; None for a picture (h, w, 4) with the coverage as its alpha.
    """
    behind = np.zeros((0, 0, 3), np.float32) if under is None else under
    _develop(light, behind, under is not None, whole, top, left, width, srgb_levels(), dither(3).astype(np.float32))


@compiled
def _develop(
    light: Floats32,
    under: Floats32,
    over: bool,
    whole: Bytes,
    top: int,
    left: int,
    width: int,
    levels: Floats32,
    grain: Floats32,
) -> None:
    for n in range(len(light)):
        row, column = n // width, n % width
        cover = light[n, 3]
        for axis in range(3):
            if over:
                value = light[n, axis] + (np.float32(1) - cover) * under[top + row, left + column, axis]
            else:
                value = light[n, axis] / max(cover, np.float32(1e-9))
            step = int(min(max(value * np.float32(FINE), np.float32(0)), np.float32(FINE - 1)))
            level = np.uint8(min(levels[step] + grain[row % 8, column % 8], np.float32(255)))
            whole[top + row, left + column, axis] = level
        if not over:
            alpha = np.uint8(np.rint(np.float32(255) * cover))
            whole[top + row, left + column, 3] = alpha
            if alpha == 0:
                whole[top + row, left + column, :3] = 0
