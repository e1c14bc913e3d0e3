"""Distances over a whole mesh in few coordinates: what a least squares fit of shapes needs of thousands of vertices."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats

_NONE = 1e-14  # of the largest eigenvalue: a direction in which shapes move the mesh less is none


class MeshRows:
    """Coordinates (r,) in which distances between sums of shapes are as on the mesh; r is at most their number."""

    def __init__(self, gram: Floats) -> None:
        """From the inner products (s, s) of the shapes' offsets."""
        values, vectors = np.linalg.eigh(gram)
        kept = values > _NONE * max(values.max(initial=0.0), 0.0)
        root, axes = np.sqrt(values[kept])[:, None], vectors[:, kept].T
        self.rows = root * axes  # (r, s) rows' rows = gram
        self._back = axes / root

    def wanted(self, products: Floats) -> Floats:
        """The coordinates (..., r) nearest to motions whose inner products with the shapes are (..., s)."""
        return np.asarray(products @ self._back.T)
