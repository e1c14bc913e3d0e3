"""The surface that frames show, in the rig's topology: a posed rig bent towards what was measured.

Residuals along the normals are averaged over frames, since the shape is the same in each. The bending energy of the
surface determines what they leave open (as in `build.registration`): bends smaller than a length are suppressed, so
that noise does not become shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.build.registration.deformation_basis import vertex_basis
from facewright.build.registration.follow_skin import follow_skin
from facewright.build.registration.skin import Skin, visible_skin
from facewright.mesh.normals import cross
from facewright.rig.rig import Rig
from facewright.solve.sparse import SparseSolver
from facewright.tracking.comparison import Tolerance, compare
from facewright.tracking.observed import Observed
from facewright.tracking.placement import HeadPlacement
from facewright.tracking.surface_samples import SampledPose, SurfaceSamples

_SLIDES = 4  # steps along the normals for each comparison
_RIDGE = 1e-9


@dataclass(frozen=True, eq=False)
class FrameView:
    """A frame, and where the head is in it."""

    seen: Observed
    place: HeadPlacement


@dataclass(frozen=True, eq=False)
class MeanResidual:
    """Residuals of the samples along their normals, averaged over frames, in scene units."""

    along: Floats  # (k,)
    sure: Floats  # (k,) from 0 (never seen) to 1
    spread: float  # root mean square in single frames, metres


class BentSurface:
    """The skin of a rig, prepared for being bent."""

    def __init__(self, rig: Rig, samples: SurfaceSamples) -> None:
        self.rig, self.samples = rig, samples
        self.skin: Skin = visible_skin(rig.neutral, rig.triangles)
        row = np.full(rig.vertex_count, -1)
        row[self.skin.vertices] = np.arange(len(self.skin.vertices))
        self._corners: Ints = row[samples.triangles]  # (k, 3) rows of the skin
        self._size = float(np.linalg.norm(np.ptp(rig.neutral[self.skin.vertices], axis=0)))
        k = len(samples)
        at = np.repeat(np.arange(k), 3), self._corners.ravel()
        shape = (k, len(self.skin.vertices))
        self._matrix = sp.csr_array((samples.barycentric.ravel(), at), shape=shape)
        unit = rig.neutral[self.skin.vertices] / self._size
        areas = self.skin.areas(unit)
        self._basis = vertex_basis(unit, self.skin.triangles, areas)
        self._area = samples.weights * float(areas.sum()) / len(samples)  # (k,) that each sample stands for

    def posed(self, positions: Floats) -> SampledPose:
        """The samples on positions (v, 3)."""
        corners = positions[self.samples.triangles]
        normals = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
        return SampledPose(np.einsum("kc,kca->ka", self.samples.barycentric, corners), normals)

    def residual(self, positions: Floats, views: Sequence[FrameView], tolerance: Tolerance) -> MeanResidual:
        """How far what was measured is from positions (v, 3), on average over frames."""
        pose = self.posed(positions)
        sums, counts = np.zeros(len(self.samples)), np.zeros(len(self.samples))
        squares, total = 0.0, 0.0
        for view in views:
            found = compare(self.samples, pose, view.place, view.seen, tolerance)
            sums[found.which] += found.sure * found.residual / view.place.scale
            counts[found.which] += found.sure
            squares += float((found.sure * found.residual**2).sum())
            total += float(found.sure.sum())
        along = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
        return MeanResidual(along, np.minimum(counts, 1.0), float(np.sqrt(squares / max(total, 1e-12))))

    def bent(self, positions: Floats, wanted: MeanResidual, smallest: float) -> Floats:
        """Positions (v, 3) bent towards the residual; bends below a share of the face's size are suppressed."""
        pose = self.posed(positions)
        counts = sp.diags_array(self._area * wanted.sure)
        data = self._matrix.T @ counts @ self._matrix
        system = data + smallest**4 * self._basis.stiffness
        solver = SparseSolver(system + _RIDGE * float(system.diagonal().mean()) * sp.eye_array(system.shape[0]))
        moved = np.zeros((len(self.skin.vertices), 3))
        for _ in range(_SLIDES):
            already = np.asarray(self._matrix @ moved)
            left = wanted.along - (already * pose.normals).sum(axis=1)
            asked = already + pose.normals * left[:, None]
            moved = solver.solve(self._matrix.T @ (counts @ asked))
        fitted = positions[self.skin.vertices] + moved
        return follow_skin(positions, self.rig.triangles, self.skin.vertices, fitted)
