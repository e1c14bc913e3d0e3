"""A limit on what a file makes a reader do, in proportion to its bytes."""

from __future__ import annotations

from facewright.errors import BadFile
from facewright.formats import limits

_ITEMS = 4_000_000  # nodes and single values of one file; a rig of 20,000 shapes has some 300,000
_FREE_ROWS = 2**22
_ROWS_PER_BYTE = 2  # a usual file has at least one byte for each vertex, corner and moved vertex


class ReadBudget:
    """What may still be read of a file of so many bytes."""

    def __init__(self, size: int) -> None:
        self._items = _ITEMS
        self._unpacked = max(limits.FREELY_UNPACKED, limits.RATIO * size)
        self._rows = _FREE_ROWS + _ROWS_PER_BYTE * size

    def items(self, count: int) -> None:
        """Nodes and values that become objects."""
        self._items -= count
        if self._items < 0:
            raise BadFile(f"the file has more than {_ITEMS:,} nodes and single values")

    def unpack(self, size: int) -> None:
        """Bytes that an array has once it is unpacked."""
        self._unpacked -= size
        if self._unpacked < 0:
            raise BadFile("the arrays of the file unpack to far more bytes than a rig has")

    def rows(self, count: int, where: str) -> None:
        """Vertices, corners, moved vertices and keys, which a file can refer to many times."""
        self._rows -= count
        if self._rows < 0:
            raise BadFile(f"{where}: the file claims far more geometry than it holds data for")
