"""A slice of ETC1S: for each block the number of its palette and of its pattern (KTX 2.0, "ETC1S Slice Decoding").

A palette is that of the block on the left (0), above (1), above on the left (2), or so many further than the last one
(3). The ways of two by two blocks are one symbol. A pattern is a number, or a place among those that were used lately.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from facewright.errors import BadFile
from facewright.image.ktx2.etc1s.codebook import SliceCodes
from facewright.image.ktx2.etc1s.huffman import Bits, Code

Numbers = array  # "H": no codebook has more than 65535 entries

_REPEAT = 256
_LONG_RUN = 63
_LEAST_RUN = 3
_MOST_BYTES = 24  # of a block: four codes of 16 bits and two long counts


def read_slice(
    data: bytes, codes: SliceCodes, counts: tuple[int, int], size: tuple[int, int]
) -> tuple[Numbers[int], Numbers[int]]:
    """Palettes and patterns of blocks, row by row; `counts` of each in the codebook, `size` in rows and columns."""
    rows, columns = size
    bits = Bits(data[: _MOST_BYTES * (rows * columns + 1)])
    ways, patterns = _ways(bits, codes.prediction), _patterns(bits, codes, counts[1])
    palettes, found = array("H"), array("H")
    below = [0] * ((columns + 1) // 2)  # ways of the odd row, read with those of the even one
    last = 0
    for row in range(rows):
        for column in range(columns):
            if not column & 1:
                way = below[column >> 1] if row & 1 else next(ways)
                below[column >> 1] = way >> 4
            last = _palette(way & 3, palettes, columns, column) if way & 3 != 3 else last + bits.symbol(codes.step)
            if last >= counts[0]:
                last = _wrapped(last, counts[0])
            way >>= 2
            palettes.append(last)
            found.append(next(patterns))
    return palettes, found


def _palette(way: int, before: Numbers[int], columns: int, column: int) -> int:
    """The palette of a neighbour that was read before."""
    back = (1, columns, columns + 1)[way]
    if back > len(before) or (way != 1 and not column):
        raise BadFile("the KTX2 file is damaged: a block is like one outside of the picture")
    return before[-back]


def _wrapped(number: int, count: int) -> int:
    if number - count >= count:
        raise BadFile("the KTX2 file is damaged: a block has a palette that is not there")
    return number - count


def _ways(bits: Bits, code: Code) -> Iterator[int]:
    """The ways of two by two blocks, two bits each."""
    last = 0
    while True:
        symbol = bits.symbol(code)
        if symbol > _REPEAT:
            raise BadFile("the KTX2 file is damaged: blocks are predicted in an unknown way")
        if symbol < _REPEAT:
            last = symbol
            yield last
            continue
        for _ in range(_count(bits, 4) + _LEAST_RUN):
            yield last


def _patterns(bits: Bits, codes: SliceCodes, count: int) -> Iterator[int]:
    """The pattern of each block; used ones move towards the front of those remembered, new ones begin in the middle."""
    recent, size, rover = [0] * codes.history, codes.history, codes.history // 2
    while True:
        place = bits.symbol(codes.pattern) - count
        if place < 0:
            if size:
                recent[rover] = place + count
                rover = rover + 1 if rover + 1 < size else size // 2
            yield place + count
        elif place < size:
            value = recent[place]
            recent[place], recent[place // 2] = recent[place // 2], value
            yield value
        elif place == size and size:
            run = bits.symbol(codes.run)
            for _ in range((_count(bits, 7) if run == _LONG_RUN else run) + _LEAST_RUN):
                yield recent[0]
        else:
            raise BadFile("the KTX2 file is damaged: a block has a pattern that is not there")


def _count(bits: Bits, size: int) -> int:
    """A number in pieces of so many bits, each with one more that says whether another follows."""
    value = 0
    for shift in range(0, 32, size):
        piece = bits.take(size + 1)
        value |= (piece & (1 << size) - 1) << shift
        if not piece >> size:
            return value
    raise BadFile("the KTX2 file is damaged: a count has no end")
