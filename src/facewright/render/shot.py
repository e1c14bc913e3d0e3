"""A shot: all that a renderer needs for a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.render.camera import Camera, look_at
from facewright.render.scene import Scene
from facewright.render.shade import NEUTRAL, STUDIO, Studio
from facewright.render.tone import Backdrop, Color

HOLLOW = 0.13  # in radii of the face: what is further away does not occlude the light of the room
MATTE = 0.25  # painted numbers must not be mistaken for highlights
_EDGE = 1.1  # half heights of the picture: beyond, triangles whose corners are outside may still be seen
_ROOM = 320  # cells along the longer side of the grid on which ambient occlusion is computed


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene in front of a camera, and how it is drawn."""

    scene: Scene
    camera: Camera
    size: tuple[int, int]  # width, height
    paint: Floats | None = None  # (v, 4) linear colour and the share by which it covers the material
    wire: bool = False
    edges: Ints | None = None  # (e, 2) edges to draw; None: all
    background: Backdrop | Color | None = None
    samples: int = 4

    @property
    def studio(self) -> Studio:
        """The lights: even ones for painted numbers."""
        return STUDIO if self.paint is None else NEUTRAL

    @property
    def scale(self) -> float:
        """Pixels per unit of length at the target."""
        return self.size[1] / (2 * self.camera.half_height)

    @property
    def cell(self) -> int:
        """Pixels along a cell of the grid for ambient occlusion."""
        return -(-max(self.size) // _ROOM)

    def in_view(self) -> Floats:
        """Points (k, 3) that lamps must light: the face, and of what is drawn with it what the picture shows."""
        scene, (width, height) = self.scene, self.size
        if scene.face is None:
            return scene.positions
        across, up, depth = self.camera.seen(scene.positions).T
        high = self.camera.half_height * (depth / self.camera.distance if self.camera.perspective else 1.0)
        shown = (np.abs(up) <= _EDGE * high) & (np.abs(across) <= _EDGE * high * width / height)
        shown[: scene.face] = True
        return np.asarray(scene.positions[shown])

    def before_camera(self) -> Shot:
        """The same shot with the target at the origin and the camera on the z axis, y up.

        The lights are fixed to the camera, and coordinates near the origin are accurate in single precision.
        """
        camera = self.camera
        ahead = look_at(
            (0, 0, camera.distance), (0, 0, 0), half_height=camera.half_height, perspective=camera.perspective
        )
        positions = (camera.seen(self.scene.positions) - (0, 0, camera.distance)) * (1, 1, -1)
        return replace(self, scene=self.scene.at(positions), camera=ahead)
