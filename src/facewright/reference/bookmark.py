"""Views of the camera that are kept under a name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.errors import BadValue

FIELDS_OF_VIEW = (1.0, 120.0)  # degrees


@dataclass(frozen=True)
class CameraBookmark:
    """From where the face is seen. Lengths are in sizes of the face, so that they hold in any unit."""

    name: str
    yaw: float  # radians round the face, towards its own left
    pitch: float  # radians upwards
    distance: float  # from the camera to what it looks at
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)  # from the middle of the face
    field_of_view: float = 18.0  # degrees, of the picture's height
    orthographic: bool = False  # parallel rays; the picture's height at the target is the same

    def __post_init__(self) -> None:
        if not self.name:
            raise BadValue("a view needs a name")
        object.__setattr__(self, "target", tuple(self.target))
        if not np.isfinite([self.yaw, self.pitch, self.distance, *self.target]).all() or self.distance <= 0:
            raise BadValue(f"view {self.name!r} needs finite angles, and a camera away from what it looks at")
        low, high = FIELDS_OF_VIEW
        if not low <= self.field_of_view <= high:
            raise BadValue(f"a field of view has {low:g} to {high:g} degrees, not {self.field_of_view}")
