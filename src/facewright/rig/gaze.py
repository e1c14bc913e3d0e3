"""Eyes that look at a point: eyeballs rotate about their centres, and lids follow where the rig has shapes for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats
from facewright.mesh.align import align_many
from facewright.rig.names import canonical_name
from facewright.rig.rig import Rig

_EYE = ("eye", "iris", "pupil", "cornea", "sclera")
_NOT = ("lash", "brow", "lid", "socket", "hair", "shadow", "occlusion", "tear", "lacrimal")
_FULL = np.radians(30.0)  # angle of a full slider if its shape does not rotate the eyeballs
_MOST = np.radians((42.0, 32.0))  # largest angles of an eye to the side, and up or down
LOOKS = {"Out": (0, 1), "In": (0, -1), "Up": (1, 1), "Down": (1, -1)}  # axis and sign; In and Out for the left eye


@dataclass(frozen=True, eq=False)
class Ball:
    """An eyeball: the points it was fitted to, its centre and its radius."""

    points: Ints  # (k,)
    middle: Floats  # (3,)
    radius: float


def is_eyeball(name: str) -> bool:
    """Whether a part belongs to an eyeball, by the words in its name."""
    return any(word in name.lower() for word in _EYE) and not any(word in name.lower() for word in _NOT)


def balls(points: Floats) -> list[Ball]:
    """The eyeballs that points (n, 3) at rest lie on: one, or two if they are far apart; z is ahead."""
    across = points[:, 0]
    two = np.ptp(across) > 2 * np.ptp(points[:, 1])
    side = two & (across > (across.min() + across.max()) / 2)
    return [_ball(points, some) for some in (np.flatnonzero(side), np.flatnonzero(~side)) if len(some)]


def _ball(points: Floats, some: Ints) -> Ball:
    low, high = points[some].min(axis=0), points[some].max(axis=0)
    # Height and width of an eyeball are complete even where its back is cut away.
    radius = float((high - low)[:2].max()) / 2 or 1.0
    return Ball(some, np.array([*(low + high)[:2] / 2, high[2] - radius]), radius)


class Gaze:
    """The eyes of a rig, prepared to look at points."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.eyes = list(_eyes(rig))
        self._sliders = {canonical_name(name): i for i, name in enumerate(rig.sliders)}

    @cached_property
    def reach(self) -> dict[str, float]:
        """The angle in radians of each gaze slider at 1, by canonical name."""
        return {name: self._angle(name) for name in self._sliders if name.startswith("eyeLook")}

    def __len__(self) -> int:
        return len(self.eyes)

    def weights(self, weights: Floats, target: ArrayLike) -> Floats:
        """Slider values (n,) in which the gaze sliders are set so that the lids follow eyes that
        look at a point (3,).
        """
        wanted = np.array(weights)
        for eye in self.eyes:
            angles = self._angles(eye.middle, target)
            side = "Left" if eye.middle[0] > 0 else "Right"
            for look, (axis, sense) in LOOKS.items():
                name = f"eyeLook{look}{side}"
                if name in self._sliders:
                    mirrored = -1 if axis == 0 and side == "Right" else 1
                    low, high = self._rig.bounds[self._sliders[name]]
                    value = mirrored * sense * angles[axis] / self.reach[name]
                    wanted[self._sliders[name]] = np.clip(value, max(low, 0.0), high)
        return wanted

    def turned(self, positions: Floats, target: ArrayLike) -> Floats:
        """Positions (v, 3) of a posed face with each eyeball rotated rigidly towards a point (3,)."""
        moved = np.array(positions)
        for eye in self.eyes:
            rest = self._rig.neutral[eye.points]
            rotations, offsets = align_many(rest[None], positions[eye.points][None], np.ones((1, len(rest))))
            middle = rotations[0] @ eye.middle + offsets[0]
            moved[eye.points] = (rest - eye.middle) @ _turn(*self._angles(middle, target)).T + middle
        return moved

    def _angles(self, middle: Floats, target: ArrayLike) -> Floats:
        """Angles (2,) to the side and up in radians towards the point, limited to those of an eye."""
        x, y, z = floats("what the eyes look at", target, (3,)) - middle
        return np.asarray(np.clip([np.arctan2(x, z), np.arctan2(y, np.hypot(x, z))], -_MOST, _MOST))

    def _angle(self, name: str) -> float:
        """The angle in radians by which a gaze slider rotates the eyes at 1."""
        shape = next((shape for shape in self._rig.shapes if canonical_name(shape.name) == name), None)
        if shape is None:
            return float(_FULL)
        posed = self._rig.neutral + shape.dense(self._rig.vertex_count) / shape.at[0]
        found = [0.0]
        for eye in self.eyes:
            rest = self._rig.neutral[eye.points]
            rotations, _ = align_many(rest[None], posed[eye.points][None], np.ones((1, len(rest))))
            found.append(float(np.arccos(np.clip((np.trace(rotations[0]) - 1) / 2, -1, 1))))
        return max(found) if max(found) > 0.05 else float(_FULL)


def _eyes(rig: Rig) -> Iterator[Ball]:
    """The eyeballs of a rig; parts of one eyeball, such as its cornea, are joined."""
    parts = [np.arange(part.start, part.stop) for part in rig.parts if is_eyeball(part.name) and part.stop > part.start]
    if not parts:
        return
    vertices = np.concatenate(parts)
    for ball in balls(rig.neutral[vertices]):
        yield Ball(vertices[ball.points], ball.middle, ball.radius)


def _turn(side: float, up: float) -> Floats:
    """The rotation (3, 3) of an eye that looks along z to the side (towards x) and up, without a roll."""
    a, b, c, d = np.cos(side), np.sin(side), np.cos(up), np.sin(up)
    about_y, about_x = np.array([[a, 0, b], [0, 1, 0], [-b, 0, a]]), np.array([[1, 0, 0], [0, c, d], [0, -d, c]])
    return np.asarray(about_y @ about_x)
