"""The embedded head's texels on its surface, with their distances from lips and lids.

All is measured on the default person at rest; every other person has the same layout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.image.srgb import Floats32
from facewright.mesh.texels import Texels, islands
from facewright.rig.rig import Rig
from facewright.samples.head import sample

_FAR = 40.0  # rings of vertices
_LIPS = 12.0  # rings of lips and what is beside them
_GUTTER = 1 / 128  # of the picture's side: how far colours are continued beside an island


@dataclass(frozen=True, eq=False)
class SkinTexels:
    """The properties of the n texels of the head."""

    size: tuple[int, int]
    place: Floats32  # (n, 3) centimetres
    lip: Floats32  # (n,) rings of vertices from where the lips meet; a large number elsewhere
    lid: Floats32  # (n,) rings of vertices from the lids' edges
    inner: Floats32  # (n,) 1 inside the mouth and behind the lids
    grain: float  # size of a texel of the face in centimetres
    vertices: Floats  # (u, 3) of the outer skin
    vertex_lip: Floats  # (u,)
    nearest: Ints  # (h, w) row, of n, of the nearest texel of the head for each texel of the picture; -1 far from all

    @classmethod
    def of(cls, size: tuple[int, int]) -> SkinTexels:
        """The texels of a picture of so many texels along each side."""
        rig = sample()
        assert rig.uvs is not None
        head = rig.triangles[:, 0] < rig.part("head").stop
        texels = Texels.of(rig.polygons, rig.uvs, size, chosen=head)
        fields = np.column_stack([rig.neutral, *_fields(rig)])
        values = np.ascontiguousarray(texels.mix(fields[rig.triangles]).T)
        return cls(
            size,
            np.ascontiguousarray(values[:3].T),
            lip=values[3],
            lid=values[4],
            inner=values[5],
            grain=_grain(rig, size),
            vertices=rig.neutral[fields[:, 3] < _FAR],
            vertex_lip=fields[fields[:, 3] < _FAR, 3],
            nearest=_nearest(texels),
        )

    def lip_at(self, place: Floats32) -> Floats32:
        """Rings (n,) from where the lips meet, at places (n, 3) that are slightly off."""
        some, found = np.flatnonzero(self.lip < _LIPS), self.lip.copy()
        tree = cKDTree(self.vertices)
        before, after = (_about(tree, self.vertex_lip, there[some]) for there in (self.place, place))
        found[some] += after - before
        return found

    def picture(self, values: Floats32) -> Floats32:
        """Values (n, k) as a picture (h, w, k); they are continued beside the head's islands, and their mean is used
        beyond.
        """
        return np.concatenate([values, values.mean(axis=0, keepdims=True)])[self.nearest]


def _about(tree: cKDTree, values: Floats, place: Floats32) -> Floats32:
    """The mean of values at the nearest vertices, weighted by nearness."""
    away, which = (np.asarray(one) for one in tree.query(place, k=6))
    weight = 1 / (away**2 + 1e-3)
    mean = (weight * values[which]).sum(axis=1) / weight.sum(axis=1)
    return np.asarray(mean, np.float32)


def _fields(rig: Rig) -> tuple[Floats, Floats, Floats]:
    """Rings from the lips and from the lids, and what is inside, at every vertex."""
    island = islands(rig.polygons, rig.uvs)  # type: ignore[arg-type]
    numbers = _by_size(rig, island)
    outer = rig.triangles[island == numbers[0]]
    skin, *hollows = (np.unique(rig.triangles[island == i]) for i in numbers)
    mouth, *sockets = sorted(hollows, key=lambda inside: rig.neutral[inside, 1].mean())
    lips = np.intersect1d(skin, mouth)
    lids = np.intersect1d(skin, np.concatenate(sockets))
    inner = np.zeros(rig.vertex_count)
    inner[np.setdiff1d(np.concatenate(hollows), skin)] = 1
    return _rings(outer, lips, rig.vertex_count), _rings(outer, lids, rig.vertex_count), inner


def _by_size(rig: Rig, island: Ints) -> list[int]:
    """The head's islands except the neck: face and scalp, then the inner surfaces of mouth and sockets."""
    head = rig.part("head")
    own = np.unique(island[rig.triangles[:, 0] < head.stop])
    low = {i: rig.neutral[np.unique(rig.triangles[island == i]), 1].min() for i in own}
    above = [int(i) for i in own if low[i] > -11]
    return sorted(above, key=lambda i: -np.count_nonzero(island == i))


def _rings(triangles: Ints, start: Ints, count: int) -> Floats:
    """The number of polygons between each vertex and a loop of vertices."""
    rings = np.full(count, _FAR)
    rings[start] = 0
    for ring in range(1, int(_FAR)):
        touched = np.unique(triangles[(rings[triangles] < ring).any(axis=1)])
        new = touched[rings[touched] == _FAR]
        if not len(new):
            break
        rings[new] = ring
    return rings


def _grain(rig: Rig, size: tuple[int, int]) -> float:
    """The side of a texel in the middle of the face, in centimetres."""
    uvs = rig.uvs
    assert uvs is not None
    corners = uvs.coordinates[uvs.corners[rig.polygons.triangle_corners]] * size[::-1]
    points = rig.neutral[rig.triangles]
    front = (points[:, :, 2].mean(axis=1) > 1) & (np.abs(points[:, :, 0]).max(axis=1) < 5)
    (ax, ay), (bx, by) = ((corners[front, i] - corners[front, 0]).T for i in (1, 2))
    flat = np.abs(ax * by - ay * bx).sum()
    solid = np.linalg.norm(np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]), axis=1)[front].sum()
    return float(np.sqrt(solid / flat))


def _nearest(texels: Texels) -> Ints:
    number = np.full(texels.size[0] * texels.size[1], -1, np.int32)
    number[texels.at] = np.arange(len(texels.at))
    number = number.reshape(texels.size)
    away, (rows, columns) = ndimage.distance_transform_edt(number < 0, return_indices=True)
    return np.where(away <= _GUTTER * max(texels.size), number[rows, columns], -1)
