"""Small pictures of shapes for lists: the face as clay, with colour where the shape moves it.

They are drawn with one light and no shadows, several times as fast as `FaceRenderer` draws.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.normals import triangle_normals, vertex_normals
from facewright.options import suggests_options
from facewright.render.camera import Camera, frame
from facewright.render.raster import rasterise
from facewright.render.tone import Bytes, to_srgb
from facewright.rig.evaluate import Evaluator
from facewright.rig.rig import Rig

_CLAY = np.array([0.30, 0.29, 0.28])  # linear
_MOVED = np.array([0.95, 0.36, 0.08])
_LIGHT = np.array([0.35, 0.55, 0.76])
_DIM = 0.22  # light that comes from everywhere
_SAMPLES = 4
_LIVELY = 0.12  # of the largest motion: what the shapes move less need not be in the picture


class ShapeThumbnails:
    """A rig in front of a camera, prepared for the pictures of all its shapes."""

    @suggests_options
    def __init__(self, rig: Rig, *, size: tuple[int, int] = (64, 64)) -> None:
        self.rig, self._size = rig, size
        self._camera = _close_up(rig, size)
        self._evaluate = Evaluator(rig)

    def __call__(self, name: str) -> Bytes:
        """The picture (h, w, 4) of the face where a shape is fully on; around the face it is transparent."""
        shape = self.rig.shape(name)
        positions = np.asarray(self._evaluate(self.rig.weights(dict(zip(shape.sliders, shape.at, strict=True)))))
        moved = np.zeros(self.rig.vertex_count)
        moved[shape.vertices] = np.linalg.norm(shape.offsets, axis=1)
        return self._drawn(positions, moved / (moved.max(initial=0.0) or 1.0))

    def of_pose(self, weights: Floats) -> Bytes:
        """The picture (h, w, 4) of the face at slider values (n,)."""
        return self._drawn(np.asarray(self._evaluate(weights)), np.zeros(self.rig.vertex_count))

    def _drawn(self, positions: Floats, moved: Floats) -> Bytes:
        triangles = self._facing(positions)
        width, height = self._size
        found = rasterise(self._camera, positions, triangles, self._size, samples=_SAMPLES)
        lit = _DIM + (1 - _DIM) * np.clip(vertex_normals(positions, self.rig.triangles) @ _LIGHT, 0, 1)
        corners = np.stack([lit, np.sqrt(moved)], axis=1)[triangles]
        light, share = found.mix(corners).T
        color = light[:, None] * (_CLAY + share[:, None] * (_MOVED - _CLAY))
        drawn = found.grid(np.concatenate([color, np.ones((len(color), 1))], axis=1))
        rows, columns = drawn.shape[0] // height, drawn.shape[1] // width
        pixels = drawn.reshape(height, rows, width, columns, 4).mean(axis=(1, 3))
        covered = pixels[..., 3:]
        pixels[..., :3] = to_srgb(
            np.divide(pixels[..., :3], covered, out=np.zeros((height, width, 3)), where=covered > 0)
        )
        return np.asarray((255 * pixels + 0.5).astype(np.uint8))

    def _facing(self, positions: Floats) -> Ints:
        """The triangles (t, 3) that face the camera."""
        to_eye = self._camera.eye - positions[self.rig.triangles[:, 0]]
        facing = np.einsum("tk,tk->t", triangle_normals(positions, self.rig.triangles), to_eye) > 0
        return np.asarray(self.rig.triangles[facing])


def _close_up(rig: Rig, size: tuple[int, int]) -> Camera:
    """The camera on what the shapes move visibly."""
    reach = np.zeros(rig.vertex_count)
    for shape in rig.shapes:
        reach[shape.vertices] = np.maximum(reach[shape.vertices], np.linalg.norm(shape.offsets, axis=1))
    lively = reach > _LIVELY * reach.max(initial=0.0)
    seen = rig.neutral[lively] if lively.any() else rig.neutral
    return frame(seen, "front", aspect=size[0] / size[1], margin=0.08)
