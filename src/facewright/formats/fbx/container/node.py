"""The nodes of an FBX file: a name, values, children. Arrays are unpacked when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile, shortened


class Packed(Protocol):
    """Numbers that are not unpacked yet."""

    def numbers(self) -> Floats:
        """The numbers (n,)."""


@dataclass(frozen=True)
class Count:
    """The announcement of an array in a text file: its numbers follow in a child `a`."""

    numbers: int


Value = int | float | str | bytes | Count | Packed


@dataclass(slots=True)
class FbxNode:
    """A node. `values` follow its name; binary files keep arrays there, text files in a child."""

    name: str
    values: list[Value] = field(default_factory=list)
    children: list[FbxNode] = field(default_factory=list)

    def all(self, name: str) -> Iterator[FbxNode]:
        """The children of a name."""
        return (child for child in self.children if child.name == name)

    def child(self, name: str) -> FbxNode | None:
        """The first child of a name."""
        return next(self.all(name), None)

    def text(self, at: int = 0) -> str:
        """The text at a place among the values; "" where there is none."""
        value = self.values[at] if at < len(self.values) else ""
        return value if isinstance(value, str) else ""

    def number(self, at: int = 0, default: float = 0.0) -> float:
        """The finite number at a place among the values."""
        value = self.values[at] if at < len(self.values) else default
        if isinstance(value, int | float) and abs(value) < 1e300:
            return float(value)
        return default

    def whole(self, at: int = 0, default: int = 0) -> int:
        """The whole number at a place among the values."""
        value = self.values[at] if at < len(self.values) else default
        if isinstance(value, int):
            return value
        return int(value) if isinstance(value, float) and math.isfinite(value) else default

    def floats(self, name: str, columns: int = 1) -> Floats:
        """The array in a child, as rows (n, columns), or (n,) of one column; empty where there is no such child."""
        child = self.child(name)
        found = np.zeros(0) if child is None else numbers_of(child)
        if len(found) % columns:
            raise BadFile(f"{name} has {len(found)} numbers, which is no multiple of {columns}")
        return found if columns == 1 else found.reshape(-1, columns)

    def ints(self, name: str) -> Ints:
        """The array of whole numbers (n,) in a child; empty where there is no such child."""
        found = self.floats(name)
        if not (np.abs(found) < 2**62).all():  # not so for NaN either
            raise BadFile(f"{name} has a number that is no whole number of 64 bits")
        return found.astype(np.int64)


def numbers_of(node: FbxNode) -> Floats:
    """The array that a node holds: packed, in a child `a`, or as single values."""
    if node.values and isinstance(node.values[0], Count):
        inner = node.child("a")
        found = np.zeros(0) if inner is None else _joined(inner)
        if len(found) != node.values[0].numbers:
            raise BadFile(f"{shortened(node.name)} announces {node.values[0].numbers} numbers and has {len(found)}")
        return found
    return _joined(node)


def _joined(node: FbxNode) -> Floats:
    if len(node.values) == 1 and not isinstance(node.values[0], int | float | str | bytes | Count):
        return node.values[0].numbers()
    return np.array([number for value in node.values for number in _numbers(node, value)], np.float64)


def _numbers(node: FbxNode, value: Value) -> Iterator[float]:
    if isinstance(value, int | float):
        try:
            yield float(value)
        except OverflowError:
            raise BadFile(f"{shortened(node.name)} has a number that is too large") from None
    elif isinstance(value, str | bytes | Count):
        raise BadFile(f"{shortened(node.name)} has {str(value)[:40]!r} among its numbers")
    else:
        yield from value.numbers().tolist()


def flat_values(node: FbxNode) -> list[Value]:
    """The values of a node, with long runs of numbers as single ones."""
    found: list[Value] = []
    for value in node.values:
        found += [value] if isinstance(value, int | float | str | bytes | Count) else value.numbers().tolist()
    return found
