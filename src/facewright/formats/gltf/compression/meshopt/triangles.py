"""The triangle stream: most triangles share an edge with one of the last few, and take one byte."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.errors import BadFile

_TAIL = 16
_MASK = 0xFFFFFFFF


def decode_triangles(data: NDArray[np.uint8], count: int) -> NDArray[np.uint32]:
    """Indices (count,) of a stream."""
    triangles = count // 3
    if count % 3 or len(data) < 1 + triangles + _TAIL or data[0] != 0xE1:
        raise BadFile("a meshopt triangle stream begins with e1 and has a byte for each triangle")
    decoder = _Decoder(data[1 + triangles : len(data) - _TAIL].tobytes(), data[len(data) - _TAIL :].tobytes())
    found = decoder.run(data[1 : 1 + triangles].tobytes())
    if decoder.at != len(decoder.extra) or min(found) < 0:
        raise BadFile("a meshopt triangle stream is damaged")
    return np.array(found, np.uint32)


class _Decoder:
    """The state of the decoder, as the encoder had it: recent edges and vertices, the next new vertex."""

    def __init__(self, extra: bytes, table: bytes) -> None:
        self.extra, self.table, self.at = extra, table, 0
        self.edges = [(-1, -1)] * 16  # rings, the newest at `edge` - 1 and `vertex` - 1
        self.vertices = [-1] * 16
        self.edge = self.vertex = 0
        self.next = self.last = 0

    def run(self, codes: bytes) -> list[int]:
        found: list[int] = []
        try:
            for code in codes:
                found += self._on_edge(code) if code < 0xF0 else self._free(code)
        except IndexError:
            raise BadFile("a meshopt triangle stream ends too early") from None
        return found

    def _on_edge(self, code: int) -> tuple[int, int, int]:
        """A triangle on a recent edge."""
        a, b = self.edges[(self.edge - 1 - (code >> 4)) & 15]
        low = code & 15
        if low == 0:
            c = self._new()
        elif low < 13:
            c = self.vertices[(self.vertex - 1 - low) & 15]
        else:
            c = self._explicit() if low == 15 else self._step(-1 if low == 13 else 1)
        if low == 0 or low >= 13:
            self._push_vertex(c)
        self._push_edges((c, b), (a, c))
        return a, b, c

    def _free(self, code: int) -> tuple[int, int, int]:
        """A triangle on no recent edge."""
        if code < 0xFE:
            high, low = self.table[code & 15] >> 4, self.table[code & 15] & 15
            a = self._new()
        else:
            pair = self._byte()
            high, low = pair >> 4, pair & 15
            if pair == 0:
                self.next = 0
            a = self._new() if code == 0xFE else self._explicit()
        b = self._chosen(high)
        c = self._chosen(low)
        for vertex, kind in ((a, 0), (b, high), (c, low)):
            if kind in (0, 15):
                self._push_vertex(vertex)
        self._push_edges((b, a), (c, b), (a, c))
        return a, b, c

    def _chosen(self, kind: int) -> int:
        if kind == 0:
            return self._new()
        return self._explicit() if kind == 15 else self.vertices[(self.vertex - kind) & 15]

    def _new(self) -> int:
        found = self.next
        self.next = (found + 1) & _MASK
        return found

    def _step(self, step: int) -> int:
        self.last = (self.last + step) & _MASK
        return self.last

    def _explicit(self) -> int:
        code = shift = 0
        while True:
            byte = self._byte()
            code |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
            if shift > 28:
                raise BadFile("a meshopt triangle stream has a number of more than 5 bytes")
        code &= _MASK
        return self._step(~(code >> 1) if code & 1 else code >> 1)

    def _byte(self) -> int:
        self.at += 1
        return self.extra[self.at - 1]

    def _push_vertex(self, vertex: int) -> None:
        self.vertices[self.vertex] = vertex
        self.vertex = (self.vertex + 1) & 15

    def _push_edges(self, *edges: tuple[int, int]) -> None:
        for edge in edges:
            self.edges[self.edge] = edge
            self.edge = (self.edge + 1) & 15
