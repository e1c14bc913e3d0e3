"""Where a take is shown before it is bound: upright, facing forward, beside the face."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.mesh.align import Similarity
from facewright.motion.take import Take
from facewright.rig.rig import Rig

_SPAN = 0.5  # of a head's size: diagonal of the box around the markers
_APART = 0.06  # of a head's size: between the face and the markers
_TO_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # from a space with z up


def placed_beside(rig: Rig, take: Take) -> Similarity:
    """The transform from the take's space to the rig's that sets the markers, in the size of a face, on its right."""
    points = _usual(take)
    turn = upright(points)
    turned = points @ turn.T
    low, high = (turned.min(axis=0), turned.max(axis=0)) if len(turned) else (np.zeros(3), np.ones(3))
    scale = _SPAN * rig.size / (float(np.linalg.norm(high - low)) or 1.0)
    face_low, face_high = rig.neutral.min(axis=0), rig.neutral.max(axis=0)
    middle = (face_low + face_high) / 2
    middle[0] = face_high[0] + _APART * rig.size + scale * (high[0] - low[0]) / 2
    return Similarity(turn, middle - scale * (low + high) / 2, scale)


def upright(points: Floats) -> Floats:
    """A rotation (3, 3) after which the markers of a face look along z with y up, judged by their layout.

    The markers of a face are nearly flat, and those in the middle are in front of those at the rim. A face that looks
    along y was recorded with z up.
    """
    if len(points) < 4:
        return np.eye(3)
    normal = _normal(points)
    to_y_up = _TO_Y_UP if abs(normal[1]) > max(abs(normal[0]), abs(normal[2])) else np.eye(3)
    ahead = to_y_up @ normal
    angle = float(np.arctan2(ahead[0], ahead[2]))
    sin, cos = np.sin(angle), np.cos(angle)
    return np.asarray(np.array([[cos, 0.0, -sin], [0.0, 1.0, 0.0], [sin, 0.0, cos]]) @ to_y_up)


def _normal(points: Floats) -> Floats:
    """The direction in which markers (k, 3) extend least, towards the side of those in the middle."""
    centred = points - points.mean(axis=0)
    normal = np.linalg.svd(centred)[2][2]
    height = centred @ normal
    out = np.linalg.norm(centred - height[:, None] * normal, axis=1)
    inner = out <= np.median(out)
    return np.asarray(normal if height[inner].mean() >= height[~inner].mean() else -normal)


def _usual(take: Take) -> Floats:
    """The markers (k, 3) that are seen in the first frame with the most of them."""
    if not len(take):
        return np.zeros((0, 3))
    frame = int(take.seen.sum(axis=1).argmax())
    return np.asarray(take.positions[frame][take.seen[frame]])
