"""Bindings of markers to a rig: the point of the surface that each marker follows, and its place on
the actor at rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats, Ints, indices, lengths
from facewright.errors import BadValue, UnknownName
from facewright.mesh.align import Similarity
from facewright.rig.evaluate import delta_rows
from facewright.rig.rig import Rig

_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class SurfacePoint:
    """A point of a rig's surface: barycentric shares, which sum to 1, of three vertices."""

    vertices: tuple[int, int, int]
    shares: tuple[float, float, float]

    def __post_init__(self) -> None:
        indices("vertices of a surface point", self.vertices, (3,), below=2**31)
        shares = lengths("shares of a surface point", self.shares, (3,))
        if shares.min() < -_SUM_TOLERANCE or abs(shares.sum() - 1) > _SUM_TOLERANCE:
            raise BadValue(f"the shares of a surface point are from 0 to 1 and sum to 1, not {self.shares}")

    @classmethod
    def vertex(cls, index: int) -> SurfacePoint:
        """A vertex as a point of the surface."""
        return cls((index, index, index), (1.0, 0.0, 0.0))

    def place(self, positions: Floats) -> Floats:
        """The position (3,) on a surface with vertices at positions (v, 3)."""
        return np.asarray(np.asarray(self.shares) @ positions[list(self.vertices)])


@dataclass(frozen=True, eq=False)
class Binding:
    """Markers (k of them) bound to points of a rig's surface, for every take of the same actor and markers."""

    markers: tuple[str, ...]
    vertices: Ints  # (k, 3) corners of the marker's triangle
    barycentric: Floats  # (k, 3) summing to 1
    rest: Floats  # (k, 3) markers on the actor's neutral face, in the take's unit
    to_rig: Similarity  # from the actor to the rig
    unit: str = "cm"  # of `rest`
    mirrored: bool = False  # whether the take's x is reversed first
    notes: tuple[str, ...] = ()  # remarks, in words

    def __post_init__(self) -> None:
        markers = tuple(self.markers)
        if len(set(markers)) != len(markers):
            raise BadValue("a binding names each marker once")
        vertices = indices("vertices of the binding", self.vertices, (len(markers), 3), below=2**31)
        barycentric = lengths("barycentric coordinates", self.barycentric, (len(markers), 3))
        if np.abs(barycentric.sum(axis=1) - 1).max(initial=0.0) > _SUM_TOLERANCE:
            raise BadValue("barycentric coordinates sum to 1")
        rest = lengths("rest of the markers", self.rest, (len(markers), 3))
        for name, value in (
            ("markers", markers), ("vertices", vertices), ("barycentric", barycentric), ("rest", rest),
            ("notes", tuple(self.notes)),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.markers)

    def index(self, marker: str) -> int:
        """The row of a marker; an unknown name raises `UnknownName`."""
        try:
            return self.markers.index(marker)
        except ValueError:
            raise UnknownName("bound marker", marker, self.markers) from None

    def only(self, markers: tuple[str, ...]) -> Binding:
        """The binding of some of the markers."""
        at = [self.index(marker) for marker in markers]
        return replace(
            self, markers=markers, vertices=self.vertices[at], barycentric=self.barycentric[at], rest=self.rest[at]
        )

    def moved(self, points: Mapping[str, SurfacePoint]) -> Binding:
        """The binding with some markers bound to other points."""
        vertices, barycentric = self.vertices.copy(), self.barycentric.copy()
        for marker, point in points.items():
            at = self.index(marker)
            vertices[at], barycentric[at] = point.vertices, point.shares
        return replace(self, vertices=vertices, barycentric=barycentric)

    def check(self, rig: Rig) -> None:
        """Raise `BadValue` if the rig does not have the vertices of the binding."""
        if self.vertices.max(initial=-1) >= rig.vertex_count:
            raise BadValue(
                f"the binding names vertex {self.vertices.max()}, but the rig has {rig.vertex_count} vertices: "
                "it was made for another rig"
            )

    def places(self, positions: Floats) -> Floats:
        """Positions (..., k, 3) of the markers on a surface with vertices at positions (..., v, 3)."""
        return np.asarray(np.einsum("kc,...kca->...ka", self.barycentric, positions[..., self.vertices, :]))

    def rows(self, rig: Rig) -> Floats:
        """Offsets (s, k, 3) of the markers in every shape."""
        corners = delta_rows(rig, self.vertices.ravel()).reshape(len(rig.shapes), len(self), 3, 3)
        return np.asarray(np.einsum("kc,skca->ska", self.barycentric, corners))

    def __repr__(self) -> str:
        return f"Binding({len(self)} markers in {self.unit})"


def bind_vertices(rig: Rig, markers: dict[str, int]) -> Binding:
    """Bind markers to vertices of the rig, by marker name; rest and unit are the rig's own."""
    at = indices("vertices of the binding", list(markers.values()), (len(markers),), below=rig.vertex_count)
    barycentric = np.tile([1.0, 0.0, 0.0], (len(at), 1))
    here = Similarity(np.eye(3), np.zeros(3))
    return Binding(tuple(markers), np.repeat(at[:, None], 3, axis=1), barycentric, rig.neutral[at], here)
