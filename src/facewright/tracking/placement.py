"""Where a head is before the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats

TO_CAMERA = np.diag([1.0, -1.0, -1.0])  # the rotation of a head that looks at the camera


@dataclass(frozen=True, eq=False)
class HeadPlacement:
    """A point x of the rig at rest is at scale R x + o before the camera."""

    rotation: Floats  # (3, 3)
    offset: Floats  # (3,) metres
    scale: float  # metres in a scene unit

    def __call__(self, points: Floats) -> Floats:
        """Points (..., 3) of the rig, in metres before the camera."""
        return np.asarray(self.scale * points @ self.rotation.T + self.offset)

    def back(self, points: Floats) -> Floats:
        """Points (..., 3) before the camera, in the rig's coordinates."""
        return np.asarray((points - self.offset) @ self.rotation / self.scale)

    def moved(self, step: Floats, middle: Floats) -> HeadPlacement:
        """Shifted by step[:3] metres and turned by step[3:] radians about a point (3,) before the camera.

        A seventh number is the relative change of the scale.
        """
        from scipy.spatial.transform import Rotation

        turn = Rotation.from_rotvec(step[3:6]).as_matrix()
        grown = 1.0 + float(step[6]) if len(step) > 6 else 1.0
        offset = grown * turn @ (self.offset - middle) + middle + step[:3]
        return replace(self, rotation=turn @ self.rotation, offset=offset, scale=grown * self.scale)
