"""Pins in a JSON file: surface points of a face, and where they go."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from facewright.formats import limits
from facewright.formats.files import read_text
from facewright.formats.sources import naming

_LIKE = '. A pins file looks like {"pins": [{"vertex": 7, "offset": [0, 0.5, 0]}, {"vertex": 9, "hold": true}]}'


class FilePin(msgspec.Struct, forbid_unknown_fields=True):
    """One pin: a surface point, and where it goes (`target`) or by how much (`offset`)."""

    vertex: int | None = None
    triangle: int | None = None
    barycentric: tuple[float, float, float] | None = None
    target: tuple[float, float, float] | None = None
    offset: tuple[float, float, float] | None = None
    axes: str = "xyz"
    plane: tuple[float, float, float] | None = None  # normal of a view plane in which it counts instead
    strength: float = 1.0
    hold: bool | Literal["softly"] = False


class PinsFile(msgspec.Struct, forbid_unknown_fields=True):
    """Pins, the pose to start from (not given: that of the rig's file), and sliders that stay."""

    pins: list[FilePin]
    start: dict[str, float] | None = None
    locked: list[str] = []
    sliders: str | list[str] | None = None  # those that may move: a set's name, or names


def load_pins(path: Path) -> PinsFile:
    """The pins file at a path; a bare list of pins is accepted."""
    with naming(path, like=_LIKE):
        found = msgspec.json.decode(read_text(path, limits.JSON), type=PinsFile | list[FilePin])
        return found if isinstance(found, PinsFile) else PinsFile(found)
