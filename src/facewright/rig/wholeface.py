"""The whole-face form of a rig (Lewis 2005, sec. 3): every shape is a complete face, and weights sum to 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_SUM_TOLERANCE = 1e-6


def whole_faces(rig: Rig) -> Floats:
    """Complete faces (s + 1, v, 3), the neutral first."""
    return np.concatenate([rig.neutral[None], rig.neutral + rig.deltas()])


def from_whole_faces(names: Sequence[str], faces: ArrayLike, polygons: Polygons | ArrayLike) -> Rig:
    """A rig from complete faces (s + 1, v, 3), the neutral first, and the names of the other s."""
    given = floats("faces", faces, (len(names) + 1, None, 3))
    shapes = (Shape.from_dense(name, face - given[0]) for name, face in zip(names, given[1:], strict=True))
    return Rig(given[0], Polygons.of(polygons), tuple(shapes))


def to_whole_weights(values: ArrayLike) -> Floats:
    """Weights (..., s + 1) of the whole faces, summing to 1, for shape values (..., s)."""
    deltas = np.asarray(values, np.float64)
    return np.concatenate([1 - deltas.sum(axis=-1, keepdims=True), deltas], axis=-1)


def from_whole_weights(weights: ArrayLike) -> Floats:
    """Shape values (..., s) for weights (..., s + 1) of the whole faces."""
    whole = np.asarray(weights, np.float64)
    if np.abs(whole.sum(axis=-1) - 1).max(initial=0) > _SUM_TOLERANCE:
        raise BadValue(f"whole-face weights must sum to 1, not {whole.sum(axis=-1)}")
    return whole[..., 1:].copy()
