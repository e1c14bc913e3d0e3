"""Blocks of 4 x 4 texels to rows of a picture."""

from __future__ import annotations

from facewright.image.srgb import Bytes

BAND = 1 << 14  # blocks that are unpacked at a time


def grid(shape: tuple[int, ...]) -> tuple[int, int]:
    """Rows and columns of blocks that a picture (h, w, ...) takes."""
    return -(-shape[0] // 4), -(-shape[1] // 4)


def laid_out(texels: Bytes, picture: Bytes) -> None:
    """Blocks (rows, columns, 16, c) into a picture; texels beyond its edges are cut off."""
    rows, columns, _, channels = texels.shape
    whole = texels.reshape(rows, columns, 4, 4, channels).swapaxes(1, 2).reshape(4 * rows, 4 * columns, channels)
    picture[:] = whole[: picture.shape[0], : picture.shape[1]]
