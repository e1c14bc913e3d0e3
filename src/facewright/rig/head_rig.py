"""Where a head and its neck turn, how far its eyes do, and which joints of a file stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue, UnknownName
from facewright.rig.gaze import EYE_LIMITS, Gaze
from facewright.rig.rig import Rig

JointRole = Literal["head", "neck", "leftEye", "rightEye"]
ROLES: Final[tuple[JointRole, ...]] = get_args(JointRole)

# Offsets from the middle between the eyes, in distances of the eyes (63 mm): the head nods on the uppermost vertebra,
# some 85 mm behind the eyes and 40 mm below, the neck bends some 100 mm further down.
_HEAD_FROM_EYES = np.array([0.0, -0.6, -1.35])
_NECK_FROM_EYES = np.array([0.0, -2.2, -1.5])
_HEAD_IN_BOX, _NECK_IN_BOX = 0.45, 0.15  # heights in the box of a head without eyes


@dataclass(frozen=True, eq=False)
class HeadRig:
    """The pivots of head and neck (3,) in scene units, the limits of the eyes, and joints by their names in the file.

    eye_limits: radians (3,) to the side, up, and down.
    """

    head: Floats = (0, 0, 0)  # type: ignore[assignment]
    neck: Floats = (0, 0, 0)  # type: ignore[assignment]
    eye_limits: Floats = EYE_LIMITS  # type: ignore[assignment]
    joints: Mapping[JointRole, str] = field(default_factory=dict)

    if TYPE_CHECKING:  # lists are accepted too; they are checked and copied

        def __init__(
            self,
            head: ArrayLike = (0, 0, 0),
            neck: ArrayLike = (0, 0, 0),
            eye_limits: ArrayLike = EYE_LIMITS,
            joints: Mapping[JointRole, str] = field(default_factory=dict),
        ) -> None: ...

    def __post_init__(self) -> None:
        for name in ("head", "neck", "eye_limits"):
            object.__setattr__(self, name, floats(name, getattr(self, name), (3,)))
        if (self.eye_limits < 0).any() or (self.eye_limits > np.pi / 2).any():
            raise BadValue(f"eyes turn by 0 to 90 degrees, not by {np.degrees(self.eye_limits).round(1).tolist()}")
        for role in self.joints:
            if role not in ROLES:
                raise UnknownName("role of a joint", role, ROLES)
        kept = {role: str(self.joints[role]) for role in ROLES if self.joints.get(role)}
        object.__setattr__(self, "joints", MappingProxyType(kept))

    def scaled(self, factor: float) -> HeadRig:
        """The same in another unit."""
        return HeadRig(self.head * factor, self.neck * factor, self.eye_limits, self.joints)


ABOUT_ORIGIN: Final = HeadRig()


def find_head_rig(rig: Rig) -> HeadRig:
    """Pivots of head and neck by the places of the eyes; by the box of a face without eyes. y is up, z ahead."""
    eyes = [eye.middle for eye in Gaze(rig).eyes]
    if len(eyes) >= 2 and (apart := float(np.linalg.norm(eyes[0] - eyes[1]))) > 0:
        middle = np.mean(eyes[:2], axis=0)
        return HeadRig(middle + apart * _HEAD_FROM_EYES, middle + apart * _NECK_FROM_EYES)
    if not rig.vertex_count:
        return ABOUT_ORIGIN
    low, high = rig.neutral.min(axis=0), rig.neutral.max(axis=0)
    centre = (low + high) / 2
    heights = [low[1] + share * (high[1] - low[1]) for share in (_HEAD_IN_BOX, _NECK_IN_BOX)]
    pivot, base = (np.array([centre[0], height, centre[2]]) for height in heights)
    return HeadRig(pivot, base)
