"""Pictures of a followed face: the residual over it, and frames with what was measured."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.render.camera import Camera, frame
from facewright.render.heat import Heat
from facewright.render.picture import mesh_picture
from facewright.render.tone import Bytes
from facewright.tracking.solution import TrackSolution
from facewright.workflow.report.inspect.pictures import data_address

TILE = (300, 340)
_DOT = (255, 190, 90)
_DOTS = 1500
_AROUND = 0.6  # of the face's size: measured points further from its middle are not shown


class TrackAlbum:
    """Pictures of one followed face, all from the same place before it."""

    def __init__(self, found: TrackSolution) -> None:
        self._found = found
        rest = found.rig.neutral
        compared = np.isfinite(found.map)
        shown = rest[compared] if compared.any() else rest
        self._middle, self._size = shown.mean(axis=0), float(np.linalg.norm(np.ptp(shown, axis=0)))
        self._camera: Camera = frame(shown, 10.0, aspect=TILE[0] / TILE[1], margin=0.05)

    def map(self) -> str:
        """The mean residual over the face, millimetres."""
        return data_address(self.map_picture())

    def map_picture(self, size: tuple[int, int] = TILE) -> Bytes:
        """The same as a picture."""
        rig, values = self._found.rig, 1000 * np.nan_to_num(self._found.map)
        high = float(np.quantile(values[values > 0], 0.98)) if (values > 0).any() else 1.0
        heat = Heat(values, 0.0, high, label="mm")
        return mesh_picture(
            rig.neutral, rig.triangles, size=size, camera=self._camera, parts=rig.parts, rest=rig.neutral, heat=heat
        )

    def frame(self, number: int, positions: Floats, measured: Floats) -> str:
        """A frame as the rig makes it, with measured points (k, 3), which are before the camera."""
        return data_address(self.frame_picture(number, positions, measured))

    def frame_picture(self, number: int, positions: Floats, measured: Floats, size: tuple[int, int] = TILE) -> Bytes:
        """The same as a picture."""
        rig = self._found.rig
        shot = mesh_picture(positions, rig.triangles, size=size, camera=self._camera, parts=rig.parts, rest=rig.neutral)
        if not len(measured):
            return shot
        points = self._found.places[number].back(measured)
        near = np.linalg.norm(points - self._middle, axis=1) < _AROUND * self._size
        points = points[near]
        return _with_points(shot, self._camera, points[:: max(1, len(points) // _DOTS)])


def _with_points(shot: Bytes, camera: Camera, points: Floats) -> Bytes:
    """The picture with a dot at each point (k, 3) in front of the camera."""
    height, width = shot.shape[:2]
    seen = camera.seen(points)
    seen = seen[seen[:, 2] > 0]
    scale = height / (2 * camera.half_height) * (camera.distance / seen[:, 2] if camera.perspective else 1.0)
    across = np.rint(width / 2 + seen[:, 0] * scale).astype(int)
    down = np.rint(height / 2 - seen[:, 1] * scale).astype(int)
    inside = (across >= 0) & (across < width - 1) & (down >= 0) & (down < height - 1)
    drawn = shot.copy()
    for right, below in ((0, 0), (1, 0), (0, 1), (1, 1)):
        drawn[down[inside] + below, across[inside] + right] = _DOT
    return drawn
