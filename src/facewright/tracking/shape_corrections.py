"""How the shapes of a person may differ from those of a rig: smooth fields over the face, with few unknowns.

Two of these are what a build learns of a person, too (`build.personal_prior`): each shape may be stronger here and
weaker there (`build.amplitude`), and all shapes may act on other edges than the face's own (`build.reference_edges`),
here on those of the face displaced by one smooth field. A camera sees motion along the normals only. Both fields turn
that into motion along the skin, since a shape's directions are kept, and since one field has to explain all shapes.
The third field is a displacement of the face at rest. Where the template is known whose shapes the rig has, one more
number tells whether these are in proportion to the face or go as far as the template's (`build.proportion`). Unknowns
are in units of what is usual, so that each is about 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.build.amplitude import smooth_fields, spread_points
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.proportion import as_far
from facewright.mesh.triangle_frames import edge_pairs
from facewright.rig.rig import Rig
from facewright.tracking.comparison import SurfaceComparison
from facewright.tracking.surface_samples import SurfaceSamples

Singles = NDArray[np.float32]

_FACE = 4.0  # distances between the eyes: the size that lengths here are shares of
_FINE, _FINE_CENTRES = 0.12, 48  # how far neighbours agree in strengths and in the face at rest
_COARSE, _COARSE_CENTRES = 0.3, 20  # the same of the edges that shapes act on
_MOST = 64  # shapes that are changed one by one: those that move most
_ACTIVE = 0.02  # of the largest motion: shapes that move less follow the others


@dataclass(frozen=True)
class UsualSizes:
    """Standard deviations of the three fields, and of the share of shapes that go as far as the template's."""

    strength: float = 0.1
    edges: float = 0.2  # of the length over which they agree
    rest: float = 0.0  # of the distance between the eyes
    share: float = 1.0


@dataclass(frozen=True, eq=False)
class CorrectedRows:
    """How corrections move the compared samples of a frame along their normals, in metres."""

    which: Ints  # (m,) of the samples
    normals: Singles  # (m, 3) times metres in a scene unit
    moved: Singles  # (m, a) by the active shapes as they are
    edges: Singles  # (m, 3 c) by the edges that shapes act on
    further: Singles  # (m,) by shapes that go as far as the template's


class ShapeCorrections:
    """The corrections of a rig, compared at samples; shape values (frames, s) tell which shapes are seen at all.

    template: whose shapes the rig has, transferred to the person's face.
    """

    def __init__(self, rig: Rig, samples: SurfaceSamples, values: Floats, template: Rig | None = None) -> None:
        self.rig, self._samples = rig, samples
        self.active = _active(rig, values)  # (a,)
        size = _FACE * samples.eyes
        moved = np.intersect1d(np.unique(np.concatenate([each.vertices for each in rig.shapes])), samples.vertices)
        centres = (rig.neutral[spread_points(rig.neutral, moved, n)] for n in (_FINE_CENTRES, _COARSE_CENTRES))
        fine, coarse = centres
        self._fine = smooth_fields(rig.neutral, fine, size, _FINE).astype(np.float32)  # (v, b)
        self._coarse = smooth_fields(rig.neutral, coarse, size, _COARSE) * _COARSE * size  # (v, c)
        self._at = samples.interpolated(self._fine)  # (k, b)
        self._transfer = DeformationTransfer(rig, rig.neutral)
        self._by_edges = [self._sampled_by_edges(i) for i in self.active.tolist()]  # (k, 3, 3 c) each
        self._further = further_offsets(rig, template)  # (s, v, 3)
        self._proportioned = template is not None
        self._sampled_further = np.stack(
            [samples.interpolated(self._further[i]) for i in self.active.tolist()], axis=2
        )  # (k, 3, a)
        b, c, a = self._fine.shape[1], self._coarse.shape[1], len(self.active)
        ends = np.cumsum([b * a, 3 * c, 3 * b])
        self._share = int(ends[-1])
        self._strength, self._edges, self._rest = (slice(i, j) for i, j in zip([0, *ends[:-1]], ends, strict=True))
        self.count = self._share + 1

    def sizes(self, usual: UsualSizes) -> Floats:
        """What each unknown is multiplied by (count,)."""
        found = np.empty(self.count)
        found[self._strength], found[self._edges] = usual.strength, usual.edges
        found[self._rest] = usual.rest * self._samples.eyes
        found[self._share] = usual.share * self._proportioned
        return found

    def rows(self, found: SurfaceComparison, values: Floats, scale: float, unknowns: Floats) -> CorrectedRows:
        """For a comparison at shape values (s,), with so many metres in a scene unit, about corrections (count,)."""
        normals = (scale * found.normals).astype(np.float32)
        now = values[self.active].astype(np.float32)
        base = self._samples.rows[found.which][:, :, self.active]
        edges = np.zeros((len(found.which), 3 * self._coarse.shape[1]), np.float32)
        for value, by_edges in zip(now, self._by_edges, strict=True):
            if abs(value) > 1e-3:
                edges += value * np.einsum("ma,map->mp", normals, by_edges[found.which])
        moved = np.einsum("ma,mas->ms", normals, base) * now
        further = np.einsum("ma,mas->ms", normals, self._sampled_further[found.which]) * now
        factors = 1 + (self._at @ self._strengths(unknowns))[found.which]
        moved = moved + np.float32(unknowns[self._share]) * further
        return CorrectedRows(found.which, normals, moved, edges, (factors * further).sum(axis=1))

    def made(self, unknowns: Floats, frames: Sequence[CorrectedRows]) -> list[Floats]:
        """Motion (m,) of the samples of each frame along their normals."""
        strengths = self._at @ self._strengths(unknowns)  # (k, a)
        rest = self._at @ unknowns[self._rest].reshape(-1, 3).astype(np.float32)  # (k, 3)
        edges = unknowns[self._edges].astype(np.float32)
        return [
            (strengths[each.which] * each.moved).sum(axis=1)
            + (rest[each.which] * each.normals).sum(axis=1)
            + each.edges @ edges
            + each.further * np.float32(unknowns[self._share])
            for each in frames
        ]

    def back(self, motions: Sequence[Floats], frames: Sequence[CorrectedRows]) -> Floats:
        """The transpose of `made`: (count,)."""
        strengths = np.zeros((len(self._at), len(self.active)), np.float32)
        rest, edges = np.zeros((len(self._at), 3), np.float32), np.zeros(3 * self._coarse.shape[1], np.float32)
        for motion, each in zip(motions, frames, strict=True):
            some = motion.astype(np.float32)
            strengths[each.which] += some[:, None] * each.moved
            rest[each.which] += some[:, None] * each.normals
            edges += some @ each.edges
        found = np.empty(self.count)
        found[self._share] = sum(float(each.further @ motion) for motion, each in zip(motions, frames, strict=True))
        found[self._strength], found[self._edges] = (self._at.T @ strengths).ravel(), edges
        found[self._rest] = (self._at.T @ rest).ravel()
        return found

    def corrected(self, unknowns: Floats) -> Rig:
        """The rig with its corrections; what touches in a shape still touches."""
        factors = np.ones((len(self.rig.shapes), self.rig.vertex_count), np.float32)
        factors[self.active] += (self._fine @ self._strengths(unknowns)).T
        moved = self._coarse @ unknowns[self._edges].reshape(-1, 3)  # (v, 3)
        offsets = []
        for i, prior in enumerate(self._transfer.priors):
            own = self.rig.shapes[i].dense(self.rig.vertex_count) + unknowns[self._share] * self._further[i]
            own = own[prior.moved] * factors[i, prior.moved, None]
            de = edge_pairs(moved, self._transfer.triangles[prior.triangles]) @ prior.changes.swapaxes(1, 2)
            offsets.append(own + self._solved(i, de.reshape(-1, 3)))
        found = self._transfer.rig(self._transfer.closed(offsets))
        rest = self._fine @ unknowns[self._rest].reshape(-1, 3)
        return replace(found, neutral=self.rig.neutral + rest)

    def _strengths(self, unknowns: Floats) -> Singles:
        return unknowns[self._strength].reshape(-1, len(self.active)).astype(np.float32)

    def _sampled_by_edges(self, i: int) -> Singles:
        """How the samples move in a shape (k, 3, 3 c), for displacements of the edges by each field along each axis."""
        prior = self._transfer.priors[i]
        slopes = edge_pairs(self._coarse, self._transfer.triangles[prior.triangles])  # (t, 2, c)
        moved = np.zeros((self.rig.vertex_count, 3, self._coarse.shape[1], 3), np.float32)
        for row in range(3):
            for axis in range(3):
                wanted = slopes * prior.changes[:, row, axis, None, None]
                moved[prior.moved, row, :, axis] = self._solved(i, wanted.reshape(-1, slopes.shape[2]))
        return self._samples.interpolated(moved.reshape(len(moved), -1)).reshape(len(self._samples), 3, -1)

    def _solved(self, i: int, edges: Floats) -> Floats:
        """Offsets (k, n) of the moved vertices of a shape from edges (2 t, n)."""
        return self._transfer.surfaces[i].from_edges(edges)


def further_offsets(rig: Rig, template: Rig | None) -> Singles:
    """How much further (s, v, 3) shapes move that go as far as the template's, and not in proportion to the face."""
    found = np.zeros((len(rig.shapes), rig.vertex_count, 3), np.float32)
    if template is None:
        return found
    transfer = DeformationTransfer(template, rig.neutral)
    numbers = {name: i for i, name in enumerate(rig.shape_names)}
    for shape, prior, far, plain in zip(
        template.shapes, transfer.priors, as_far(transfer), transfer.plain, strict=True
    ):
        if shape.name in numbers:
            found[numbers[shape.name], prior.moved] = transfer.target.offsets_back(far - plain)
    return found


def _active(rig: Rig, values: Floats) -> Ints:
    """The shapes (a,) that move the face."""
    reach = np.array([np.linalg.norm(each.offsets, axis=1).max(initial=0.0) for each in rig.shapes])
    motion = reach * np.abs(values).max(axis=0, initial=0.0)
    kept = np.argsort(-motion, kind="stable")[:_MOST]
    return np.sort(kept[motion[kept] > _ACTIVE * motion.max(initial=0.0)])
