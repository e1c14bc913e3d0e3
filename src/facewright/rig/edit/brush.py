"""Touch-up brushes: they change the offsets of one shape where they touch the face as it is posed.

A brush touches what is connected over the surface: its falloff goes by the length of paths along edges and across
polygons, so that one lip is not moved with the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from scipy.sparse.csgraph import dijkstra

from facewright.arrays import Floats, Ints, floats, indices
from facewright.errors import BadValue, UnknownName
from facewright.mesh.polygons import Polygons
from facewright.mesh.topology import Topology, edge_lengths
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.symmetry import Symmetry, symmetry

BrushKind = Literal["smooth", "relax", "grab", "erase"]
LEAST_VALUE = 0.05  # a shape that is on less than this is hardly seen, and dividing by its value would magnify noise
_STEPS = 4  # of smoothing, for each dab


@dataclass(frozen=True)
class Brush:
    """What a brush does.

    smooth: evens out the motion of the face from its neutral. relax: the same along the surface only, which keeps the
    form. grab: moves the face. erase: takes the shape back to the neutral.
    """

    kind: BrushKind = "smooth"
    radius: float = 0.035  # of the rig's size, along the surface
    strength: float = 0.5  # 0 .. 1, in the middle of the brush
    symmetric: bool = False  # touch the other side of the face in the same way

    def __post_init__(self) -> None:
        if self.kind not in get_args(BrushKind):
            raise UnknownName("brush", str(self.kind), get_args(BrushKind))
        if not 0 < self.radius <= 1:
            raise BadValue(
                f"the radius of a brush is a share of the rig's size, above 0 and up to 1, not {self.radius}"
            )
        if not 0 <= self.strength <= 1:
            raise BadValue(f"the strength of a brush goes from 0 to 1, not {self.strength}")


@dataclass(frozen=True)
class Dab:
    """One touch of a brush: a point of the surface, in a triangle of the rig."""

    triangle: int
    barycentric: tuple[float, float, float]


class BrushSurface:
    """The connections of polygons over v vertices, prepared for brushes."""

    def __init__(self, polygons: Polygons, vertices: int) -> None:
        topology = Topology(polygons, vertices)
        self.polygons = polygons
        self.neighbours = topology.adjacency  # (v, v) of ones
        self.degrees = np.diff(self.neighbours.indptr)
        # Paths may cross quads: along edges alone a diagonal way would be 1.4 times too long.
        after = topology.next_corner
        across = np.stack([polygons.corners, polygons.corners[after[after]]], axis=1)
        pairs = np.sort(np.concatenate([topology.edges, across]), axis=1)
        keys = np.unique((pairs[:, 0] * vertices + pairs[:, 1])[pairs[:, 0] != pairs[:, 1]])
        self._pairs = np.stack([keys // max(vertices, 1), keys % max(vertices, 1)], axis=1)  # (p, 2)
        self._half_edges, self._polygon = topology.half_edges, topology.polygon_of_corner

    def paths(self, positions: Floats) -> sp.csr_array:
        """Lengths (v, v) of the steps from vertex to vertex."""
        lengths = np.maximum(edge_lengths(positions, self._pairs), np.finfo(float).tiny)  # 0 would be no connection
        i, j = self._pairs.T
        both = (np.concatenate([i, j]), np.concatenate([j, i]))
        return sp.csr_array((np.concatenate([lengths, lengths]), both), shape=self.neighbours.shape)

    def normals(self, positions: Floats) -> Floats:
        """Unit normals (v, 3) by the areas of the polygons, not of their triangles, which differ between the sides."""
        corners, count = self.polygons.corners, len(self.polygons)
        middle = _sums(positions[corners], self._polygon, count) / self.polygons.counts[:, None]
        here, there = (positions[self._half_edges[:, end]] - middle[self._polygon] for end in (0, 1))
        areas = _sums(np.cross(here, there), self._polygon, count)
        sums = _sums(areas[self._polygon], corners, len(positions))
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return np.asarray(np.divide(sums, lengths, out=np.zeros(sums.shape), where=lengths > 0))


class TouchUp:
    """One shape of a rig in a pose, prepared for many dabs. Everything is a function of offsets (v, 3) of the shape."""

    @suggests_options
    def __init__(
        self,
        rig: Rig,
        name: str,
        weights: Mapping[str, float] | ArrayLike | None = None,
        *,
        sides: Symmetry | None = None,
        surface: BrushSurface | None = None,
    ) -> None:
        """weights: the pose, by default the sliders of the shape where it is fully on. sides: by `symmetry`."""
        self.rig, self.shape = rig, rig.shape(name)
        pose = fully_on(rig, self.shape) if weights is None else rig.pose(weights)
        values = Combine(rig)(pose)
        self.value = float(values[rig.shape_names.index(name)])
        if abs(self.value) < LEAST_VALUE:
            raise BadValue(
                f"shape {name!r} is at {self.value:.2g} in this pose, so that what a brush does to it cannot be seen; "
                f"set {', '.join(self.shape.sliders)} so that it is on"
            )
        self.offsets = self.shape.dense(rig.vertex_count)
        posed = np.array(rig.neutral)
        for shape, value in zip(rig.shapes, values, strict=True):
            if value:
                posed[shape.vertices] += value * shape.offsets
        self.posed = posed
        self._others = posed - rig.neutral - self.value * self.offsets  # motion that the brush does not change
        self._surface = BrushSurface(rig.polygons, rig.vertex_count) if surface is None else surface
        self._paths = self._surface.paths(posed)
        self._sides = sides
        self._size = rig.size

    def dab(self, offsets: Floats, brush: Brush, dab: Dab, move: ArrayLike = (0.0, 0.0, 0.0)) -> Floats:
        """Offsets (v, 3) after one touch. move: by how much the face is grabbed, scene units."""
        share = brush.strength * self._falloff(self._sources(dab), brush.radius)
        other = np.zeros_like(share)
        mirrored = self._mirrored(dab) if brush.symmetric else None
        if mirrored is not None:
            other = brush.strength * self._falloff(mirrored, brush.radius)
        touched = np.flatnonzero((share > 0) | (other > 0))
        made = np.array(offsets)
        if brush.kind == "grab":
            made[touched] += self._grabbed(share[touched], other[touched], floats("move", move, (3,))) / self.value
        elif brush.kind == "erase":
            made[touched] *= 1 - np.maximum(share, other)[touched, None]
        else:
            along = self._normals[touched] if brush.kind == "relax" else None
            made[touched] += self._smoothed(offsets, touched, np.maximum(share, other)[touched], along) / self.value
        return made

    def stroke(self, brush: Brush, path: Sequence[Dab], move: ArrayLike = (0.0, 0.0, 0.0)) -> Shape:
        """The shape after one touch after the other."""
        offsets = self.offsets
        for dab in path:
            offsets = self.dab(offsets, brush, dab, move)
        return self.with_offsets(offsets)

    def with_offsets(self, offsets: Floats) -> Shape:
        """The shape with offsets (v, 3), of which those that are not 0 are stored."""
        moved = np.flatnonzero(offsets.any(axis=1))
        return replace(self.shape, vertices=moved, offsets=offsets[moved])

    @property
    def sides(self) -> Symmetry:
        """The pairs of vertices of both sides of the face; found when a symmetric brush first needs them."""
        if self._sides is None:
            self._sides = symmetry(self.rig)
        return self._sides

    def use_sides(self, sides: Symmetry) -> None:
        """Use pairs that are known already."""
        self._sides = sides

    @cached_property
    def _normals(self) -> Floats:
        return self._surface.normals(self.posed)

    def _sources(self, dab: Dab) -> tuple[Ints, Floats]:
        """The corners (3,) about a dab, and its distances (3,) from them."""
        triangle = int(indices("triangle", np.array(dab.triangle), (), below=len(self.rig.triangles)))
        corners = self.rig.triangles[triangle]
        return self._about(corners, floats("barycentric", dab.barycentric, (3,)))

    def _mirrored(self, dab: Dab) -> tuple[Ints, Floats] | None:
        """The same on the other side; None where a corner has no partner."""
        corners = self.sides.partner[self.rig.triangles[dab.triangle]]
        return None if (corners < 0).any() else self._about(corners, np.array(dab.barycentric, np.float64))

    def _about(self, corners: Ints, mix: Floats) -> tuple[Ints, Floats]:
        return corners, np.linalg.norm(self.posed[corners] - mix @ self.posed[corners], axis=1)

    def _falloff(self, sources: tuple[Ints, Floats], radius: float) -> Floats:
        """Shares (v,): 1 in the middle, 0 from the radius on."""
        reach = radius * self._size
        from_corners = dijkstra(self._paths, indices=sources[0], limit=reach)  # (3, v), infinite further away
        near = (from_corners + sources[1][:, None]).min(axis=0) / (reach or 1.0)
        return np.asarray(np.where(near < 1, (1 - np.minimum(near, 1.0) ** 2) ** 2, 0.0))

    def _grabbed(self, share: Floats, other: Floats, move: Floats) -> Floats:
        """The motion (k, 3) of a grab; where both sides are grabbed, their mean, so that the middle stays one."""
        both = share[:, None] * move + other[:, None] * self.sides.plane.mirror_vectors(move) if other.any() else None
        if both is None:
            return np.asarray(share[:, None] * move)
        most = np.maximum(share, other)
        return np.asarray(both * np.divide(most, share + other, out=np.ones_like(most), where=most > 0)[:, None])

    def _smoothed(self, offsets: Floats, touched: Ints, share: Floats, normals: Floats | None) -> Floats:
        """By how much the motion of touched vertices changes (k, 3): each goes some way to the mean of its neighbours.

        normals: the way across them is left out.
        """
        motion = self._others + self.value * offsets
        before = motion[touched]
        rows = self._surface.neighbours[touched]
        degrees = self._surface.degrees[touched]
        by = np.where(degrees > 0, share, 0.0)[:, None]
        for _ in range(_STEPS):
            change = (rows @ motion) / np.maximum(degrees, 1)[:, None] - motion[touched]
            if normals is not None:
                change -= (change * normals).sum(axis=1, keepdims=True) * normals
            motion[touched] += by * change
        return np.asarray(motion[touched] - before)


@suggests_options
def touch_up(
    rig: Rig,
    name: str,
    brush: Brush,
    path: Sequence[Dab],
    *,
    weights: Mapping[str, float] | ArrayLike | None = None,
    move: ArrayLike = (0.0, 0.0, 0.0),
) -> Rig:
    """The rig with one shape touched up by a stroke. weights: the pose, by default the shape fully on."""
    return rig.with_shape(TouchUp(rig, name, weights).stroke(brush, path, move))


def fully_on(rig: Rig, shape: Shape) -> Floats:
    """Weights (n,) with the sliders of a shape at the values where it is fully on, the others at 0."""
    return rig.weights(dict(zip(shape.sliders, shape.at, strict=True)))


def _sums(vectors: Floats, at: Ints, count: int) -> Floats:
    """Sums (count, 3) of the vectors at each place."""
    return np.stack([np.bincount(at, vectors[:, axis], minlength=count) for axis in range(3)], axis=1)
