"""Work in progress on a face, as plain JSON: pins, held points, locked sliders, the clip at hand."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from facewright.document import Document, HeldPoints, PlacedPin
from facewright.errors import BadFile


class PinEntry(msgspec.Struct, omit_defaults=True):
    """A pin where it sits."""

    id: int
    vertex: int | None = None
    triangle: int | None = None
    barycentric: tuple[float, float, float] | None = None
    axes: str = "xyz"
    strength: float = 1.0
    hold: bool = False


class HeldEntry(msgspec.Struct, omit_defaults=True):
    """Held points, each vertex with its axes as bits: 1 x, 2 y, 4 z."""

    vertices: list[int] = []
    axes: list[int] = []
    on: bool = False
    alpha: float | None = None


class WorkEntry(msgspec.Struct, omit_defaults=True):
    """What a document holds besides rig, pose and clips."""

    pins: list[PinEntry] = []
    held: HeldEntry | None = None
    locked: list[str] = []
    clip: str = ""
    time: float = 0.0

    def fields(self) -> dict[str, Any]:
        """The arguments of `Document`."""
        return {
            "pins": tuple(PlacedPin(**msgspec.structs.asdict(pin)) for pin in self.pins),
            "held": HeldPoints() if self.held is None else _held(self.held),
            "locked": tuple(self.locked),
            "clip": self.clip,
            "time": self.time,
        }


def work_of(document: Document) -> WorkEntry:
    """What a document holds besides rig, pose and clips."""
    held = document.held
    is_used = len(held) > 0 or held.on or held.alpha is not None
    return WorkEntry(
        [msgspec.convert(pin, PinEntry, from_attributes=True) for pin in document.pins],
        HeldEntry(held.vertices.tolist(), held.axes.tolist(), held.on, held.alpha) if is_used else None,
        list(document.locked),
        document.clip,
        float(document.time),
    )


def _held(entry: HeldEntry) -> HeldPoints:
    if len(entry.axes) != len(entry.vertices):
        raise BadFile(f"{len(entry.vertices)} points are held, but {len(entry.axes)} axes are given")
    return HeldPoints(np.array(entry.vertices), np.array(entry.axes), entry.on, entry.alpha)
