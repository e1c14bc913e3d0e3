"""How much the shapes of a rig bend the surface at each vertex, and how far each shape moves it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from facewright.arrays import Floats
from facewright.mesh.topology import Topology
from facewright.regions.deformation import Bending, expressions
from facewright.rig.rig import Rig

_FAINT = 1e-4  # of the rig's size: a shape with a smaller typical motion counts less
_STILL = 0.5  # in typical motions: a vertex that moves less counts as still


@dataclass(frozen=True, eq=False)
class VertexStatistics:
    """Numbers about the vertices of a rig; none has a unit."""

    deformation: Floats  # (v,) the largest bend over all shapes
    motion: Floats  # (v, s) motion by each shape, divided by the typical motion of that shape
    areas: Floats  # (v,) share of the surface at each vertex

    @classmethod
    def of(cls, rig: Rig, topology: Topology | None = None) -> VertexStatistics:
        """The statistics of a rig."""
        bending, areas = Bending(rig, topology), vertex_areas(rig)
        faint = _FAINT * rig.size
        motion = np.zeros((len(rig.shapes), rig.vertex_count))
        largest = np.zeros(rig.vertex_count)
        for row, moved in zip(motion, expressions(rig), strict=True):
            np.maximum(largest, bending(moved), out=largest)
            row[:] = np.sqrt(np.einsum("va,va->v", moved, moved))
            row /= max(float(np.sqrt(areas @ row**2)), faint) or 1.0
        return cls(largest, np.ascontiguousarray(motion.T), areas)

    @cached_property
    def amount(self) -> Floats:
        """The amount (v,) by which each vertex moves over all shapes, about 1 for a typical one."""
        return np.asarray(np.linalg.norm(self.motion, axis=1) / np.sqrt(max(self.motion.shape[1], 1)))

    @cached_property
    def kinds(self) -> Floats:
        """The pattern of each vertex's motion: unit rows (v, s + 1), by shape; the last element
        stands for lying still.
        """
        still = np.full(len(self.motion), _STILL * np.sqrt(max(self.motion.shape[1], 1)))
        rows = np.column_stack([self.motion, still])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def vertex_areas(rig: Rig) -> Floats:
    """The share (v,) of the surface at each vertex; equal shares if there is no surface.

    The area of a polygon is that of the vector area of its outline, so that it does not depend on the first corner.
    """
    polygons = rig.polygons
    following = np.arange(len(polygons.corners)) + 1
    following[polygons.starts[1:] - 1] = polygons.starts[:-1]
    points = rig.neutral[polygons.corners] - rig.neutral.mean(axis=0)
    crosses = np.cross(points, points[following])
    vectors = np.add.reduceat(crosses, polygons.starts[:-1]) if len(polygons) else np.zeros((0, 3))
    each = np.repeat(np.linalg.norm(vectors, axis=1) / polygons.counts, polygons.counts)
    sums = np.bincount(polygons.corners, each, minlength=rig.vertex_count)
    return sums / sums.sum() if sums.sum() > 0 else np.full(rig.vertex_count, 1 / max(rig.vertex_count, 1))


def threshold_of(values: Floats, shares: Floats, t: float) -> float:
    """The value below which a share t of the surface lies.

    Joshi's D[n t], the sorted values at n t, with every vertex weighted by its share (v,): the many vertices around the
    eyes and the mouth would otherwise fill the whole quota. Equal shares give D[n t] itself.
    """
    order = np.argsort(values, kind="stable")
    below = np.cumsum(shares[order])
    at = np.searchsorted(below, t * below[-1] * (1 + 1e-12), side="right") if len(below) else 0
    return float(values[order[min(at, len(order) - 1)]]) if len(order) else 0.0
