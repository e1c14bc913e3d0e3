"""Clipping of triangles in homogeneous pixel coordinates.

A corner is (x w, y w, d w, w): x and y in pixels, y down, and d a depth that is linear on the screen and grows away
from the eye. All four are affine in the point in space, so that a point on an edge is a linear mix of its two ends.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.render.camera import Camera

# Far outside any picture, and small enough that products of fixed-point coordinates are exact in 64 bits.
GUARD = 2.0**16


@dataclass(frozen=True, eq=False)
class ClippedTriangles:
    """Triangles after clipping, with the triangles that they are parts of."""

    clip: Floats  # (n, 3, 4) homogeneous corners
    weight: Floats  # (n, 3, 3) each corner as a mix of the source triangle's corners
    source: Ints  # (n,)

    def pick(self, which: Ints) -> "ClippedTriangles":
        """Some of the triangles."""
        return ClippedTriangles(self.clip[which], self.weight[which], self.source[which])


def project(camera: Camera, points: Floats, size: tuple[int, int]) -> Floats:
    """Homogeneous pixel coordinates (n, 4) of points (n, 3) in a picture of size (width, height)."""
    seen = camera.seen(points)
    width, height = size
    scale = height / (2 * camera.half_height)
    depth = seen[:, 2]
    if camera.perspective:
        scale, w, d = scale * camera.distance, depth, np.full(len(points), -1.0)
    else:
        w, d = np.ones(len(points)), depth
    return np.stack([scale * seen[:, 0] + w * width / 2, w * height / 2 - scale * seen[:, 1], d, w], axis=1)


def cut(camera: Camera, clip: Floats, triangles: Ints) -> ClippedTriangles:
    """Triangles (t, 3) over corners (v, 4), without what lies behind the eye or far outside the picture."""
    planes = _planes(camera)
    outside = (clip @ planes.T < 0)[triangles]  # (t, 3, planes)
    touched, gone = outside.any(axis=(1, 2)), np.any(outside.all(axis=1), axis=1)
    whole, crossing = np.flatnonzero(~touched), np.flatnonzero(touched & ~gone)
    pieces = _whole(clip, triangles, crossing)
    for plane in planes:
        pieces = _cut_by(pieces, plane)
    kept = _whole(clip, triangles, whole)
    if not len(pieces.source):
        return kept
    joined = _join(kept, pieces)
    return joined.pick(np.argsort(joined.source, kind="stable"))


def _planes(camera: Camera) -> Floats:
    # distance >= near; in perspective d w is -1 and w the distance, with parallel rays w is 1 and d w the distance.
    near = (0, 0, camera.near, 1) if camera.perspective else (0, 0, 1, -camera.near)
    return np.array([near, (1, 0, 0, GUARD), (-1, 0, 0, GUARD), (0, 1, 0, GUARD), (0, -1, 0, GUARD)], dtype=float)


def _whole(clip: Floats, triangles: Ints, which: Ints) -> ClippedTriangles:
    weight = np.broadcast_to(np.eye(3), (len(which), 3, 3))
    return ClippedTriangles(clip[triangles[which]], weight, which)


def _join(*parts: ClippedTriangles) -> ClippedTriangles:
    clip, weight = (np.concatenate([getattr(p, name) for p in parts]) for name in ("clip", "weight"))
    return ClippedTriangles(clip, weight, np.concatenate([p.source for p in parts]))


def _cut_by(corners: ClippedTriangles, plane: Floats) -> ClippedTriangles:
    if not len(corners.source):
        return corners
    side = corners.clip @ plane  # (n, 3)
    inside = side >= 0
    count = inside.sum(axis=1)
    one, two = np.flatnonzero(count == 1), np.flatnonzero(count == 2)
    tips = _turned(corners, one, inside[one].argmax(axis=1))
    ends = _turned(corners, two, (~inside[two]).argmax(axis=1))
    kept = corners.pick(np.flatnonzero(count == 3))
    return _join(kept, _tip(tips, plane), *_quad(ends, plane))


def _turned(corners: ClippedTriangles, which: Ints, first: Ints) -> ClippedTriangles:
    """The same triangles, rotated so that the corner on the other side of the plane comes first."""
    order = (first[:, None] + np.arange(3)) % 3
    return ClippedTriangles(
        np.take_along_axis(corners.clip[which], order[:, :, None], axis=1),
        np.take_along_axis(corners.weight[which], order[:, :, None], axis=1),
        corners.source[which],
    )


def _tip(corners: ClippedTriangles, plane: Floats) -> ClippedTriangles:
    """What is left of triangles of which only the first corner is inside."""
    side = corners.clip @ plane
    share = side[:, :1] / (side[:, :1] - side[:, 1:])  # (n, 2) along first -> second, first -> third
    return ClippedTriangles(_moved(corners.clip, share), _moved(corners.weight, share), corners.source)


def _moved(values: Floats, share: Floats) -> Floats:
    first = values[:, :1]
    return cast(Floats, np.concatenate([first, first + share[:, :, None] * (values[:, 1:] - first)], axis=1))


def _quad(corners: ClippedTriangles, plane: Floats) -> tuple[ClippedTriangles, ClippedTriangles]:
    """What is left of triangles of which only the first corner is outside: a quad, as two triangles."""
    side = corners.clip @ plane
    # From inside to outside, as in _tip, so that two triangles cut their common edge at exactly the same point.
    share = side[:, 1:] / (side[:, 1:] - side[:, :1])

    def split(values: Floats) -> tuple[Floats, Floats]:
        """Values of the two triangles."""
        second, third = values[:, 1], values[:, 2]
        a, b = (v + share[:, i, None] * (values[:, 0] - v) for i, v in enumerate((second, third)))
        return np.stack([a, second, third], axis=1), np.stack([a, third, b], axis=1)

    (clip1, clip2), (weight1, weight2) = split(corners.clip), split(corners.weight)
    return ClippedTriangles(clip1, weight1, corners.source), ClippedTriangles(clip2, weight2, corners.source)
