"""A depth or scan sequence that is kept with a rig: where the head is in it, and the clip that was tracked in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats, Ints, floats, frozen, indices
from facewright.errors import BadValue
from facewright.mesh.align import Similarity
from facewright.motion.depth import ScanSequence

MOST_FRAMES = 20_000


@dataclass(frozen=True, eq=False)
class TrackedClip:
    """What is known of a clip that was tracked in the sequence, besides its curves."""

    clip: str  # its name
    status: Ints  # (f,) of each frame, as numbered by `words`
    words: tuple[str, ...]  # what each status means
    residual: Floats  # (f,) root mean square along the normals, metres; NaN where nothing was compared
    rotations: Floats  # (f, 3, 3) of the head before the camera
    offsets: Floats  # (f, 3) the same, metres
    scale: float  # metres in a scene unit
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.status)
        object.__setattr__(self, "words", tuple(self.words))
        object.__setattr__(self, "notes", tuple(self.notes))
        object.__setattr__(self, "status", indices("status of frames", self.status, (None,), below=len(self.words)))
        object.__setattr__(self, "rotations", floats("rotations of the head", self.rotations, (count, 3, 3)))
        object.__setattr__(self, "offsets", floats("offsets of the head", self.offsets, (count, 3)))
        residual = np.array(self.residual, np.float64)
        if residual.shape != (count,) or np.isinf(residual).any():
            raise BadValue(f"a tracked clip has a residual for each of its {count} frames")
        object.__setattr__(self, "residual", frozen(residual))
        Similarity(np.eye(3), np.zeros(3), self.scale)  # checks the scale

    def __len__(self) -> int:
        return len(self.status)


@dataclass(frozen=True, eq=False)
class Scanned:
    """A sequence with the head in it."""

    sequence: ScanSequence
    place: Similarity | None = None  # of the rig at rest before the camera, in metres, in a first frame; None: unknown
    rest: tuple[int, ...] = ()  # frames at rest, of which the person's own face can be made
    tracked: TrackedClip | None = None
    notes: tuple[str, ...] = ()  # why no head was found

    def __post_init__(self) -> None:
        frames = len(self.sequence)
        if not 0 < frames <= MOST_FRAMES:
            raise BadValue(f"{self.sequence.name}: a sequence that is kept with a face has 1 to {MOST_FRAMES:,} frames")
        rest = tuple(sorted(set(self.rest)))
        if rest and not 0 <= rest[0] <= rest[-1] < frames:
            raise BadValue(f"the frames at rest are from 0 to {frames - 1}, not {rest[0]} to {rest[-1]}")
        if self.tracked is not None and len(self.tracked) > frames:
            raise BadValue(f"{len(self.tracked)} frames were tracked of a sequence of {frames}")
        object.__setattr__(self, "rest", rest)
        object.__setattr__(self, "notes", tuple(self.notes))

    def scaled(self, factor: float) -> Scanned:
        """The same for a rig whose lengths are multiplied; the sequence is in metres, and stays."""
        place, tracked = self.place, self.tracked
        return replace(
            self,
            place=None if place is None else replace(place, scale=place.scale / factor),
            tracked=None if tracked is None else replace(tracked, scale=tracked.scale / factor),
        )

    def of_clip(self, old: str, new: str) -> Scanned:
        """The same after a clip was renamed from `old` to `new`."""
        if self.tracked is None or self.tracked.clip != old:
            return self
        return replace(self, tracked=replace(self.tracked, clip=new))
