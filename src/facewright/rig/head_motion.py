"""The motion of the head as six curves of a clip: three angles in radians, three lengths in scene units.

A point x of the rig goes to R x + o. R is the rotation about y by HeadYaw, times that about x by HeadPitch, times that
about z by HeadRoll, all right-handed, and o = (HeadX, HeadY, HeadZ). The angles have the names that phones use.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from facewright.arrays import Floats
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve

ANGLES = ("HeadYaw", "HeadPitch", "HeadRoll")
OFFSETS = ("HeadX", "HeadY", "HeadZ")
_ORDER: Final = "YXZ"


def head_curves(times: Floats, rotations: Floats, offsets: Floats) -> dict[str, Curve]:
    """Curves for rotations (frames, 3, 3) and offsets (frames, 3); angles have no jumps of a full turn."""
    if not len(times):
        return {}
    from scipy.spatial.transform import Rotation

    angles = np.unwrap(Rotation.from_matrix(np.array(rotations)).as_euler(_ORDER), axis=0)
    columns = np.concatenate([angles, offsets], axis=1)
    return {name: Curve(times, column) for name, column in zip((*ANGLES, *OFFSETS), columns.T, strict=True)}


def scaled_head_motion(clip: Clip, factor: float) -> Clip:
    """The clip with the offsets of the head multiplied; angles stay."""
    if factor == 1.0:
        return clip
    return clip.with_each(
        lambda curves: {name: _times(curve, factor) if name in OFFSETS else curve for name, curve in curves.items()}
    )


def _times(curve: Curve, factor: float) -> Curve:
    return replace(curve, values=curve.values * factor, slopes=None if curve.slopes is None else curve.slopes * factor)


def has_head_motion(clip: Clip) -> bool:
    """Whether a clip has offsets of the head; phones record angles alone, which are not a motion of the rig."""
    return any(name in clip.moved for name in OFFSETS)


def head_motion_of(clip: Clip, times: Floats) -> tuple[Floats, Floats]:
    """Quaternions (frames, 4), x y z w, each on the same hemisphere as the one before, and offsets (frames, 3)."""
    from scipy.spatial.transform import Rotation

    found = Rotation.from_euler(_ORDER, clip.sample(ANGLES, times)).as_quat()
    turned = np.cumprod(np.where((found[1:] * found[:-1]).sum(axis=1) < 0, -1.0, 1.0))
    found[1:] *= turned[:, None]
    return found, clip.sample(OFFSETS, times)
