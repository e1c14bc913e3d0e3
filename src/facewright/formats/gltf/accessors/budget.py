"""A limit on what a file makes a reader do: it may refer to the same data many times, but only so often."""

from __future__ import annotations

from facewright.errors import BadFile
from facewright.formats.gltf.container.asset import Asset

_FREE = 2**22
_PER_BYTE = 2  # a usual file has at least one byte for each vertex, corner and moved vertex


class Budget:
    """Vertices, corners and target rows that may still be read."""

    def __init__(self, asset: Asset) -> None:
        self._left = _FREE + _PER_BYTE * len(asset.binary)

    def spend(self, amount: int, where: str) -> None:
        self._left -= amount
        if self._left < 0:
            raise BadFile(f"{where}: the file claims far more geometry than it holds data for")
