"""Positions of pins in any pose of the whole face or of its regions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from facewright.arrays import Floats
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.pin import Points


@dataclass(frozen=True, eq=False)
class PinPlaces:
    """k points, each a mix of three vertices."""

    rest: Floats  # (k, 3)
    rows: Floats  # (k, 3, 3, s) offset of each of its vertices per shape value, times its share in the point
    shares: Floats | None  # (k, 3, r) how much of each vertex belongs to each of the finest regions

    @classmethod
    def of(cls, motion: DeltaMatrix, points: Points, regions: Regions | None) -> PinPlaces:
        rows = motion.at_vertices(points.vertices) * points.mix[:, :, None, None]
        shares = None
        if regions is not None:
            columns = regions.weights.tocsc()[:, points.vertices.ravel()].toarray()
            shares = columns.T.reshape(*points.vertices.shape, regions.count)
        return cls(points.of(motion.rig.neutral), rows, shares)

    @classmethod
    def none(cls, rig: Rig, regions: Regions | None) -> PinPlaces:
        """No points."""
        shares = None if regions is None else np.zeros((0, 3, regions.count))
        return cls(np.zeros((0, 3)), np.zeros((0, 3, 3, len(rig.shapes))), shares)

    @cached_property
    def _whole(self) -> Floats:  # (k, 3, s)
        return np.asarray(self.rows.sum(axis=1))

    def at(self, values: Floats) -> Floats:
        """Places (k, 3) for shape values (s,), or (r, s) of each of the finest regions."""
        if values.ndim == 1 or self.shares is None:
            return np.asarray(self.rest + self._whole @ values.reshape(-1))
        return np.asarray(self.rest + np.einsum("kcas,kcs->ka", self.rows, self.shares @ values))
