"""C3D files made by hand: any processor, coordinates as integers or floats, and groups that are broken."""

import struct
from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.formats.takes.c3d_parameters import BLOCK, DEC, INTEL, MIPS


class C3DFile:
    """A file with points (frames, k, 3) in its own units; NaN is a gap."""

    def __init__(self, names: Sequence[str], positions: Floats, *, processor: int = INTEL, scale: float = -1.0) -> None:
        self.names, self.positions, self.processor, self.scale = names, positions, processor, scale
        self.analog = 0  # values of all channels in a frame
        self.samples = 0  # of a channel in a frame
        self.header_analog: int | None = None  # what the header says instead
        self.more = b""  # further entries of the parameter section

    def integers(self, *values: int) -> bytes:
        return struct.pack(f"{'>' if self.processor == MIPS else '<'}{len(values)}H", *(v & 0xFFFF for v in values))

    def floats(self, values: Floats) -> bytes:
        if self.processor == DEC:
            bits = (np.asarray(values, "<f4") * 4).astype("<f4").view("<u2").reshape(-1, 2)
            return np.ascontiguousarray(bits[:, ::-1]).tobytes()
        return np.asarray(values, ">f4" if self.processor == MIPS else "<f4").tobytes()

    def group(self, number: int, name: str) -> bytes:
        return bytes((len(name), 256 - number)) + name.encode() + self.integers(3) + b"\0"

    def entry(self, group: int, name: str, kind: int, shape: Sequence[int], data: bytes) -> bytes:
        content = bytes((kind % 256, len(shape), *shape)) + data + b"\0"
        return bytes((len(name), group)) + name.encode() + self.integers(2 + len(content)) + content

    def number(self, group: int, name: str, value: int) -> bytes:
        return self.entry(group, name, 2, (), self.integers(value))

    def real(self, group: int, name: str, value: float) -> bytes:
        return self.entry(group, name, 4, (), self.floats(np.array([value])))

    def texts(self, group: int, name: str, texts: Sequence[str]) -> bytes:
        size = max(map(len, texts))
        data = "".join(text.ljust(size) for text in texts).encode("latin-1")
        return self.entry(group, name, -1, (size, len(texts)), data)

    def data(self) -> bytes:
        body = (
            self.group(1, "POINT")
            + self.number(1, "USED", len(self.names))
            + self.real(1, "SCALE", self.scale)
            + self.real(1, "RATE", 120.0)
            + (self.texts(1, "LABELS", self.names) if self.names else b"")
            + self.texts(1, "UNITS", ["mm"])
            + self.group(2, "ANALOG")
            + self.number(2, "USED", self.analog // self.samples if self.samples else 0)
            + self.real(2, "RATE", 120.0 * self.samples)
            + self.more
        )
        blocks = -(-(len(body) + 6) // BLOCK)
        body = self.number(1, "DATA_START", 2 + blocks) + body
        section = (bytes((1, 0x50, blocks, self.processor)) + body + b"\0\0").ljust(BLOCK * blocks, b"\0")
        said = self.analog if self.header_analog is None else self.header_analog
        header = bytes((2, 0x50)) + self.integers(len(self.names), said, 1, len(self.positions), 0)
        header += self.floats(np.array([self.scale])) + self.integers(2 + len(section) // BLOCK, self.samples)
        header += self.floats(np.array([120.0]))
        data = header.ljust(BLOCK, b"\0") + section + b"".join(map(self._frame, self.positions))
        return data.ljust(-(-len(data) // BLOCK) * BLOCK, b"\0")

    def _frame(self, points: Floats) -> bytes:
        gaps = np.isnan(points[:, 0])
        words = np.column_stack([np.nan_to_num(points), np.where(gaps, -1.0, 0.0)])
        if self.scale < 0:
            return self.floats(words.ravel()) + self.floats(np.full(self.analog, 0.25))
        words[:, :3] /= self.scale
        return self.integers(*np.rint(words).astype(int).ravel().tolist(), *[77] * self.analog)
