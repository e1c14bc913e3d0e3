"""Motion damping (Joshi 2003, sec. 4): ask less of points that the model can hardly move.

As printed, the factor is inverse to the largest displacement at the point, which would increase the motion of points
that hardly move. The reverse is meant: the wanted motion is reduced where the largest displacement is small.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.pin import Points

_DIRECTIONS = 64
_SAMPLE = 400  # vertices that the reference is measured on
_REFERENCE = 90.0  # percentile of their largest displacements that counts as moving freely


class Damping:
    """How freely points of a rig move, from 0 (not at all) to 1, by the largest displacement within the bounds."""

    def __init__(self, deltas: DeltaMatrix) -> None:
        self._deltas = deltas
        count = deltas.rig.vertex_count
        sample = np.unique(np.linspace(0, count - 1, min(_SAMPLE, count)).astype(np.int64))
        whole = Points(np.repeat(sample[:, None], 3, axis=1), np.tile([1.0, 0.0, 0.0], (len(sample), 1)))
        reach = self._reach(deltas.rows(whole))
        moving = reach[reach > 1e-6 * reach.max(initial=0.0)]
        self._reference = float(np.percentile(moving, _REFERENCE)) if len(moving) else 0.0

    def factors(self, points: Points) -> Floats:
        """Factors (k,) of the wanted motion of each point."""
        if self._reference == 0.0:
            return np.ones(len(points))
        return np.minimum(1.0, self._reach(self._deltas.rows(points)) / self._reference)

    def _reach(self, rows: Floats) -> Floats:
        """The largest displacement (k,) of points with offsets (k, 3, s): the maximum over directions."""
        rig = self._deltas.rig
        low, high = rig.bounds.T
        reach = np.zeros(len(rows))
        # combinations move nothing about rest, so the middle of the bounds is tried as well
        for pose in [rig.weights()] if self._deltas.is_linear else [rig.weights(), (low + high) / 2]:
            slopes = self._deltas.combine.jacobian(pose)
            seen = np.tensordot(_sphere(_DIRECTIONS), rows @ slopes, axes=(1, 1))  # (d, k, n)
            reach = np.maximum(reach, np.maximum(seen * low, seen * high).sum(axis=2).max(axis=0, initial=0.0))
        return reach


def _sphere(count: int) -> Floats:
    """Directions (count, 3) spread evenly over the sphere along a golden spiral."""
    z = 1 - (2 * np.arange(count) + 1) / count
    turn = np.pi * (3 - np.sqrt(5)) * np.arange(count)
    return np.stack([np.sqrt(1 - z**2) * np.cos(turn), np.sqrt(1 - z**2) * np.sin(turn), z], axis=1)
