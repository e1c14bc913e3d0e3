"""The parameter section of C3D files: named values in groups, in the byte order and the floats of three processors.

The section is a chain of entries: length of the name, number of the group (negative for the group itself), name,
distance to the next entry, and then the content (https://www.c3d.org/HTML, "The parameter section").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np

from facewright.arrays import Floats, Ints

BLOCK = 512  # bytes
MAGIC = 0x50  # the second byte of every C3D file, and of its parameter section
INTEL, DEC, MIPS = 84, 85, 86  # codes of the processors
_TEXT, _BYTE, _INTEGER, _FLOAT = -1, 1, 2, 4  # types of parameters; the number is the size of an element
_MOST_ENTRIES = 1 << 16
_LARGEST = 1 << 16  # bytes of the last entry, which has no distance to a next one


@dataclass(frozen=True)
class Processor:
    """How numbers are stored. DEC has little-endian integers and floats of its own (VAX F)."""

    code: int

    @property
    def order(self) -> Literal["<", ">"]:
        return ">" if self.code == MIPS else "<"

    def integers(self, data: bytes) -> Ints:
        """Signed integers of 16 bits."""
        return np.frombuffer(data, f"{self.order}i2").astype(np.int64)

    def floats(self, data: bytes) -> Floats:
        """Floats of 32 bits. A VAX float has its halves swapped, and four times the value of the IEEE float."""
        if self.code != DEC:
            return np.frombuffer(data, f"{self.order}f4").astype(np.float64)
        halves = np.frombuffer(data, "<u2").reshape(-1, 2)[:, ::-1]
        return np.ascontiguousarray(halves).view("<f4")[:, 0].astype(np.float64) / 4


@dataclass(frozen=True)
class Parameter:
    """The value of a parameter, as stored."""

    kind: int
    shape: tuple[int, ...]  # the first dimension is the innermost
    data: bytes
    processor: Processor

    @property
    def values(self) -> Floats:
        """The numbers (k,); none for text. Integers are unsigned, because counts above 32767 are stored so."""
        if self.kind == _FLOAT:
            return self.processor.floats(self.data)
        if self.kind == _INTEGER:
            return (self.processor.integers(self.data) & 0xFFFF).astype(np.float64)
        return np.frombuffer(self.data, np.uint8).astype(np.float64) if self.kind == _BYTE else np.zeros(0)

    @property
    def texts(self) -> list[str]:
        """The lines of a text, without the spaces that fill them."""
        if self.kind != _TEXT or not self.data:
            return []
        size = self.shape[0] if self.shape else 1
        return [_decoded(self.data[at : at + size]) for at in range(0, len(self.data), size)]


@dataclass(frozen=True)
class Parameters:
    """The parameters of a file by the names of group and parameter, in capitals: ("POINT", "LABELS")."""

    processor: Processor
    by_name: Mapping[tuple[str, str], Parameter]

    def number(self, group: str, name: str) -> float | None:
        """The first number of a parameter; None where it is missing or not finite."""
        found = self.by_name.get((group, name))
        values = np.zeros(0) if found is None else found.values
        return float(values[0]) if len(values) and np.isfinite(values[0]) else None

    def long_number(self, group: str, name: str) -> int | None:
        """A number of 32 bits that is stored as two of 16 bits, the lower one first."""
        found = self.by_name.get((group, name))
        if found is None or found.kind != _INTEGER or len(found.values) < 2:
            return None
        return int(found.values[0]) + (int(found.values[1]) << 16)

    def texts(self, group: str, name: str) -> list[str]:
        found = self.by_name.get((group, name))
        return [] if found is None else found.texts


def read_parameters(data: bytes) -> Parameters:
    """The parameters of a file. Of two with one name the first counts; entries of unknown types are left out.

    Where the chain of entries is broken, the entries before it are returned.
    """
    start = BLOCK * max(data[0] - 1, 1)
    code = data[start + 3] if start + 4 <= len(data) else INTEL
    processor = Processor(code if code in (INTEL, DEC, MIPS) else INTEL)
    groups: dict[int, str] = {}
    found: dict[tuple[int, str], Parameter] = {}
    at = start + 4
    for _ in range(_MOST_ENTRIES):
        if at + 2 > len(data):
            break
        length, group = abs(_signed(data[at])), _signed(data[at + 1])
        after = at + 2 + length  # the distance to the next entry is counted from here
        if not length or not group or after + 2 > len(data):
            break
        name = _decoded(data[at + 2 : after]).upper()
        distance = int(processor.integers(data[after : after + 2])[0]) & 0xFFFF
        if group < 0:
            groups.setdefault(-group, name)
        else:
            parameter = _parameter(data[after + 2 : after + (distance or _LARGEST)], processor)
            if parameter is not None:
                found.setdefault((group, name), parameter)
        if distance < 2:
            break
        at = after + distance
    return Parameters(processor, {(groups.get(group, ""), name): value for (group, name), value in found.items()})


def _parameter(entry: bytes, processor: Processor) -> Parameter | None:
    """The parameter in the bytes of an entry; None where its type is unknown, or it is longer than its entry."""
    if len(entry) < 2:
        return None
    kind, dimensions = _signed(entry[0]), entry[1]
    begin = 2 + dimensions
    shape = tuple(entry[2:begin])
    size = prod(shape) * abs(kind)
    if kind not in (_TEXT, _BYTE, _INTEGER, _FLOAT) or begin + size > len(entry):
        return None
    return Parameter(kind, shape, entry[begin : begin + size], processor)


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def _decoded(data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.strip(" \0")
