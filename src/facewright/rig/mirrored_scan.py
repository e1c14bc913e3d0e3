"""Sequences whose pictures were mirrored when they were written, turned back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats
from facewright.motion.depth import DepthImage, PointCloud, ScanFrame, ScanSequence
from facewright.motion.frames_on_demand import FramesOnDemand
from facewright.rig.landmark_numbering import other_side, sides_exchanged

_ACROSS = np.array([-1.0, 1.0, 1.0])


def mirrored(sequence: ScanSequence) -> ScanSequence:
    """The mirror image of every frame. Landmarks take the names of the sides on which they then are."""
    return replace(sequence, frames=_Mirrored(sequence.frames))


@dataclass(frozen=True, eq=False)
class _Mirrored(FramesOnDemand[ScanFrame | None]):
    """Frames that are mirrored when they are asked for."""

    def frame(self, part: ScanFrame | None) -> ScanFrame | None:
        return None if part is None else mirrored_frame(part)


def mirrored_frame(frame: ScanFrame) -> ScanFrame:
    """Left and right exchanged."""
    if isinstance(frame, PointCloud):
        at = _named({name: each * _ACROSS for name, each in frame.landmarks.items()})
        return PointCloud(frame.points * _ACROSS, frame.normals * _ACROSS, at)
    last = frame.lens.width - 1
    at = _named({name: np.array([last - each[0], each[1]]) for name, each in frame.landmarks.items()})
    return DepthImage(np.ascontiguousarray(frame.depth[:, ::-1]), replace(frame.lens, cx=last - frame.lens.cx), at)


def _named(landmarks: Mapping[str, Floats]) -> dict[str, Floats]:
    """A detector that saw mirrored pictures takes left for right; one that saw the others does not."""
    if sides_exchanged(landmarks):
        return {other_side(name): at for name, at in landmarks.items()}
    return dict(landmarks)
