"""A followed face: weights, the head's motion, residuals by frame and over the face, and a status for each frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.capture.head import HeadMotion
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.head_motion import head_curves
from facewright.rig.rig import Rig
from facewright.tracking.placement import HeadPlacement
from facewright.tracking.solver import TrackStatus


@dataclass(frozen=True, eq=False)
class TrackSolution:
    """The weights of a rig in every frame of a sequence, and how well they fit."""

    rig: Rig
    name: str
    times: Floats  # (frames,) seconds
    rate: float
    weights: Floats  # (frames, n) inside the sliders' bounds
    places: tuple[HeadPlacement, ...]  # of the head before the camera, one a frame
    head: HeadMotion  # of the rig, relative to a head that looks at the camera; scene units
    residual: Floats  # (frames,) root mean square along the normals, metres; NaN where nothing was compared
    share: Floats  # (frames,) of the face that faces the camera: how much lies on what was measured
    map: Floats  # (v,) mean distance along the normal over all frames, metres; NaN where nothing was compared
    status: tuple[TrackStatus, ...]
    noise: float  # metres: what a rig that fits leaves
    scale: float  # metres in a scene unit
    notes: tuple[str, ...] = ()
    finished: bool = True  # False if it was stopped early; later frames are missing

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def clip(self) -> Clip:
        """A key for every slider in every frame, and the head's own motion as curves HeadYaw to HeadZ."""
        curves = {
            name: Curve(self.times, column) for name, column in zip(self.rig.sliders, self.weights.T, strict=True)
        }
        curves |= head_curves(self.times, self.head.rotations, self.head.offsets)
        return Clip(self.name, curves if len(self.times) else {}, self.rate)

    def placed(self, frame: int, positions: Floats) -> Floats:
        """Positions (v, 3) of the rig with the head held, in metres before the camera in a frame."""
        return self.places[frame](positions)

    def __repr__(self) -> str:
        seen = sum(each.seen for each in self.status)
        left = f"{1000 * float(np.nanmedian(self.residual)):.2f} mm" if seen else "no"
        return f"TrackSolution({self.name!r}, {len(self)} frames, {seen} seen, {left} residual)"
