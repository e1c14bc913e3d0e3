"""Least-squares alignment of points: rotation, translation and optionally one scale (Umeyama 1991)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import LARGEST, Floats, floats, lengths
from facewright.errors import BadValue

_FLAT = 1e-9  # share of the largest extent below which points lie on a line


@dataclass(frozen=True, eq=False)
class Similarity:
    """The map x -> scale R x + offset."""

    rotation: Floats  # (3, 3) orthonormal, determinant 1
    offset: Floats  # (3,)
    scale: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "rotation", floats("rotation", self.rotation, (3, 3)))
        object.__setattr__(self, "offset", lengths("offset", self.offset, (3,)))
        if not 1 / LARGEST <= self.scale <= LARGEST:
            raise BadValue(f"a similarity has a positive scale, from {1 / LARGEST:g} to {LARGEST:g}, not {self.scale}")

    def __call__(self, points: Floats) -> Floats:
        """Transformed points (..., 3)."""
        return np.asarray(self.scale * points @ self.rotation.T + self.offset)

    def inverse(self) -> Similarity:
        """The inverse map."""
        return Similarity(self.rotation.T, -(self.offset @ self.rotation) / self.scale, 1 / self.scale)

    def after(self, first: Similarity) -> Similarity:
        """The composition: `first`, then this."""
        return Similarity(self.rotation @ first.rotation, self(first.offset), self.scale * first.scale)

    def __repr__(self) -> str:
        return f"Similarity(scale={self.scale:g}, offset={self.offset.tolist()}, rotation={self.rotation.tolist()})"


def align(
    points: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None, *, scaled: bool = False
) -> Similarity:
    """The similarity that brings points (k, 3) nearest to targets (k, 3), by squared distances with weights (k,)."""
    source = floats("points", points, (None, 3))
    wanted = floats("targets", targets, source.shape)
    counts = np.ones(len(source)) if weights is None else floats("weights", weights, (len(source),))
    _check_spread(source, counts)
    _check_spread(wanted, counts)
    rotations, offsets = align_many(source[None], wanted[None], counts[None])
    if not scaled:
        return Similarity(rotations[0], offsets[0])
    share = counts / counts.sum()
    middle, goal = share @ source, share @ wanted
    turned = (source - middle) @ rotations[0].T
    scale = float(share @ (turned * (wanted - goal)).sum(axis=1) / (share @ (turned**2).sum(axis=1)))
    return Similarity(rotations[0], goal - scale * rotations[0] @ middle, scale)


def align_many(points: Floats, targets: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Rotations (f, 3, 3) and offsets (f, 3) that bring points (f or 1, k, 3) nearest to targets (f or 1, k, 3).

    Points of weight 0 in weights (f, k) are ignored, whatever their coordinates. With fewer than three points, or
    points on
    a line, one of the best rotations is returned; without any points, the identity.
    """
    total = weights.sum(axis=1, keepdims=True)
    share = (weights / np.where(total > 0, total, 1.0))[:, None]  # (f, 1, k)
    source, wanted = (_counted(side, weights) for side in (points, targets))
    away = [side[:1].mean(axis=1, keepdims=True) for side in (source, wanted)]  # far from the origin digits are lost
    source, wanted = source - away[0], wanted - away[1]
    middle, goal = ((share @ side)[:, 0] for side in (source, wanted))  # (f, 3)
    product = (np.swapaxes(wanted, 1, 2) * share) @ source - goal[:, :, None] * middle[:, None]
    rotations = nearest_rotation(product)
    return rotations, goal + away[1][0] - np.einsum("fab,fb->fa", rotations, middle + away[0][0])


def _counted(points: Floats, weights: Floats) -> Floats:
    """Points (f or 1, k, 3) with those of weight 0 at the origin; of one set for all frames, those that never count."""
    counted = weights > 0
    if len(points) != len(weights):
        counted = np.asarray(counted.any(axis=0))[None]
    return points if counted.all() else np.where(counted[..., None], points, 0.0)


def nearest_rotation(matrices: Floats) -> Floats:
    """The rotation nearest to each matrix (..., 3, 3)."""
    U, _, Vt = np.linalg.svd(matrices)
    mirrored = np.sign(np.linalg.det(U @ Vt))
    U[..., :, 2] *= np.where(mirrored == 0, 1.0, mirrored)[..., None]
    return np.asarray(U @ Vt)


def _check_spread(points: Floats, weights: Floats) -> None:
    if (weights < 0).any() or not weights.any():
        raise BadValue("the weights of an alignment are numbers from 0 up, not all of them 0")
    counted = points[weights > 0]
    extents = np.linalg.svd(counted - counted.mean(axis=0), compute_uv=False) if len(counted) else np.zeros(3)
    if len(counted) < 3 or extents[1] <= _FLAT * extents[0]:
        raise BadValue("an alignment needs at least three points that are not on one line")
