"""Bits, least significant first, and canonical Huffman codes over them (KTX 2.0, appendix BasisLZ, after RFC 1951)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Ints
from facewright.errors import BadFile

_LONGEST = 16
_ORDER = (17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16)
_RUNS = {17: (3, 3), 18: (7, 11), 19: (2, 3), 20: (7, 7)}  # bits of a run's length, and what it is at least


@dataclass(frozen=True)
class Code:
    """A code as a table: `entries[bits & mask]` is 32 * symbol + length, 0 for an invalid code."""

    entries: list[int]
    mask: int


EMPTY = Code([0], 0)


class Bits:
    """A stream of bits; reading beyond its end raises."""

    def __init__(self, data: bytes) -> None:
        self.words, self.at, self.end = words_of(data), 0, 8 * len(data)

    def take(self, count: int) -> int:
        """The next bits, at most 32, as a number."""
        at = self.at
        self.at = at + count
        self.check()
        return self.words[at >> 5] >> (at & 31) & (1 << count) - 1

    def symbol(self, code: Code) -> int:
        at = self.at
        entry = code.entries[self.words[at >> 5] >> (at & 31) & code.mask]
        self.at = at + (entry & 31)
        if not entry:
            raise BadFile("the KTX2 file is damaged: bits that no Huffman code has")
        self.check()
        return entry >> 5

    def check(self) -> None:
        if self.at > self.end:
            raise BadFile("the KTX2 file is damaged: compressed data end early")


def words_of(data: bytes) -> array[int]:
    """Overlapping words of eight bytes, one from each fourth byte: each bit has 33 bits after it in one of them."""
    halves = np.frombuffer(data + bytes(12 - len(data) % 4), "<u4").astype(np.uint64)
    return array("Q", (halves[:-1] | halves[1:] << np.uint64(32)).tobytes())


def code_of(lengths: Ints) -> Code:
    """The canonical code of symbols' lengths; 0: the symbol has none."""
    used = np.flatnonzero(lengths)
    if not len(used):
        return EMPTY
    used = used[np.argsort(lengths[used], kind="stable")]
    sizes = lengths[used]
    widths = 1 << (_LONGEST - sizes)
    starts = np.cumsum(widths) - widths  # codes as numbers of 16 bits, the first bit the highest
    if starts[-1] + widths[-1] > 1 << _LONGEST:
        raise BadFile("the KTX2 file is damaged: a Huffman code has more symbols than its lengths allow")
    longest = int(sizes[-1])
    flat = np.zeros(1 << longest, np.int64)
    spans = widths >> (_LONGEST - longest)
    flat[: int(spans.sum())] = np.repeat(used * 32 + sizes, spans)
    return Code(flat[_mirrored(longest)].tolist(), (1 << longest) - 1)


def read_code(bits: Bits) -> Code:
    """A code whose lengths are stored as runs, by a code of their own."""
    count, small = bits.take(14), bits.take(5)
    if not count:
        return EMPTY
    if not 1 <= small <= len(_ORDER):
        raise BadFile("the KTX2 file is damaged: a Huffman table has no lengths")
    own = np.zeros(len(_ORDER), np.int64)
    for place in _ORDER[:small]:
        own[place] = bits.take(3)
    code, lengths = code_of(own), list[int]()
    while len(lengths) < count:
        lengths += _some(bits, bits.symbol(code), lengths)
    if len(lengths) != count:
        raise BadFile("the KTX2 file is damaged: a Huffman table's runs do not end with it")
    return code_of(np.array(lengths))


def _some(bits: Bits, symbol: int, before: list[int]) -> list[int]:
    if symbol <= _LONGEST:
        return [symbol]
    size, least = _RUNS[symbol]
    repeated = before[-1] if symbol >= 19 and before else 0
    if symbol >= 19 and not repeated:
        raise BadFile("the KTX2 file is damaged: a Huffman table repeats what is not there")
    return [repeated] * (bits.take(size) + least)


def _mirrored(count: int) -> Ints:
    """The numbers of so many bits, each read backwards."""
    numbers, mirrored = np.arange(1 << count), np.zeros(1 << count, np.int64)
    for bit in range(count):
        mirrored |= (numbers >> bit & 1) << (count - 1 - bit)
    return mirrored
