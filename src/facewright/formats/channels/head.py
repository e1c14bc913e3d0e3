"""The motion of the head in a file whose meshes move as one rigid body."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.motion.curve import Curve
from facewright.rig.head_motion import head_curves

_STILL = 1e-6  # radians, and shares of the size: less is no motion
_SAME = 1e-5  # of the face's size: motions that differ less are one


def rigid_head_curves(
    times: Floats, worlds: Floats, rest: Floats, axes: Floats, size: float
) -> dict[str, Curve] | None:
    """Curves of the head's angles and offsets; none where nothing moves, None where it is no rigid body that does.

    worlds: (frames, parts, 4, 4); rest: (parts, 4, 4); axes: (4, 4) from the axes of the file to the rig's.
    """
    if not len(times) or size == 0 or (np.abs(np.linalg.det(rest)) < 1e-30).any():
        return {}
    moved = axes @ worlds @ np.linalg.inv(rest) @ axes.T
    moved[..., :3, 3] /= size  # lengths as shares of it
    if np.abs(moved - np.eye(4)).max() <= _STILL:
        return {}
    rotations = moved[:, 0, :3, :3]
    apart = np.abs(moved - moved[:, :1]).max(initial=0.0)
    rigid = np.abs(rotations @ rotations.swapaxes(1, 2) - np.eye(3)).max() < _SAME and np.linalg.det(rotations[0]) > 0
    if apart > _SAME or not rigid:
        return None
    return head_curves(times, rotations, size * moved[:, 0, :3, 3])
