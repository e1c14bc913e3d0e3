"""Points on the skin of a rig that are compared with what was measured, and how its shapes move them."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.build.registration.skin import visible_skin
from facewright.capture.places import FacePlaces
from facewright.errors import BadValue
from facewright.mesh.normals import cross, triangle_normals
from facewright.rig.combine import Combine
from facewright.rig.evaluate import delta_rows
from facewright.rig.rig import Rig

EYES = 0.063  # metres between the eyes of an adult
# the same between other places, in units of that: a head is as large as most of these say
_USUAL = {("eye left", "eye right"): 1.0, ("eye left", "chin"): 1.77, ("eye right", "chin"): 1.77,
          ("mouth left", "mouth right"): 0.83, ("nose", "chin"): 1.11, ("eye left", "mouth left"): 1.1,
          ("eye right", "mouth right"): 1.1}  # fmt: skip
_MOVED = 0.03  # of the largest motion of any shape: what moves less does not show an expression
_AROUND = 0.4  # of the distance between the eyes: how far the face goes beyond what moves
_BELOW = 0.5  # the same below the chin, where the neck begins, which does not follow the head
_PATCH = 0.25  # of the distance between the eyes: the size of patches whose samples may share their errors
_ALIKE = 0.5  # of the samples that are spread by area alone; the others follow how far the skin moves


@dataclass(frozen=True, eq=False)
class SampledPose:
    """The samples in one pose, in the rig's coordinates."""

    points: Floats  # (k, 3)
    normals: Floats  # (k, 3)


class SurfaceSamples:
    """Points on the visible skin, evenly spread, denser where shapes move it."""

    def __init__(self, rig: Rig, count: int, seed: int = 0) -> None:
        self.rig, self.combine = rig, Combine(rig)
        places = FacePlaces(rig)
        self.eyes = _eyes(places)  # scene units: the distance between the eyes of a usual face of this size
        skin = visible_skin(rig.neutral, rig.triangles)
        triangles = skin.vertices[skin.triangles]
        if not len(triangles):
            raise BadValue("the rig has no surface that can be compared with depth")
        reach = _reach(rig)
        middles = rig.neutral[triangles].mean(axis=1)
        areas = np.linalg.norm(triangle_normals(rig.neutral, triangles), axis=1)
        moved = reach[triangles].max(axis=1)
        chin = places.found.get("chin")
        kept = _near_face(middles, moved, chin, self.eyes)
        density = _ALIKE + (1 - _ALIKE) * moved / max(float((areas * moved)[kept].sum() / areas[kept].sum()), 1e-12)
        rng = np.random.default_rng(seed)
        chosen = kept[_evenly(areas[kept] * density[kept], count, rng)]
        self.triangles = triangles[chosen]  # (k, 3)
        self.barycentric = _inside(len(chosen), rng)  # (k, 3)
        self.weights = 1 / density[chosen]  # (k,) so that each stands for its area
        self.weights /= self.weights.mean()
        cells = np.floor(middles[chosen] / (_PATCH * self.eyes)).astype(np.int64)
        self.patches = np.unique(cells, axis=0, return_inverse=True)[1].ravel()  # (k,) which share their errors
        self.face = moved[chosen] > _MOVED  # (k,) what shows expressions
        self.vertices, local = np.unique(self.triangles, return_inverse=True)  # (m,)
        self._local = local.reshape(-1, 3)
        self._rest = rig.neutral[self.vertices]
        self.middle = self._rest.mean(axis=0)  # (3,)
        self._put_shapes(rig)

    def _put_shapes(self, rig: Rig) -> None:
        rows = delta_rows(rig, self.vertices).astype(np.float32)  # (s, m, 3)
        self._deltas = np.ascontiguousarray(rows.reshape(len(rows), -1).T)  # (3m, s)
        self.rows = np.zeros((len(self.triangles), 3, len(rows)), np.float32)
        for corner in range(3):
            share = self.barycentric[:, corner, None, None].astype(np.float32)
            self.rows += share * np.moveaxis(rows[:, self._local[:, corner]], 0, 2)

    def __len__(self) -> int:
        return len(self.triangles)

    def on(self, rig: Rig) -> SurfaceSamples:
        """The same samples on a rig of the same topology and sliders with another neutral or other offsets."""
        other = copy(self)
        other.rig, other._rest = rig, rig.neutral[self.vertices]
        other.middle = other._rest.mean(axis=0)
        if rig.shapes is not self.rig.shapes:
            other._put_shapes(rig)
        return other

    def interpolated(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Numbers (v, n) of the vertices at the samples (k, n)."""
        found = np.zeros((len(self.triangles), values.shape[1]), np.float32)
        for corner in range(3):
            found += self.barycentric[:, corner, None].astype(np.float32) * values[self.triangles[:, corner]]
        return found

    def posed(self, weights: Floats, which: Ints | slice = slice(None)) -> SampledPose:
        """Some samples at slider values (n,)."""
        values = self.combine(weights)
        vertices = self._rest + (self._deltas @ values.astype(np.float32)).reshape(-1, 3)
        corners, shares = vertices[self._local[which]], self.barycentric[which]
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        normals = cross(b - a, c - a)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
        points = shares[:, :1] * a + shares[:, 1:2] * b + shares[:, 2:] * c
        return SampledPose(points, normals)

    def slopes(self, normals: Floats, which: Ints) -> Floats:
        """How fast some samples (m,) move along normals (m, 3) with each shape's value (m, s)."""
        rows, along = self.rows[which], normals.astype(np.float32)
        return np.asarray(np.matmul(along[:, None], rows)[:, 0])


def _eyes(places: FacePlaces) -> float:
    at = places.found
    pairs = {pair: usual for pair, usual in _USUAL.items() if pair[0] in at and pair[1] in at}
    found = [float(np.linalg.norm(at[one] - at[other])) / usual for (one, other), usual in pairs.items()]
    return float(np.median(found)) if found else places.between_eyes


def _reach(rig: Rig) -> Floats:
    """How far any shape moves each vertex (v,), as a share of the largest motion."""
    reach = np.zeros(rig.vertex_count)
    for shape in rig.shapes:
        reach[shape.vertices] = np.maximum(reach[shape.vertices], np.linalg.norm(shape.offsets, axis=1))
    return reach / (reach.max(initial=0.0) or 1.0)


def _near_face(middles: Floats, moved: Floats, chin: Floats | None, eyes: float) -> Ints:
    """Triangles (m,) of the face and of the head around it, without the neck."""
    shown = moved > _MOVED
    if not shown.any():
        return np.arange(len(middles))
    near = np.asarray(cKDTree(middles[shown]).query(middles)[0]) < _AROUND * eyes
    lowest = chin[1] - _BELOW * eyes if chin is not None else -np.inf
    kept = np.flatnonzero((near | shown | (middles[:, 1] > middles[shown, 1].min())) & (middles[:, 1] > lowest))
    return kept if len(kept) else np.arange(len(middles))


def _evenly(shares: Floats, count: int, rng: np.random.Generator) -> Ints:
    """So many items, each about as often as its share: systematic sampling."""
    ends = np.cumsum(shares)
    at = (np.arange(count) + rng.uniform()) / count * ends[-1]
    return np.asarray(np.minimum(np.searchsorted(ends, at), len(shares) - 1), np.int64)


def _inside(count: int, rng: np.random.Generator) -> Floats:
    """Barycentric coordinates (count, 3) spread evenly over triangles."""
    root, share = np.sqrt(rng.uniform(size=count)), rng.uniform(size=count)
    return np.stack([1 - root, root * (1 - share), root * share], axis=1)
