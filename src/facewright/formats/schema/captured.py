"""A take on a rig: its markers without their positions, their binding, and what is known of the solved clip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.schema.binding import BindingEntry
from facewright.motion.take import METRES, Take
from facewright.rig.binding import SurfacePoint
from facewright.rig.captured import Captured, SolvedClip


class PointEntry(msgspec.Struct):
    """A point of the surface: three vertices and its barycentric coordinates."""

    vertices: tuple[int, int, int]
    shares: tuple[float, float, float]

    @classmethod
    def of(cls, point: SurfacePoint) -> PointEntry:
        return cls(point.vertices, point.shares)

    def value(self) -> SurfacePoint:
        return SurfacePoint(self.vertices, self.shares)


class SolvedEntry(msgspec.Struct, omit_defaults=True):
    """What is known of a solved clip besides its curves."""

    clip: str
    status: list[int] = []
    doubted: list[tuple[int, int]] = []
    notes: list[str] = []

    @classmethod
    def of(cls, solved: SolvedClip) -> SolvedEntry:
        doubted = [(frame, marker) for frame, marker in solved.doubted.tolist()]
        return cls(solved.clip, solved.status.tolist(), doubted, list(solved.notes))

    def value(self) -> SolvedClip:
        doubted = np.array(self.doubted).reshape(-1, 2)
        return SolvedClip(self.clip, np.array(self.status), doubted, tuple(self.notes))


class CapturedEntry(msgspec.Struct, omit_defaults=True):
    """All of a captured take but the take itself."""

    pairs: dict[str, PointEntry] = {}
    base: BindingEntry | None = None
    origin: str = ""
    binding: BindingEntry | None = None
    ignored: list[str] = []
    neutral: int | list[int] | None = None
    solved: SolvedEntry | None = None
    rest_pose: dict[str, float] | Literal["solved"] | None = None

    @classmethod
    def of(cls, captured: Captured) -> CapturedEntry:
        return cls(
            {name: PointEntry.of(point) for name, point in captured.pairs.items()},
            None if captured.base is None else BindingEntry.of(captured.base),
            captured.origin,
            None if captured.binding is None else BindingEntry.of(captured.binding),
            list(captured.ignored),
            _frames_at_rest(captured.neutral),
            None if captured.solved is None else SolvedEntry.of(captured.solved),
            dict(captured.rest_pose) if isinstance(captured.rest_pose, Mapping) else captured.rest_pose,
        )

    def value(self, take: Take) -> Captured:
        return Captured(
            take,
            {name: point.value() for name, point in self.pairs.items()},
            None if self.base is None else self.base.value(),
            self.origin,
            None if self.binding is None else self.binding.value(),
            tuple(self.ignored),
            () if self.neutral is None else (self.neutral,) if isinstance(self.neutral, int) else tuple(self.neutral),
            None if self.solved is None else self.solved.value(),
            self.rest_pose,
        )


def _frames_at_rest(frames: tuple[int, ...]) -> int | list[int] | None:
    """One frame is written as a number, as it was before there could be several."""
    if len(frames) < 2:
        return frames[0] if frames else None
    return list(frames)


class TakeEntry(msgspec.Struct, omit_defaults=True):
    """A take without its positions."""

    names: list[str]
    rate: float
    unit: str
    name: str = "take"
    notes: list[str] = []

    @classmethod
    def of(cls, take: Take) -> TakeEntry:
        return cls(list(take.names), take.rate, take.unit, take.name, list(take.notes))

    def value(self, positions: Floats) -> Take:
        if self.unit not in METRES:
            raise BadFile(f"the unit is {self.unit!r}; known are {', '.join(METRES)}")
        return Take(tuple(self.names), positions, self.rate, self.unit, self.name, tuple(self.notes))
