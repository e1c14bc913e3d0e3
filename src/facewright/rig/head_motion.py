"""The head's own motion as six curves of a clip: three angles in radians, three lengths in scene units.

A point x of the rig goes to R x + o, with R = turn about y by HeadYaw, times turn about x by HeadPitch, times turn
about z by HeadRoll, all right-handed, and o = (HeadX, HeadY, HeadZ). The angles are named as phones name them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from facewright.arrays import Floats
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve

ANGLES = ("HeadYaw", "HeadPitch", "HeadRoll")
OFFSETS = ("HeadX", "HeadY", "HeadZ")
_ORDER: Final = "YXZ"


def head_curves(times: Floats, rotations: Floats, offsets: Floats) -> dict[str, Curve]:
    """Curves for rotations (frames, 3, 3) and offsets (frames, 3), with no jump of a whole turn."""
    if not len(times):
        return {}
    from scipy.spatial.transform import Rotation

    angles = np.unwrap(Rotation.from_matrix(np.array(rotations)).as_euler(_ORDER), axis=0)
    columns = np.concatenate([angles, offsets], axis=1)
    return {name: Curve(times, column) for name, column in zip((*ANGLES, *OFFSETS), columns.T, strict=True)}


def has_head_motion(clip: Clip) -> bool:
    """Whether a clip says where the head goes, beyond turning it: phones record angles that are no motion of a rig."""
    return any(name in clip.curves for name in OFFSETS)


def head_motion_of(clip: Clip, times: Floats) -> tuple[Floats, Floats]:
    """Quaternions (frames, 4), x y z w, each on the side of the one before, and offsets (frames, 3)."""
    from scipy.spatial.transform import Rotation

    found = Rotation.from_euler(_ORDER, clip.sample(ANGLES, times)).as_quat()
    turned = np.cumprod(np.where((found[1:] * found[:-1]).sum(axis=1) < 0, -1.0, 1.0))
    found[1:] *= turned[:, None]
    return found, clip.sample(OFFSETS, times)
