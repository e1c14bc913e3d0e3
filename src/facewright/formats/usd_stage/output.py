"""What the process answers: a description as JSON, and the numbers of arrays after it."""

from __future__ import annotations

import json
import math
from typing import Any

from facewright.errors import BadFile


class Arrays:
    """Arrays that the description refers to by where they begin."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._pieces: list[bytes] = []
        self._start = 0

    def add(self, value: Any, what: str) -> dict[str, Any]:
        """The place of an array of usd-core."""
        try:
            view = memoryview(value)
        except TypeError:
            raise BadFile(f"{what} is no array of numbers") from None
        return self.add_bytes(view.tobytes(), view.format, view.shape or ())

    def add_bytes(self, data: bytes, type: str, shape: tuple[int, ...]) -> dict[str, Any]:
        """The place of an array whose bytes are given."""
        self._left -= len(data)
        if self._left < 0:
            raise BadFile("the arrays of the file have far more bytes than a rig has")
        place = {"start": self._start, "type": type, "shape": list(shape)}
        padding = -len(data) % 8  # so that all arrays are aligned
        self._pieces.append(data + bytes(padding))
        self._start += len(data) + padding
        return place

    def write(self, path: str, description: dict[str, Any]) -> None:
        """Write the description and all arrays into a file."""
        text = json.dumps(description, allow_nan=False).encode()
        text += b" " * (-len(text) % 8)
        with open(path, "wb") as file:
            file.write(len(text).to_bytes(8, "little") + text)
            for piece in self._pieces:
                file.write(piece)


def check_finite(description: dict[str, Any]) -> None:
    """Refuse a description with numbers, such as times, that JSON cannot hold."""
    try:
        json.dumps(description, allow_nan=False)
    except ValueError:
        raise BadFile("a time or another number of the file is not finite") from None


def numbers(value: Any, count: int, fallback: list[float]) -> list[float]:
    """A vector or a single number as a list; the fallback where it has another length, or is not finite."""
    try:
        found = [float(one) for one in value] if hasattr(value, "__len__") else [float(value)]
    except (TypeError, ValueError, OverflowError):
        return fallback
    return found if len(found) == count and all(map(math.isfinite, found)) else fallback


def matrix(value: Any) -> list[float]:
    """A matrix as 16 numbers, row by row; the identity where one is not finite."""
    found = [float(value[row][column]) for row in range(4) for column in range(4)]
    return found if all(map(math.isfinite, found)) else [float(i % 5 == 0) for i in range(16)]
