"""The symmetry plane of a surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from facewright.arrays import Floats, floats
from facewright.errors import BadValue

_ROUNDS = 300
_FEW = 1500  # points in the first steps; the last steps use all
_TRUSTED = 0.7  # share of the points that a fit uses; the rest may have no partner


@dataclass(frozen=True, eq=False)
class Plane:
    """All points x with normal . x = offset."""

    normal: Floats  # (3,) unit
    offset: float = 0.0

    def __post_init__(self) -> None:
        normal = floats("plane normal", self.normal, (3,))
        length = float(np.linalg.norm(normal))
        if not (length > 0 and np.isfinite(self.offset)):
            raise BadValue(f"a plane needs a normal other than zero and a finite offset, not {normal}, {self.offset}")
        object.__setattr__(self, "normal", floats("plane normal", normal / length, (3,)))
        object.__setattr__(self, "offset", float(self.offset) / length)

    def heights(self, points: Floats) -> Floats:
        """Signed distances (...) of points (..., 3)."""
        return np.asarray(points @ self.normal - self.offset)

    def mirror(self, points: Floats) -> Floats:
        """The mirror images (..., 3) of points."""
        return np.asarray(points - 2 * self.heights(points)[..., None] * self.normal)

    def mirror_vectors(self, vectors: Floats) -> Floats:
        """The mirror images (..., 3) of directions or offsets."""
        return np.asarray(vectors - 2 * (vectors @ self.normal)[..., None] * self.normal)


def symmetry_plane(points: ArrayLike, *, normal: ArrayLike = (1.0, 0.0, 0.0)) -> Plane:
    """The plane about which points (v, 3) are most nearly symmetric, near the plane with the given normal.

    The plane through the origin is preferred unless another is clearly better, because modellers place it there.
    """
    cloud = floats("points", points, (None, 3))
    start = Plane(np.asarray(normal, np.float64))
    if len(cloud) == 0:
        return start
    tree = cKDTree(cloud)
    heights = cloud @ start.normal
    offsets = ((heights.min() + heights.max()) / 2, float(np.median(heights)), 0.0)
    few = cloud[:: -(-len(cloud) // _FEW)]
    found = [_fit(few, tree, Plane(start.normal, offset)) for offset in offsets]
    best = _fit(cloud, tree, min(found, key=lambda plane: _asymmetry(few, tree, plane)), rounds=10)
    slack = 1e-9 * float(np.ptp(cloud, axis=0).max())
    as_good = _asymmetry(cloud, tree, start) <= 1.1 * _asymmetry(cloud, tree, best) + slack
    return start if as_good else best


def _fit(points: Floats, tree: cKDTree, plane: Plane, *, rounds: int = _ROUNDS) -> Plane:
    """Repeatedly pair every point with the one nearest to its mirror image, and fit the plane to the pairs."""
    for _ in range(rounds):
        distances, nearest = tree.query(plane.mirror(points))
        trusted = np.argsort(distances, kind="stable")[: max(3, int(_TRUSTED * len(points)))]
        fitted = plane_between(points[trusted], tree.data[np.asarray(nearest)[trusted]], normal=plane.normal)
        moved = np.abs(fitted.heights(points) - plane.heights(points)).max()
        plane = fitted
        if moved <= 1e-12 * np.abs(points).max():
            break
    return plane


def plane_between(points: Floats, partners: Floats, *, normal: Floats) -> Plane:
    """The plane whose mirror brings points (k, 3) nearest to their partners (k, 3), with a normal on the side of
    `normal`.

    With both measured from the centre of all pairs, the squared distance is a constant plus four times
    n . (sum of p q^T) . n, so that n is the eigenvector of its smallest eigenvalue.
    """
    middle = (points + partners).mean(axis=0) / 2
    product = (points - middle).T @ (partners - middle)
    found = np.linalg.eigh(product + product.T)[1][:, 0]
    found = found * (1 if found @ normal > 0 else -1)
    return Plane(found, float(found @ middle))


def _asymmetry(points: Floats, tree: cKDTree, plane: Plane) -> float:
    """The typical distance of the mirror image of a point from the nearest point."""
    distances = np.sort(tree.query(plane.mirror(points))[0])
    return float(distances[: max(1, int(_TRUSTED * len(points)))].mean())
