"""A source or target of a registration: a checked mesh, with its skin, openings and landmarks found once."""

from __future__ import annotations

import warnings
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Ints
from facewright.build.registration.landmarks import find_landmarks
from facewright.build.registration.openings import holes
from facewright.build.registration.skin import Skin, visible_skin, welded, whole_skin
from facewright.errors import BadValue, FacewrightWarning
from facewright.mesh.polygons import Polygons
from facewright.mesh.topology import Topology
from facewright.mesh.triangle_frames import has_frame
from facewright.rig.rig import Rig
from facewright.samples.borders import borders

# a rig, of which the neutral is used, or vertices (v, 3) and polygons
Mesh = Rig | tuple[ArrayLike, Polygons | ArrayLike]

_LEAST = 12  # smallest number of vertices with a surface


class FaceMesh:
    """A rig's neutral, or vertices and polygons."""

    def __init__(self, mesh: Mesh, what: str) -> None:
        self.rig = mesh if isinstance(mesh, Rig) else _from_arrays(mesh, what)
        self.what = what
        _check(self.rig, what)

    @cached_property
    def twins(self) -> Ints:
        """For each vertex (v,) the vertex that represents it: copies along texture seams are one vertex."""
        return welded(self.rig.neutral, self.rig.triangles)

    @cached_property
    def polygons(self) -> Polygons:
        """Polygons over the representing vertices."""
        return Polygons(self.twins[self.rig.polygons.corners], self.rig.polygons.counts)

    @cached_property
    def visible(self) -> Skin:
        """The visible skin, which is fitted."""
        return visible_skin(self.rig.neutral, self.polygons.triangles)

    @cached_property
    def whole(self) -> Skin:
        """The whole skin, which is fitted to."""
        return whole_skin(self.rig.neutral, self.polygons.triangles)

    @cached_property
    def loops(self) -> tuple[Ints, ...]:
        """Borders of the skin as closed chains of vertices, the longest first."""
        triangles = self.whole.vertices[self.whole.triangles]
        return Topology(Polygons.of(triangles), self.rig.vertex_count).boundary_loops

    @cached_property
    def openings(self) -> dict[str, Ints]:
        """Borders of eyes and mouth by name, empty where they are not found."""
        return borders(self.rig) or holes(self.rig.neutral, self.polygons.triangles, self.loops)

    @cached_property
    def landmarks(self) -> dict[str, int]:
        """Landmarks by name, where they can be found."""
        return find_landmarks(self.rig, self.openings, self.visible.vertices)


def _from_arrays(mesh: tuple[ArrayLike, Polygons | ArrayLike], what: str) -> Rig:
    if not (isinstance(mesh, tuple) and len(mesh) == 2):
        raise BadValue(f"{what} is a rig, or a pair of vertices (v, 3) and polygons, not {type(mesh).__name__}")
    return Rig(mesh[0], Polygons.of(mesh[1]))


def _check(rig: Rig, what: str) -> None:
    if not len(rig.triangles):
        raise BadValue(f"{what} has no polygons: points alone have no surface; export it with its faces")
    usable = has_frame(rig.neutral, rig.triangles)
    if len(np.unique(rig.triangles[usable])) < _LEAST:
        raise BadValue(f"{what} has hardly any surface: {int(usable.sum())} triangles with an area")
    unused = rig.vertex_count - len(np.unique(rig.triangles))
    remarks = [
        f"{count} {words}"
        for count, words in (
            (int((~usable).sum()), "triangles have no area and are left out"),
            (unused, "vertices belong to no polygon: they follow what is near"),
        )
        if count
    ]
    if remarks:
        warnings.warn(f"{what}: {'; '.join(remarks)}", FacewrightWarning, stacklevel=4)
