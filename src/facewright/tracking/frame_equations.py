"""What single frames tell of corrections of the shapes, whatever the head and the weights are.

A frame leaves residuals r along the normals. They come from corrections c, from errors y of the head and the weights,
and from noise: r = G c + J y + e, with y ~ N(0, P) about the pose that was found. The pose is eliminated: what a change
of pose could explain as well tells nothing of shapes. With the counts D = 1 / variance of e, what is left to minimise
is (r - G c)' W (r - G c) with W = D - D J (J' D J + P^-1)^-1 J' D.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.tracking.comparison import SurfaceComparison, Tolerance, compare
from facewright.tracking.observed import Observed
from facewright.tracking.placement import HeadPlacement
from facewright.tracking.solver import HEAD, TrackSolver

_MOST, _USUAL = 0.08, 3.0  # as in the last step of a frame: eye distances, and noises
_UNSURE = 3.0  # variance of the weights about those found, in variances of the prior
_HELD = 1e-3  # so little holds the head


@dataclass(frozen=True, eq=False)
class FrameEquations:
    """One frame, its pose eliminated."""

    found: SurfaceComparison
    counts: Floats  # (m,)
    rows: NDArray[np.float32]  # (m, p) J: the samples' motion along the normals with the pose
    covariance: Floats  # (p, p) of the pose

    def weighed(self, residual: Floats) -> Floats:
        """W r (m,)."""
        counted = self.counts * residual
        return np.asarray(counted - self.counts * (self.rows @ (self.covariance @ (self.rows.T @ counted))))


def residuals(
    solver: TrackSolver, seen: Observed, weights: Floats, place: HeadPlacement, noise: float
) -> SurfaceComparison:
    """A frame compared with the rig in a pose that was found."""
    eyes = solver.samples.eyes * place.scale
    tolerance = Tolerance(_MOST * eyes, _USUAL * max(noise, solver.options.floor * eyes))
    return compare(solver.samples, solver.samples.posed(weights), place, seen, tolerance, scaled=True)


def frame_equations(
    solver: TrackSolver, found: SurfaceComparison, weights: Floats, place: HeadPlacement, noise: float
) -> FrameEquations:
    """For a comparison at weights (n,) and a place of the head; noise in metres."""
    counts = solver.options.independent / noise**2 * solver.samples.weights[found.which] * found.sure
    rows = np.delete(solver.rows(found, weights, place), HEAD - 1, axis=1)  # the size is settled
    H = ((rows.T * counts) @ rows).astype(np.float64)
    head = np.arange(HEAD - 1)
    H[head, head] += _HELD
    H[HEAD - 1 :, HEAD - 1 :] += np.linalg.inv(solver.moment) / _UNSURE
    return FrameEquations(found, counts, rows, np.asarray(np.linalg.inv(H), np.float64))
