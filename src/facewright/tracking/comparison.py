"""The comparison of a posed face with what was measured, linearised: distances along normals, and how they change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.normals import cross
from facewright.tracking.observed import Observed
from facewright.tracking.placement import HeadPlacement
from facewright.tracking.surface_samples import SampledPose, SurfaceSamples

_FACING = 0.2  # cosine: flatter surfaces are not compared, depth is unreliable there
_ALIKE = 0.5  # cosine between measured and own normal


@dataclass(frozen=True)
class Tolerance:
    """How far measured points may be, in metres."""

    most: float  # further ones are something else
    usual: float  # one this far counts a quarter (weights of Geman and McClure)


@dataclass(frozen=True, eq=False)
class SurfaceComparison:
    """Samples that have a counterpart."""

    which: Ints  # (m,) of the samples
    residual: Floats  # (m,) metres along the normal, above 0 where the measured surface is further out
    sure: Floats  # (m,) from 0 to 1
    rows: Floats  # (m, 6) or (m, 7): how the sample moves along its normal with a `HeadPlacement.moved`
    normals: Floats  # (m, 3) in the rig's coordinates
    middle: Floats  # (3,) before the camera: what the head is turned about

    @property
    def cost(self) -> float:
        """Mean of the squared residuals, as far as they are believed."""
        return float((self.sure * self.residual**2).sum() / max(self.sure.sum(), 1e-12))


def compare(
    samples: SurfaceSamples,
    pose: SampledPose,
    place: HeadPlacement,
    seen: Observed,
    tolerance: Tolerance,
    *,
    of: Ints | None = None,
    scaled: bool = False,
) -> SurfaceComparison:
    """The samples in a pose, all or those in `of` (k,), compared with a frame."""
    points, normals = place(pose.points), pose.normals @ place.rotation.T
    found = seen.measured(points)
    off = found.points - points
    towards = seen.towards(points)
    shown = found.known & ((normals * found.normals).sum(axis=1) > _ALIKE)
    if towards is not None:
        shown &= (normals * towards).sum(axis=1) > _FACING
    shown &= (off**2).sum(axis=1) < tolerance.most**2
    which = np.flatnonzero(shown)
    residual = (normals[which] * off[which]).sum(axis=1)
    sure = 1 / (1 + (residual / tolerance.usual) ** 2) ** 2
    middle = place(samples.middle)
    arms, along = points[which] - middle, normals[which]
    turned = cross(arms, along)
    grown = [(arms * along).sum(axis=1)[:, None]] if scaled else []
    rows = np.concatenate([along, turned, *grown], axis=1)
    return SurfaceComparison(which if of is None else of[which], residual, sure, rows, pose.normals[which], middle)
