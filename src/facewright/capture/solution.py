"""A solved take: weights, the head's motion, residuals of the markers, and a status for each frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.gaps import bridged
from facewright.capture.head import HeadMotion
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.binding import Binding
from facewright.rig.head_motion import head_curves
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig


class FrameStatus(Enum):
    """How a frame was solved, in a sentence for the user."""

    SOLVED = "solved"
    FEW_MARKERS = "fewer than half of the markers were seen: it follows the frames around it more than them"
    NO_MARKERS = "no marker was seen: it is interpolated from its neighbours"
    NOT_BEST = "stopped early: inside the bounds and usable, but not the best there is"


@dataclass(frozen=True, eq=False)
class TakeSolution:
    """The weights of a rig in every frame of a take, and how well they fit. Lengths are in the rig's scene units."""

    rig: Rig
    binding: Binding
    name: str
    rate: float
    weights: Floats  # (frames, n) inside the sliders' bounds
    head: HeadMotion  # of the rig, relative to the face at rest
    wanted: Floats  # (frames, k, 3) recorded motion of the markers, the head held; NaN in gaps
    motion: Floats  # (frames, k, 3) motion of the markers on the rig
    believed: NDArray[np.bool_]  # (frames, k) seen, and no outlier
    optimal: NDArray[np.bool_]  # (frames,)
    noise: float  # standard deviation of a marker's coordinate
    notes: tuple[str, ...] = ()
    regions: Regions | None = None
    level: int = 0  # of the regions
    region_weights: Floats | None = field(default=None)  # (regions of the level, frames, n)

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def residual_offsets(self) -> Floats:
        """Residual of the markers as offsets (frames, k, 3); NaN where a marker is not believed."""
        return np.where(self.believed[:, :, None], self.wanted - self.motion, np.nan)

    @property
    def filled_offsets(self) -> Floats:
        """The same with gaps interpolated (frames, k, 3), for the skin to follow without jumps."""
        return bridged(self.residual_offsets, self.rate)

    @property
    def residual(self) -> Floats:
        """Distance of each marker (frames, k) from its place on the rig; NaN where it is not believed."""
        return np.asarray(np.linalg.norm(self.residual_offsets, axis=2))

    @property
    def millimetres(self) -> float:
        """Millimetres of the actor in one of the rig's scene units."""
        from facewright.motion.take import METRES

        return 1000 * METRES[self.binding.unit] / self.binding.to_rig.scale

    @property
    def status(self) -> tuple[FrameStatus, ...]:
        """The status of every frame."""
        counts = self.believed.sum(axis=1)
        return tuple(
            _status(int(n), len(self.binding), bool(best)) for n, best in zip(counts, self.optimal, strict=True)
        )

    @property
    def times(self) -> Floats:
        """Times (frames,) of the frames in seconds, from 0."""
        return np.arange(len(self)) / self.rate

    @property
    def clip(self) -> Clip:
        """A key for every slider in every frame, and the head's own motion as curves HeadYaw to HeadZ."""
        times = self.times
        curves = {name: Curve(times, column) for name, column in zip(self.rig.sliders, self.weights.T, strict=True)}
        curves |= head_curves(times, self.head.rotations, self.head.offsets)
        return Clip(self.name, curves if len(times) else {}, self.rate)

    def __repr__(self) -> str:
        counts = f"{len(self)} frames, {len(self.binding)} markers, {self.weights.shape[1]} sliders"
        return f"TakeSolution({self.name!r}, {counts})"


def _status(believed: int, markers: int, best: bool) -> FrameStatus:
    if not best:
        return FrameStatus.NOT_BEST
    if believed == 0:
        return FrameStatus.NO_MARKERS
    return FrameStatus.SOLVED if 2 * believed >= markers else FrameStatus.FEW_MARKERS
