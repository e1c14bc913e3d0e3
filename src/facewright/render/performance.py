"""A clip played on a face, frame by frame, with the head's own motion."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.render.posed import Poser
from facewright.rig.head import ANGLES, OFFSETS, has_head_motion, head_motion_of

_MOST = 200_000  # frames
_HULL = 64  # directions in which the outermost points of a head are looked for


class Performance:
    """The vertices of each frame. Sliders without a curve are as they are in the document."""

    def __init__(
        self, poser: Poser, clip: Clip, *, rate: float | None = None, times: Floats | None = None, head: bool = True
    ) -> None:
        self.rig, self.clip, self.rate = poser.document.rig, clip, clip.rate if rate is None else rate
        self.times = _times(clip, self.rate) if times is None else times
        moved = np.array([name in clip.curves for name in self.rig.sliders], bool)
        self._pose = poser
        self._weights = np.where(moved, clip.sample(self.rig.sliders, self.times), poser.document.pose)
        self._head = _head(clip, self.times) if head and has_head_motion(clip) else None

    def __len__(self) -> int:
        return len(self.times)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Curves that move no slider of the rig."""
        known = {*self.rig.sliders, *ANGLES, *OFFSETS}
        return tuple(name for name in self.clip.curves if name not in known)

    def __call__(self, frame: int) -> Floats:
        """Positions (v, 3) of a frame."""
        return self._moved(self._pose(self._weights[frame]), frame)

    def reach(self) -> Floats:
        """Points (k, 3) that a camera must show for the head to stay in the picture."""
        outermost = _outermost(self.rig.neutral)
        if self._head is None:
            return outermost
        return np.concatenate([self._moved(outermost, frame) for frame in range(len(self))])

    def _moved(self, positions: Floats, frame: int) -> Floats:
        if self._head is None:
            return positions
        turns, offsets = self._head
        return np.asarray(positions @ turns[frame].T + offsets[frame])


def _times(clip: Clip, rate: float) -> Floats:
    if not (np.isfinite(rate) and rate > 0):
        raise BadValue(f"a clip is played at some frames a second, not at {rate:g}")
    if not clip.curves:
        raise BadValue(f"clip {clip.name!r} has no keys")
    frames = np.floor((clip.end - clip.start) * rate + 1e-6) + 1
    if frames > _MOST:
        raise BadValue(f"clip {clip.name!r} has {frames:,.0f} frames at {rate:g} a second; at most {_MOST:,} are drawn")
    return np.asarray(clip.start + np.arange(int(frames)) / rate)


def _head(clip: Clip, times: Floats) -> tuple[Floats, Floats]:
    """Rotations (frames, 3, 3) and offsets (frames, 3)."""
    from scipy.spatial.transform import Rotation

    quaternions, offsets = head_motion_of(clip, times)
    return Rotation.from_quat(quaternions).as_matrix(), offsets


def _outermost(points: Floats) -> Floats:
    """Points that are furthest in one of many directions: they stand for all, however the head turns."""
    i = np.arange(_HULL) + 0.5
    z, angle = 1 - 2 * i / _HULL, i * np.pi * (3 - 5**0.5)
    directions = np.stack([np.sqrt(1 - z * z) * np.cos(angle), np.sqrt(1 - z * z) * np.sin(angle), z], axis=1)
    extremes = [*(points @ directions.T).argmax(axis=0), *points.argmax(axis=0), *points.argmin(axis=0)]
    return np.asarray(points[np.unique(extremes)])
