"""Pins and held points."""

from __future__ import annotations

from typing import Self

import msgspec
import numpy as np

from facewright.document import HeldPoints, PlacedPin
from facewright.errors import BadFile


class PinEntry(msgspec.Struct, omit_defaults=True):
    """A pin on a vertex, or on a triangle with barycentric coordinates."""

    id: int
    vertex: int | None = None
    triangle: int | None = None
    barycentric: tuple[float, float, float] | None = None
    axes: str = "xyz"
    strength: float = 1.0
    hold: bool = False
    free: bool = False

    @classmethod
    def of(cls, pin: PlacedPin) -> Self:
        return msgspec.convert(pin, cls, from_attributes=True)

    def value(self) -> PlacedPin:
        return PlacedPin(**msgspec.structs.asdict(self))


class HeldEntry(msgspec.Struct, omit_defaults=True):
    """Held points: each vertex with its axes as bits, 1 for x, 2 for y, 4 for z."""

    vertices: list[int] = []
    axes: list[int] = []
    on: bool = False
    alpha: float | None = None

    @classmethod
    def of(cls, held: HeldPoints) -> Self:
        return cls(held.vertices.tolist(), held.axes.tolist(), held.on, held.alpha)

    def value(self) -> HeldPoints:
        if len(self.axes) != len(self.vertices):
            raise BadFile(f"{len(self.vertices)} points are held, but {len(self.axes)} axes are given")
        return HeldPoints(np.array(self.vertices), np.array(self.axes), self.on, self.alpha)
