"""Cameras. A face has y up and looks along +z."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, floats
from facewright.errors import BadValue, UnknownName
from facewright.options import suggests_options

# Degrees round the face, towards +x, which is the character's own left.
VIEWS = {"front": 0.0, "threequarter": 35.0, "side": 90.0}

# A portrait lens: the perspective is visible, but does not enlarge the nose.
FIELD_OF_VIEW = 18.0


@dataclass(frozen=True, eq=False)
class Camera:
    """An eye, three axes and a lens. Half the picture's height shows the length `half_height` at the target."""

    eye: Floats  # (3,)
    axes: Floats  # (3, 3) rows: right, up, forward; orthonormal
    distance: float  # from the eye to the target, along forward
    half_height: float
    perspective: bool = True

    @property
    def forward(self) -> Floats:
        """Unit vector (3,) from the eye towards the target."""
        return cast(Floats, self.axes[2])

    @property
    def near(self) -> float:
        """The smallest distance from the eye that is drawn, in scene units."""
        return 1e-3 * self.distance if self.perspective else 0.0

    def seen(self, points: Floats) -> Floats:
        """Points (n, 3) along right, up and forward, measured from the eye."""
        return (points - self.eye) @ self.axes.T

    def to_eye(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unit directions (n, 3) from points to the eye; (1, 3) for parallel rays."""
        if not self.perspective:
            return -self.forward[None].astype(np.float32)
        away = self.eye.astype(np.float32) - points
        return cast(NDArray[np.float32], away / np.linalg.norm(away, axis=1, keepdims=True))

    def __repr__(self) -> str:
        return f"Camera(eye={self.eye.tolist()}, forward={self.forward.tolist()}, distance={self.distance:g})"


@suggests_options
def look_at(
    eye: ArrayLike, target: ArrayLike, *, up: ArrayLike = (0, 1, 0), half_height: float, perspective: bool = True
) -> Camera:
    """A camera at `eye` (3,) that looks at `target` (3,), with `up` upwards in the picture."""
    eye, target, up = floats("eye", eye, (3,)), floats("target", target, (3,)), floats("up", up, (3,))
    distance = float(np.linalg.norm(target - eye))
    if not (distance > 0 and half_height > 0):
        raise BadValue("a camera needs an eye away from its target and a positive half_height")
    forward = (target - eye) / distance
    right = np.cross(forward, up)
    if np.linalg.norm(right) < 1e-9 * np.linalg.norm(up):
        raise BadValue("a camera cannot look along its own up direction; give another `up`")
    right /= np.linalg.norm(right)
    axes = floats("axes", [right, np.cross(right, forward), forward], (3, 3))
    return Camera(eye, axes, distance, float(half_height), perspective)


@suggests_options
def frame(
    points: ArrayLike,
    view: str | float = "front",
    *,
    aspect: float = 1.0,
    margin: float = 0.06,
    perspective: bool = True,
) -> Camera:
    """The camera that shows all points (n, 3) from a named view, or from an angle in degrees round the face.

    aspect: the picture's width over its height. margin: the free share of the picture on each side.
    """
    points = floats("points", points, (None, 3))
    if not len(points):
        raise BadValue("a camera cannot be framed to no points")
    away = _away(view)
    axes = look_at(away, (0, 0, 0), half_height=1.0).axes
    seen = points @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    room = 1 - 2 * margin
    # A box without width still needs room around it.
    size = max(half[1] / room, half[0] / (room * aspect), 0.05 * float(half.max())) or 1.0
    slope = np.tan(np.radians(FIELD_OF_VIEW / 2))
    distance = max(size / slope, 2 * float(half[2]))
    if perspective:
        # For each point the smallest distance from which it is inside the frame.
        reach = np.abs(seen - middle)[:, :2] / (slope * room * np.array([aspect, 1.0]))
        distance = max(distance, float((reach.max(axis=1) - (seen - middle)[:, 2]).max()))
        size = distance * slope
    target = middle @ axes
    return look_at(target + distance * away, target, half_height=size, perspective=perspective)


def _away(view: str | float) -> Floats:
    if isinstance(view, str):
        if view not in VIEWS:
            raise UnknownName("view", view, VIEWS)
        view = VIEWS[view]
    angle = np.radians(view)
    return np.array([np.sin(angle), 0.0, np.cos(angle)])
