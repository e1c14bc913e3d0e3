"""Where the points of a mesh are in the rig: by the transform of its node, or by the joints of its skin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.gltf.accessors.rows import Rows


@dataclass(frozen=True, eq=False)
class Placement:
    """Affine maps from the space of a mesh to that of the rig: one for all points, or one for each."""

    matrices: Floats  # (4, 4), or (p, 4, 4)

    @property
    def is_single(self) -> bool:
        return self.matrices.ndim == 2

    def points(self, points: Floats) -> Floats:
        """Points (p, 3) of the mesh in the rig's space."""
        return _applied(self.matrices[..., :3, :3], points) + self.matrices[..., :3, 3]

    def offsets(self, rows: Rows) -> Rows:
        """Offsets of points in the rig's space."""
        return Rows(rows.rows, _applied(self._linear(rows.rows), rows.values))

    def points_back(self, points: Floats) -> Floats:
        """Points (p, 3) of the rig in the mesh's space."""
        return _applied(_inverse(self.matrices[..., :3, :3]), points - self.matrices[..., :3, 3])

    def offsets_back(self, rows: Rows) -> Rows:
        """Offsets of points of the rig in the mesh's space."""
        return Rows(rows.rows, _applied(_inverse(self._linear(rows.rows)), rows.values))

    def _linear(self, rows: Ints) -> Floats:
        return self.matrices[:3, :3] if self.is_single else self.matrices[rows, :3, :3]


def _applied(linear: Floats, vectors: Floats) -> Floats:
    """Vectors (n, 3) by one matrix (3, 3), or by one for each (n, 3, 3)."""
    return np.asarray(vectors @ linear.T if linear.ndim == 2 else np.einsum("nij,nj->ni", linear, vectors))


def _inverse(linear: Floats) -> Floats:
    """Inverse matrices; of one that flattens the mesh the pseudo-inverse."""
    return np.asarray(np.linalg.pinv(linear), np.float64)
