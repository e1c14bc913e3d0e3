"""A take that is kept with a rig: the recorded markers, their binding, and the clips solved from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import numpy as np

from facewright.arrays import Ints, indices
from facewright.errors import BadValue
from facewright.motion.take import Take
from facewright.rig.binding import Binding, SurfacePoint
from facewright.rig.rig import Rig

MOST = 5_000_000  # markers times frames of a take that is kept with a face: half an hour of 45 markers at 60 Hz


@dataclass(frozen=True, eq=False)
class SolvedClip:
    """What is known of a clip that was solved from the take, besides its curves."""

    clip: str  # its name
    status: Ints  # (frames,) status of each frame, as numbered by the solver
    doubted: Ints  # (q, 2) frame and marker (of the binding) of measurements that were rejected
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        status = indices("status of frames", self.status, (None,), below=100)
        doubted = indices("doubted markers", self.doubted, (None, 2), below=2**31)
        for name, value in (("status", status), ("doubted", doubted), ("notes", tuple(self.notes))):
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False)
class Captured:
    """A take with its bindings. `binding` is `base` with the pairs replacing its markers, or made
    of the pairs alone.
    """

    take: Take
    pairs: Mapping[str, SurfacePoint] = field(default_factory=dict)  # made by hand: marker to point
    base: Binding | None = None  # from names or from a file
    origin: str = ""  # of the base: "names", "file", or empty
    binding: Binding | None = None
    ignored: tuple[str, ...] = ()  # markers that are not used for solving
    neutral: tuple[int, ...] = ()  # frames at rest, if some were given
    solved: SolvedClip | None = None
    rest_pose: Mapping[str, float] | Literal["solved"] | None = None  # of the rig at rest; None: its neutral

    def __post_init__(self) -> None:
        size = len(self.take) * len(self.take.names)
        if size > MOST:
            raise BadValue(
                f"{self.take.name}: {len(self.take):,} frames of {len(self.take.names)} markers are more than can be "
                f"kept with a face ({MOST:,} positions); `facewright solve` takes them, or cut the take"
            )
        for name in (*self.pairs, *self.ignored):
            self.take.index(name)
        frames = tuple(sorted(set(self.neutral)))
        for frame in frames:
            if not 0 <= frame < max(len(self.take), 1):
                raise BadValue(f"the frame at rest is {frame}; the take's go from 0 to {len(self.take) - 1}")
        if self.rest_pose is not None and not isinstance(self.rest_pose, str):
            object.__setattr__(self, "rest_pose", MappingProxyType(dict(self.rest_pose)))
        object.__setattr__(self, "neutral", frames)
        object.__setattr__(self, "pairs", MappingProxyType(dict(self.pairs)))
        object.__setattr__(self, "ignored", tuple(dict.fromkeys(self.ignored)))

    @cached_property
    def active(self) -> Binding | None:
        """The binding without the ignored markers."""
        if self.binding is None or not self.ignored:
            return self.binding
        return self.binding.only(tuple(name for name in self.binding.markers if name not in self.ignored))

    def check(self, rig: Rig) -> None:
        """Raise `BadValue` if the rig does not have the vertices that are named."""
        if isinstance(self.rest_pose, Mapping):
            rig.pose(self.rest_pose)
        for binding in (self.base, self.binding):
            if binding is not None:
                binding.check(rig)
        vertices = np.array([point.vertices for point in self.pairs.values()], np.int64)
        indices("vertices of pairs", vertices.reshape(-1, 3), (None, 3), below=rig.vertex_count)

    def of_clip(self, old: str, new: str) -> Captured:
        """The same after a clip was renamed from `old` to `new`."""
        if self.solved is None or self.solved.clip != old:
            return self
        return replace(self, solved=replace(self.solved, clip=new))
