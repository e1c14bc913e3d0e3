"""UASTC LDR 4x4: each block of 16 bytes is independent, in one of nineteen modes, interpolated as in ASTC."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Ints
from facewright.errors import BadFile
from facewright.image.ktx2.blocks import BAND, grid, laid_out
from facewright.image.ktx2.container import Container
from facewright.image.ktx2.levels import plain_level
from facewright.image.ktx2.uastc.fields import SOLID_FIELDS, Fields, numbers, partition_bits
from facewright.image.ktx2.uastc.modes import RESERVED, SOLID, Mode, mode_numbers, mode_of
from facewright.image.ktx2.uastc.partitions import partition
from facewright.image.ktx2.uastc.quantised import color_levels, digits, weight_levels
from facewright.image.srgb import Bytes

_FREE = 1 << 18  # blocks that any file may have; beyond, one for each of its bytes
_WITH_OPACITY = (3, 5)  # channels of the first sample: RGBA, and grey with opacity


def unpack_uastc(file: Container) -> Bytes:
    """A picture (h, w, 3), or (h, w, 4) where the file says that it has opacity."""
    picture = np.empty((file.height, file.width, 4 if file.channels in _WITH_OPACITY else 3), np.uint8)
    rows, columns = grid(picture.shape)
    blocks = np.frombuffer(plain_level(file, 16 * rows * columns), np.uint8).reshape(rows, columns, 16)
    step, left = max(BAND // columns, 1), _FREE + len(file.level)
    for row in range(0, rows, step):
        some = blocks[row : row + step]
        # Equal blocks are decoded once.
        different, of_each = np.unique(some.reshape(-1, 16).view("V16")[:, 0], return_inverse=True)
        left -= len(different)
        if left < 0:
            raise BadFile("the KTX2 file repeats a few bytes over a large picture, which no texture does")
        texels = _texels(different.view(np.uint8).reshape(-1, 16))[of_each.ravel()]
        texels = texels.reshape(len(some), columns, 16, 4)
        laid_out(texels[..., : picture.shape[2]], picture[4 * row : 4 * (row + step)])
    return picture


def _texels(blocks: Bytes) -> Bytes:
    """Texels (n, 16, 4) of blocks (n, 16)."""
    texels = np.empty((len(blocks), 16, 4), np.uint8)
    modes = mode_numbers()[blocks[:, 0] & 127]
    bits = np.unpackbits(blocks, axis=1, bitorder="little")
    for number in np.unique(modes).tolist():
        if number == RESERVED:
            raise BadFile("the KTX2 file is damaged: a block is of a mode that UASTC does not have")
        chosen = np.flatnonzero(modes == number)
        if number == SOLID:
            texels[chosen] = numbers(bits[chosen], SOLID_FIELDS)[:, None]
        else:
            _fill(texels, bits, chosen, mode_of(number))
    return texels


def _fill(texels: Bytes, bits: Bytes, chosen: Ints, mode: Mode) -> None:
    """The texels of blocks of one mode, those of one partition at a time."""
    partitions = mode.partitions or (0,)
    index = numbers(bits[chosen], [(mode.start, partition_bits(mode))])[:, 0]
    if index.max() >= len(partitions):
        raise BadFile("the KTX2 file is damaged: a block is divided in a way that UASTC does not have")
    for one in np.unique(index).tolist():
        rows = chosen[index == one]
        subset = partition(partitions[one], mode.subsets)
        fields = Fields.of(mode, subset)
        values = numbers(bits[rows], fields.places)
        texels[rows] = _mixed(_ends(values, fields, mode)[:, subset], _weights(values, fields, mode))


def _ends(values: Ints, fields: Fields, mode: Mode) -> Ints:
    """The two colours (n, subsets, 4, 2) of each subset."""
    found = values[:, fields.colors]
    if fields.base > 1:
        high = digits(values[:, fields.packed], fields.base)[:, : found.shape[1]]
        found = high << fields.color_bits | found
    ends = color_levels(mode.levels)[found].reshape(-1, mode.subsets, mode.channels, 2)
    if mode.channels == 3:
        return np.concatenate([ends, np.full_like(ends[:, :, :1], 255)], axis=2)
    return ends if mode.channels == 4 else ends[:, :, [0, 0, 0, 1]]


def _weights(values: Ints, fields: Fields, mode: Mode) -> Ints:
    """How much of the second colour (n, 16, 4) each channel of a texel has, in sixty-fourths."""
    planes = weight_levels(mode.weight_bits)[values[:, fields.weights]].reshape(-1, 16, mode.planes)
    if mode.planes == 1:
        return np.broadcast_to(planes, (*planes.shape[:2], 4))
    apart = values[:, fields.apart] if mode.channels > 2 else np.full((len(values), 1), 3)
    return np.where(apart[:, None] == np.arange(4), planes[..., 1:], planes[..., :1])


def _mixed(ends: Ints, weights: Ints) -> Bytes:
    """Interpolated with 16 bits, of which the upper eight stay (ASTC, "Weight Application")."""
    low, high = 257 * ends[..., 0], 257 * ends[..., 1]
    return np.asarray(low * (64 - weights) + high * weights + 32 >> 14, np.uint8)
