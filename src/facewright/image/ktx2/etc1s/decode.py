"""ETC1S under BasisLZ: each block of 4 x 4 texels is a palette and a pattern of the file's codebook."""

from __future__ import annotations

import numpy as np

from facewright.errors import BadFile
from facewright.image.ktx2.blocks import BAND, grid, laid_out
from facewright.image.ktx2.container import Container
from facewright.image.ktx2.etc1s.codebook import Codebook, read_codebook
from facewright.image.ktx2.etc1s.slices import read_slice
from facewright.image.srgb import Bytes

_OPACITY = 1  # the channel that a grey slice's texels are read from; all three are the same


def unpack_etc1s(file: Container) -> Bytes:
    """A picture (h, w, 3), or (h, w, 4) where it has a second slice."""
    book = read_codebook(file.shared, file.levels)
    picture = np.empty((file.height, file.width, 4 if book.alpha[1] else 3), np.uint8)
    _fill(picture[..., :3], _slice(file.level, book.color), book, book.palettes)
    if book.alpha[1]:
        _fill(picture[..., 3:], _slice(file.level, book.alpha), book, book.palettes[..., _OPACITY, None])
    return picture


def _slice(level: bytes, place: tuple[int, int]) -> bytes:
    start, length = place
    if not length or start + length > len(level):
        raise BadFile("the KTX2 file is damaged: a slice lies outside of its level")
    return level[start : start + length]


def _fill(picture: Bytes, data: bytes, book: Codebook, palettes: Bytes) -> None:
    """A slice's texels into a picture, some rows of blocks at a time."""
    rows, columns = grid(picture.shape)
    chosen = read_slice(data, book.codes, (len(book.palettes), len(book.patterns)), (rows, columns))
    colors, patterns = (np.frombuffer(one, np.uint16).reshape(rows, columns) for one in chosen)
    table, step = palettes.reshape(-1, palettes.shape[-1]), max(BAND // columns, 1)
    for row in range(0, rows, step):
        band = slice(row, row + step)
        texels = table[4 * colors[band, :, None].astype(np.int64) + book.patterns[patterns[band]]]
        laid_out(texels, picture[4 * row : 4 * (row + step)])
