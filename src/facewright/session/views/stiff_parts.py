"""Parts of a face that move as one: teeth and tongue with the jaw, eyeballs that look at a point."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from facewright.capture.followers import followers
from facewright.rig.gaze import LOOKS, Gaze, side_of
from facewright.rig.names import canonical_name
from facewright.rig.rig import Rig


class LookShape(Struct):
    """A shape that lids and an eye follow with: at 1 for an angle of `reach` (radians) on an axis, 0 sideways, 1 up."""

    shape: int
    axis: int
    sense: int
    reach: float


class EyeInfo(Struct):
    """An eyeball; its vertices are eyeballs[start:stop] of the frame, or those that have shares in its joint."""

    middle: tuple[float, float, float]
    start: int
    stop: int
    looks: list[LookShape]


def stiff_arrays(rig: Rig) -> dict[str, np.ndarray]:
    """Riders (k,) go where carriers (c,) go; eyeballs (e,) are the vertices of all eyes."""
    found, none = followers(rig), np.zeros(0, np.int64)
    return {
        "riders": found.vertices,
        "carriers": found.carried_by,
        "eyeballs": np.concatenate([none, *(eye.points for eye in Gaze(rig).eyes)]),
    }


def eye_infos(gaze: Gaze) -> list[EyeInfo]:
    at = 0
    shapes = {canonical_name(shape.name): i for i, shape in enumerate(gaze.rig.shapes)}
    infos = []
    for eye in gaze.eyes:
        side = side_of(eye)
        looks = [
            LookShape(shapes[name], axis, sense * (-1 if axis == 0 and side == "Right" else 1), gaze.reach[name])
            for look, (axis, sense) in LOOKS.items()
            if (name := f"eyeLook{look}{side}") in shapes and name in gaze.reach
        ]
        x, y, z = eye.middle.tolist()
        infos.append(EyeInfo((x, y, z), at, at + len(eye.points), looks))
        at += len(eye.points)
    return infos
