"""Finds folds: triangles of a posed surface that face against the rotation of their neighbourhood, or lost their area.

As `folded` of the registration's quality, but only near triangles that changed so much that they may be folded, and
with all that depends on the surface at rest prepared.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from facewright.arrays import Floats, Ints
from facewright.build.registration.quality import CRUSHED
from facewright.mesh.align import nearest_rotation
from facewright.mesh.normals import cross, triangle_normals
from facewright.mesh.triangle_frames import edge_pairs, frames, has_frame

# Norm of the change of a triangle's edges, relative to the triangle. Below it everywhere, normals rotate by less than
# 24 degrees and neighbourhoods by less than 50, and every triangle keeps half of its area: none can be folded.
_BENT = 0.4
# Distance of a neighbourhood's mean gradient from the rotation of a triangle, and share of the triangle's area. Below
# the first, their rotations differ by less than 71 degrees, and with the second left the triangle is not folded.
_APART, _SMALL = 0.9, 10 * CRUSHED
_TINY = float(np.finfo(float).tiny)


class Folds:
    """A surface at rest (k, 3) with triangles (t, 3). Those without an area at rest are never folded."""

    def __init__(self, rest: Floats, triangles: Ints) -> None:
        self.rest, self.triangles = rest, triangles
        self.normals = triangle_normals(rest, triangles)  # (t, 3) as long as twice the area
        self.areas = np.linalg.norm(self.normals, axis=1)
        self.solid = has_frame(rest, triangles)  # (t,)
        self.back = np.zeros((len(triangles), 3, 3))  # from a posed frame to the gradient
        self.back[self.solid] = np.linalg.inv(frames(rest, triangles[self.solid]))
        self.axes = _axes(rest, triangles, self.normals)  # (t, 3, 3)
        self._metric = self.back[:, :2] @ self.back[:, :2].swapaxes(1, 2)  # (t, 2, 2) for the change of edges
        corners = triangles.ravel()
        self._at_vertex = np.argsort(corners, kind="stable") // 3  # triangles, vertex by vertex
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(corners, minlength=len(rest)))])

    def __call__(self, posed: Floats, touched: Ints | None = None) -> Ints:
        """Rows (n,) of the folded triangles; touched: those (k,), sorted, of which a corner may have moved."""
        moved = posed - self.rest
        if touched is None:
            touched = self.touching(np.flatnonzero(moved.any(axis=1)))
        one, other = edge_pairs(moved, self.triangles[touched]).swapaxes(0, 1)
        metric = self._metric[touched]
        change = sum(
            times * metric[:, i, k] * np.einsum("ta,ta->t", a, b)
            for i, k, times, a, b in ((0, 0, 1, one, one), (0, 1, 2, one, other), (1, 1, 1, other, other))
        )
        bent: Ints = touched[change > _BENT**2]
        if not len(bent):
            return bent
        judged = self.touching(self.corners(bent))
        return FoldTest(self, judged).folded(posed, self.growth(posed, touched))

    def growth(self, posed: Floats, touched: Ints | None = None) -> float:
        """The median ratio of the triangles' areas after and before; touched: those (n,) that may have changed."""
        if touched is not None and 2 * len(touched) < len(self.triangles):
            return 1.0
        areas = np.linalg.norm(triangle_normals(posed, self.triangles[self.solid]), axis=1)
        return float(np.median(areas / self.areas[self.solid]))

    def touching(self, vertices: Ints) -> Ints:
        """Triangles (n,) with a corner among some vertices."""
        first, counts = self._starts[vertices], self._starts[vertices + 1] - self._starts[vertices]
        rows = np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)
        return _marked(self._at_vertex[rows], len(self.triangles))

    def corners(self, rows: Ints) -> Ints:
        """Vertices (n,) of some triangles."""
        return _marked(self.triangles[rows].ravel(), len(self.rest))

    def clusters(self, rows: Ints, rings: int) -> Iterator[Ints]:
        """Vertices (n,) of each connected patch with so many rings around some triangles."""
        near = self.corners(rows)
        for _ in range(rings):
            rows = self.touching(near)
            near = self.corners(rows)
        is_near = np.zeros(len(self.rest), bool)
        is_near[near] = True
        rows = self.touching(near)
        inside = self.triangles[rows[is_near[self.triangles[rows]].all(axis=1)]]
        ends = np.searchsorted(near, inside[:, [0, 1, 1, 2]].reshape(-1, 2)).T
        graph = sp.csr_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(len(near), len(near)))
        count, piece = connected_components(graph, directed=False)
        return (near[piece == one] for one in range(count))


class FoldTest:
    """Tests some triangles (n,) of a surface for folds in any pose, from nothing but them and their neighbours."""

    def __init__(self, folds: Folds, judged: Ints) -> None:
        self.judged = judged = judged[folds.solid[judged]]
        about = folds.touching(folds.corners(judged))  # (a,)
        self._vertices = folds.corners(about)
        number = np.empty(len(folds.rest), np.int64)
        number[self._vertices] = np.arange(len(self._vertices))
        self._triangles = number[folds.triangles[about]]  # (a, 3)
        self._rows = np.searchsorted(about, judged)  # (n,)
        self._areas, self._back = folds.areas[about], folds.back[about]
        self._facing = folds.normals[judged] / (folds.areas[judged] ** 2)[:, None]
        self._axes = folds.axes[judged]
        # from triangles to vertices: sums weighted by areas, and their totals
        shape, starts = (len(about), len(self._vertices)), np.arange(0, 3 * len(about) + 1, 3)
        self._sums = sp.csr_array((np.repeat(self._areas, 3), self._triangles.ravel(), starts), shape=shape).T
        total = np.bincount(self._triangles.ravel(), np.repeat(self._areas, 3), minlength=len(self._vertices))
        self._total = np.maximum(total, _TINY)[:, None]

    def folded(self, posed: Floats, growth: float) -> Ints:
        """The folded triangles (k,) of a pose of a surface that grew by a factor."""
        means, after = self._means(posed), triangle_normals(posed[self._vertices], self._triangles[self._rows])
        sizes = np.linalg.norm(after, axis=1)
        turns = _axes(posed[self._vertices], self._triangles[self._rows], after) @ self._axes.swapaxes(1, 2)
        apart = ((means - turns) ** 2).sum(axis=(1, 2)) > _APART**2
        tried = np.flatnonzero(apart | (sizes < _SMALL * growth * self._areas[self._rows]))
        wanted = np.einsum("tab,tb->ta", nearest_rotation(means[tried]), self._facing[tried])
        found: Ints = self.judged[tried[(wanted * after[tried]).sum(axis=1) < CRUSHED * growth]]
        return found

    def outward(self, posed: Floats, growth: float) -> Floats:
        """The direction (n, 3) that each triangle should face: its normal at rest, rotated as its neighbourhood, over
        its square and the growth of the whole surface; see `outward` of the registration's quality.
        """
        return np.asarray(np.einsum("tab,tb->ta", nearest_rotation(self._means(posed)), self._facing) / growth)

    def left(self, wanted: Floats, posed: Floats) -> Floats:
        """The share (n,) of its area that each triangle keeps, seen from the direction (n, 3) it should face."""
        after = triangle_normals(posed[self._vertices], self._triangles[self._rows])
        return np.asarray((wanted * after).sum(axis=1))

    def _means(self, posed: Floats) -> Floats:
        """Mean gradients (n, 3, 3) about the triangles."""
        change = frames(posed[self._vertices], self._triangles) @ self._back
        means = self._sums @ change.reshape(-1, 9) / self._total
        return np.asarray(means[self._triangles[self._rows]].mean(axis=1).reshape(-1, 3, 3))


def _axes(positions: Floats, triangles: Ints, normals: Floats) -> Floats:
    """Orthonormal axes (t, 3, 3), as columns, along the first edge, across it, and along the normal (t, 3)."""
    along = positions[triangles[:, 2]] - positions[triangles[:, 0]]
    first, third = (some / np.maximum(np.linalg.norm(some, axis=1), _TINY)[:, None] for some in (along, normals))
    return np.stack([first, cross(third, first), third], axis=2)


def _marked(rows: Ints, count: int) -> Ints:
    """The numbers below `count` that are among the rows, sorted."""
    found: NDArray[np.bool_] = np.zeros(count, bool)
    found[rows] = True
    return np.flatnonzero(found)
