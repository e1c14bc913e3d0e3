"""A sequence on a rig without its frames: its times, where the head is in it, and what was tracked."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from facewright.errors import BadFile, BadValue
from facewright.formats.scans.packed import PackedFrames
from facewright.mesh.align import Similarity
from facewright.motion.depth import ScanSequence
from facewright.rig.scanned import Scanned, TrackedClip


class PlaceEntry(msgspec.Struct):
    """A map x -> scale R x + offset."""

    rotation: list[list[float]]
    offset: list[float]
    scale: float

    @classmethod
    def of(cls, place: Similarity) -> PlaceEntry:
        return cls(place.rotation.tolist(), place.offset.tolist(), place.scale)

    def value(self) -> Similarity:
        return Similarity(np.array(self.rotation), np.array(self.offset), self.scale)


class TrackedEntry(msgspec.Struct, omit_defaults=True):
    """What is known of a tracked clip besides its curves."""

    clip: str
    status: list[int]
    words: list[str]
    residual: list[float | None]
    rotations: list[list[list[float]]]
    offsets: list[list[float]]
    scale: float
    notes: list[str] = []

    @classmethod
    def of(cls, tracked: TrackedClip) -> TrackedEntry:
        return cls(
            tracked.clip,
            tracked.status.tolist(),
            list(tracked.words),
            [None if math.isnan(each) else each for each in tracked.residual.tolist()],
            tracked.rotations.tolist(),
            tracked.offsets.tolist(),
            tracked.scale,
            list(tracked.notes),
        )

    def value(self) -> TrackedClip:
        return TrackedClip(
            self.clip,
            np.array(self.status, np.int64),
            tuple(self.words),
            np.array([math.nan if each is None else each for each in self.residual]),
            np.array(self.rotations).reshape(-1, 3, 3),
            np.array(self.offsets).reshape(-1, 3),
            self.scale,
            tuple(self.notes),
        )


class ScannedEntry(msgspec.Struct, omit_defaults=True):
    """All of a sequence on a rig but its frames."""

    name: str
    times: list[float]
    said: list[str] = []  # of the files
    place: PlaceEntry | None = None
    rest: list[int] = []
    tracked: TrackedEntry | None = None
    notes: list[str] = []

    @classmethod
    def of(cls, scanned: Scanned) -> ScannedEntry:
        sequence = scanned.sequence
        return cls(
            sequence.name,
            sequence.times.tolist(),
            list(sequence.notes),
            None if scanned.place is None else PlaceEntry.of(scanned.place),
            list(scanned.rest),
            None if scanned.tracked is None else TrackedEntry.of(scanned.tracked),
            list(scanned.notes),
        )

    def value(self, frames: PackedFrames) -> Scanned:
        try:
            return Scanned(
                ScanSequence(frames, np.array(self.times), self.name, tuple(self.said)),
                None if self.place is None else self.place.value(),
                tuple(self.rest),
                None if self.tracked is None else self.tracked.value(),
                tuple(self.notes),
            )
        except (BadValue, ValueError) as problem:
            raise BadFile(f"the JSON does not describe a sequence: {problem}") from problem
