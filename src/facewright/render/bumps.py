"""Normals bent by the slopes of a map in tangent space.

The directions in which u and v grow follow from the corners of each triangle (Schüler 2013, as shaders have them from
derivatives), so that a rig needs no tangents, and mirrored islands of a layout are right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.render.scene import Scene
from facewright.render.tone import Floats32


def bent_normals(
    scene: Scene, triangle: NDArray[np.integer], normal: Floats32, front: NDArray[np.bool_], slopes: Floats32
) -> Floats32:
    """Unit normals (n, 3) on the visible side of points of triangles (n,), bent by slopes (n, 2) right and up."""
    assert scene.uvs is not None
    side = np.where(front, np.float32(1), np.float32(-1))[:, None]
    outward = normal * side
    corners, uv = scene.positions[scene.triangles[triangle]].astype(np.float32), scene.uvs[triangle]
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    along, beside = np.cross(other, outward), np.cross(outward, one)
    grown, more = uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
    right = along * grown[:, :1] + beside * more[:, :1]
    up = along * grown[:, 1:] + beside * more[:, 1:]
    longest = np.sqrt(np.maximum((right * right).sum(axis=1), (up * up).sum(axis=1)))[:, None]
    bend = (slopes[:, :1] * right + slopes[:, 1:] * up) / np.maximum(longest, np.float32(1e-30))
    bent = outward + np.where(np.isfinite(bend), bend, np.float32(0))
    return np.asarray(side * bent / np.sqrt((bent * bent).sum(axis=1))[:, None], np.float32)
