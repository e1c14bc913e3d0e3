"""Pictures of a solved take: the binding, and frames with their markers, wanted and met."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from facewright.arrays import Floats
from facewright.capture.playback import Playback
from facewright.capture.solution import TakeSolution
from facewright.render.camera import Camera, frame
from facewright.render.picture import mesh_picture
from facewright.render.tone import Bytes
from facewright.workflow.report.inspect.pictures import data_address, map_colors

PORTRAIT = (300, 340)
TILE = (260, 300)
_WANTED, _MET = (255, 190, 90), (110, 200, 255)
_BELOW = 0.25  # of the markers' height: what is seen of the neck, and room for the chin
_ROWS = 9  # pixels of a marker's row in the map


def camera_on(solved: TakeSolution, size: tuple[int, int], view: float = 10.0) -> Camera:
    """On the whole head from the markers up, with room for a jaw that opens."""
    rest, marks = solved.rig.neutral, solved.binding.places(solved.rig.neutral)
    lowest = marks[:, 1].min() - _BELOW * np.ptp(marks[:, 1])
    return frame(rest[rest[:, 1] >= lowest], view, aspect=size[0] / size[1], margin=0.02)


class TakeAlbum:
    """Pictures of one solved take, all from the same place."""

    def __init__(self, solved: TakeSolution) -> None:
        self._solved = solved
        self._play = Playback(solved, residual=False)
        self._surface = solved.binding.places(solved.rig.neutral)

    def bound(self) -> str:
        """The neutral face with its markers."""
        camera = camera_on(self._solved, PORTRAIT)
        shot = self._taken(self._solved.rig.neutral, PORTRAIT, camera)
        return data_address(_dotted(shot, camera, self._surface, _MET))

    def frame(self, number: int) -> str:
        """A frame as the sliders make it, with the markers wanted and met."""
        camera, solved = camera_on(self._solved, TILE), self._solved
        shot = self._taken(self._play([number])[0], TILE, camera)
        believed = solved.believed[number]
        met, wanted = (self._surface[believed] + part[number][believed] for part in (solved.motion, solved.wanted))
        return data_address(_dotted(_dotted(shot, camera, met, _MET), camera, wanted, _WANTED))

    def map(self, residual: Floats, highest: float) -> str:
        """Residuals (frames, k) as a picture: time across, a row for each marker; dark where it was not seen."""
        columns = 1180
        edges = np.linspace(0, len(residual), columns + 1).astype(int)
        rows = [_worst(residual[start : max(stop, start + 1)]) for start, stop in pairwise(edges)]
        table = np.array(rows).T  # (k, columns)
        seen = ~np.isnan(table)
        shares = np.clip(np.nan_to_num(table) / (highest or 1.0), 0, 1)
        colors = map_colors(shares.ravel(), "sequential").reshape(*table.shape, 3)
        colors = np.where(seen[..., None], colors, 0.06)
        return data_address(np.repeat(np.rint(255 * colors).astype(np.uint8), _ROWS, axis=0))

    def _taken(self, positions: Floats, size: tuple[int, int], camera: Camera) -> Bytes:
        rig = self._solved.rig
        return mesh_picture(positions, rig.triangles, size=size, camera=camera, parts=rig.parts, rest=rig.neutral)


def _worst(residual: Floats) -> Floats:
    known = np.where(np.isnan(residual), -np.inf, residual).max(axis=0)
    return np.where(np.isneginf(known), np.nan, known)


def _dotted(shot: Bytes, camera: Camera, points: Floats, color: tuple[int, int, int]) -> Bytes:
    """The picture with a dot at each point (k, 3), a dark rim round it."""
    height, width = shot.shape[:2]
    seen = camera.seen(points)
    scale = height / (2 * camera.half_height) * (camera.distance / seen[:, 2] if camera.perspective else 1.0)
    across, down = width / 2 + seen[:, 0] * scale, height / 2 - seen[:, 1] * scale
    y, x = np.mgrid[:height, :width]
    drawn = shot.astype(np.float64)
    for u, v in zip(across.tolist(), down.tolist(), strict=True):
        box = (slice(max(int(v) - 5, 0), int(v) + 6), slice(max(int(u) - 5, 0), int(u) + 6))
        far = np.hypot(x[box] - u, y[box] - v)[..., None]
        rim, dot = np.clip(3.6 - far, 0, 1) * 0.55, np.clip(2.6 - far, 0, 1)
        drawn[box] = drawn[box] * (1 - rim)
        drawn[box] = drawn[box] * (1 - dot) + dot * np.array(color)
    return np.rint(drawn).astype(np.uint8)
