"""The symmetry of a face: its middle plane, and every vertex's partner on the other side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints, frozen
from facewright.errors import BadValue, UnknownName
from facewright.mesh.plane import Plane, plane_between, symmetry_plane
from facewright.mesh.reflection import partners_by_position, partners_by_topology
from facewright.mesh.topology import Topology, edge_lengths
from facewright.options import suggests_options
from facewright.rig.rig import Rig

Method = Literal["auto", "topology", "position"]

_EXACT = 0.1  # of the mean edge: a partner this near to the mirror image cannot be another vertex
_ASTRAY = 0.5  # of the mean edge: a partner this far from it is another vertex


@dataclass(frozen=True, eq=False)
class Symmetry:
    """The mirror image of each vertex, and how exact it is. The plane's normal points to the face's own left."""

    plane: Plane
    partner: Ints  # (v,) the vertex on the other side; the vertex itself in the middle; -1 without one
    by_topology: NDArray[np.bool_]  # (v,) whether it was found by the polygons, not by position
    distances: Floats  # (v,) from the mirror image to the partner, scene units; 0 without one
    size: float  # of the rig, in scene units

    @property
    def matched(self) -> int:
        """The number of vertices that have a partner."""
        return int((self.partner >= 0).sum())

    @property
    def worst(self) -> float:
        """The largest distance from a mirror image to the partner, as a share of the rig's size."""
        return float(self.distances.max(initial=0.0)) / (self.size or 1.0)

    def __str__(self) -> str:
        return (
            f"{self.matched} of {len(self.partner)} vertices have a partner, {int(self.by_topology.sum())} of them by "
            f"topology; the worst is {100 * self.worst:.3g} % of the face off"
        )

    def __repr__(self) -> str:
        return f"Symmetry({self})"


@suggests_options
def symmetry(rig: Rig, *, method: Method = "auto", plane: Plane | None = None, tolerance: float = 0.01) -> Symmetry:
    """Find every vertex's partner across the middle plane.

    plane: by default the plane about which the neutral is most symmetric.
    method: "topology" follows the polygons, in pieces that are mirror images of themselves or of another piece, however
    asymmetric the face is. "position" takes the nearest vertex within `tolerance` times the rig's size. "auto" uses the
    topology first; then the position for what is left, and for pieces that are exact mirror images in space only.
    """
    if method not in get_args(Method):
        raise UnknownName("method", str(method), get_args(Method))
    if not (np.isfinite(tolerance) and tolerance >= 0):
        raise BadValue(f"the tolerance is a share of the rig's size, 0 or more, not {tolerance}")
    middle = symmetry_plane(rig.neutral) if plane is None else plane
    topology = Topology(rig.polygons, rig.vertex_count)
    partner = np.full(rig.vertex_count, -1)
    if method != "position":
        partner = partners_by_topology(rig.neutral, topology, middle)
        middle = _refined(rig, partner, middle) if plane is None else middle
    by_topology = partner >= 0
    if method != "topology":
        near = partners_by_position(rig.neutral, rig.triangles, middle, tolerance=tolerance * rig.size)
        wrong = _overruled(rig, topology, _misses(rig, middle, partner), _misses(rig, middle, near))
        by_topology &= ~(wrong | wrong[partner])
        free = ~by_topology & (near >= 0) & ~by_topology[near]
        partner = np.where(by_topology, partner, np.where(free, near, -1))
    distances = np.where(partner >= 0, _misses(rig, middle, partner), 0.0)
    return Symmetry(middle, frozen(partner), frozen(by_topology), frozen(distances), rig.size)


def _refined(rig: Rig, partner: Ints, plane: Plane) -> Plane:
    """The plane that fits the pairs best, unless the given one fits as well."""
    points, partners = rig.neutral[partner >= 0], rig.neutral[partner[partner >= 0]]
    if len(points) < 3:
        return plane
    found = plane_between(points, partners, normal=plane.normal)
    before, after = (np.linalg.norm(one.mirror(points) - partners) for one in (plane, found))
    return plane if before <= 1.01 * after + 1e-9 * rig.size else found


def _misses(rig: Rig, plane: Plane, partner: Ints) -> Floats:
    """Distances (v,) of each vertex's mirror image from its partner; infinite without one."""
    misses = np.linalg.norm(plane.mirror(rig.neutral) - rig.neutral[partner], axis=1) if len(partner) else np.zeros(0)
    return np.where(partner >= 0, misses, np.inf)


def _overruled(rig: Rig, topology: Topology, by_topology: Floats, by_position: Floats) -> NDArray[np.bool_]:
    """Vertices (v,) of pieces that are exact mirror images in space, but with other partners than by the polygons.

    That happens to pieces, such as teeth, whose polygons differ between the sides.
    """
    pieces, edges = topology.pieces, topology.edges
    if len(edges) == 0:
        return np.zeros(rig.vertex_count, bool)
    owner, count = pieces[edges[:, 0]], pieces.max() + 1
    total = np.bincount(owner, edge_lengths(rig.neutral, edges), minlength=count)
    spacing = (total / np.maximum(np.bincount(owner, minlength=count), 1))[pieces]
    unsure = np.bincount(pieces, by_position > _EXACT * spacing, minlength=count) > 0
    astray = np.bincount(pieces, np.isfinite(by_topology) & (by_topology > _ASTRAY * spacing), minlength=count) > 0
    return np.asarray((astray & ~unsure)[pieces])
