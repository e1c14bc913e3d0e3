"""A clip played on a face, frame by frame, with the motion of the head."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.options import suggests_options
from facewright.regions.clip_samples import sample_clip
from facewright.regions.local_pose import local_curves
from facewright.render.poser import Poser
from facewright.rig.character import HeadTurn
from facewright.rig.controls import CONTROLS
from facewright.rig.gaze import Aim
from facewright.rig.head_motion import CURVES, controls_of, rigid_motion

_MOST = 200_000  # frames at most
_HULL = 64  # directions in which the outermost points of a head are searched


class ClipFrames:
    """The vertex positions of each frame. Sliders without a curve have the document's values.

    rate: frames a second; by default the clip's own. times: seconds (frames,) of the frames instead.
    head: whether the head makes the motion that the clip has for it.
    look: a point (3,) in scene units that the eyes look at, instead of what clip and document say.
    """

    @suggests_options
    def __init__(
        self,
        poser: Poser,
        clip: Clip,
        *,
        rate: float | None = None,
        times: Floats | None = None,
        head: bool = True,
        look: ArrayLike | None = None,
    ) -> None:
        document = poser.document
        self.rig, self.clip, self.rate = document.rig, clip, clip.rate if rate is None else rate
        self.times = _times(clip, self.rate) if times is None else times
        self.look = look
        self._pose = poser
        self._moments = sample_clip(document, clip, self.times)
        self._controls = _controls(document, clip, self.times)
        values = np.stack([self._controls.get(name, np.zeros(len(self.times))) for name in CURVES], axis=1)
        self._head = rigid_motion(values, document.head) if head and values.any() else None
        self._turns = HeadTurn.at(values, document.head) if self._head is not None else None

    def __len__(self) -> int:
        return len(self.times)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of curves that move no slider of the rig."""
        document = self._pose.document
        local = (name for name, _, _ in local_curves(self.clip, self.rig, document.regions))
        known = {*self.rig.sliders, *CONTROLS, *local}
        return tuple(name for name in self.clip.moved if name not in known)

    def weights(self, frame: int) -> Floats:
        """Slider values (n,) of a frame."""
        return np.asarray(self._moments.weights[frame])

    def shown_weights(self, frame: int) -> Floats:
        """Slider values (n,) of a frame, or (r, n) of each of the finest regions where some move by themselves."""
        return self._of_regions(frame) if self._moments.spots else self.weights(frame)

    def __call__(self, frame: int) -> Floats:
        """Positions (v, 3) of a frame."""
        look = self._aim(frame)
        if self._moments.spots:
            return self._moved(self._pose.within_regions(self._of_regions(frame), look=look), frame)
        return self._moved(self._pose(self.weights(frame), look=look), frame)

    def _of_regions(self, frame: int) -> Floats:
        """Slider values (r, n) of each of the finest regions in a frame."""
        all, some = self._moments, slice(frame, frame + 1)
        one = replace(all, times=all.times[some], weights=all.weights[some], local=all.local[some])
        return np.asarray(one.of_regions(self._pose.document)[0])

    def reach(self) -> Floats:
        """Points (k, 3) that a camera must show so that the head stays in the picture."""
        outermost = _outermost(self.rig.neutral)
        points, shares = self.rig.neutral[outermost], self._pose.shares
        if self._turns is None:
            return np.asarray(points)
        some = None if shares is None else shares[outermost]
        return np.concatenate([turn.moved(points, some) for turn in self._turns])

    def turn(self, frame: int) -> HeadTurn | None:
        """Where head, neck and joints of the eyes are in a frame; None: at rest."""
        head = None if self._turns is None else self._turns[frame]
        return self._pose.turn(self.weights(frame), self._aim(frame), head)

    def _moved(self, positions: Floats, frame: int) -> Floats:
        return positions if self._turns is None else self._turns[frame].moved(positions, self._pose.shares)

    def _aim(self, frame: int) -> Floats | Aim | None:
        """What the eyes do in a frame: what they were told to look at, or what clip and document say."""
        if self.look is not None:
            return self._seen_by_head(np.asarray(self.look, np.float64), frame)
        now = {name: float(values[frame]) for name, values in self._controls.items()}
        return Aim.of(now, None if self._head is None else (self._head[0][frame], self._head[1][frame]))

    def _seen_by_head(self, point: Floats, frame: int) -> Floats:
        """A point in space in the coordinates of the moved head."""
        if self._head is None:
            return point
        turns, offsets = self._head
        return np.asarray((point - offsets[frame]) @ turns[frame])


def _times(clip: Clip, rate: float) -> Floats:
    if not (np.isfinite(rate) and rate > 0):
        raise BadValue(f"a clip is played at some frames a second, not at {rate:g}")
    if not clip.moved:
        raise BadValue(f"clip {clip.name!r} has no keys")
    frames = np.floor((clip.end - clip.start) * rate + 1e-6) + 1
    if frames > _MOST:
        raise BadValue(f"clip {clip.name!r} has {frames:,.0f} frames at {rate:g} a second; at most {_MOST:,} are drawn")
    return np.asarray(clip.start + np.arange(int(frames)) / rate)


def _controls(document: Document, clip: Clip, times: Floats) -> dict[str, Floats]:
    """Values (frames,) of the controls that the clip moves, or that the document sets."""
    found = {name: np.full(len(times), value) for name, value in document.controls.items()}
    names = controls_of(clip)
    return found | dict(zip(names, clip.sample(names, times).T, strict=True))


def _outermost(points: Floats) -> Ints:
    """Rows of points that are furthest in one of many directions; they represent the head at any rotation."""
    i = np.arange(_HULL) + 0.5
    z, angle = 1 - 2 * i / _HULL, i * np.pi * (3 - 5**0.5)
    directions = np.stack([np.sqrt(1 - z * z) * np.cos(angle), np.sqrt(1 - z * z) * np.sin(angle), z], axis=1)
    extremes = [*(points @ directions.T).argmax(axis=0), *points.argmax(axis=0), *points.argmin(axis=0)]
    return np.unique(extremes)
