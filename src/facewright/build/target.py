"""The face that is to be rigged: checked, and aligned to the template."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats
from facewright.errors import BadValue, OtherTopology
from facewright.mesh.align import Similarity, align
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.rig import Rig

Face = Rig | ArrayLike  # the neutral of a rig is used

_FEW = 100  # this many vertices that no shape moves, and a tenth of all, are enough to locate the head
_MIRRORED = 0.5  # a mirror image that fits twice as well is taken for one


@dataclass(frozen=True, eq=False)
class TargetFace:
    """A neutral face of the template's topology."""

    neutral: Floats  # (v, 3) as given
    placed: Floats  # (v, 3) rotated, moved and scaled onto the template; all problems are solved in these coordinates
    to_template: Similarity
    uvs: Uvs | None
    steady: Ints  # (k,) vertices that move least in any shape of the template: they tell where the head is
    size: float  # of the template

    def into_place(self, positions: Floats) -> Floats:
        """Positions (..., 3) in the coordinates of the given neutral, brought to the template's coordinates."""
        return self.to_template(positions)

    def offsets_back(self, offsets: Floats) -> Floats:
        """Offsets (..., 3) in the template's coordinates, brought to those of the given neutral."""
        return np.asarray(offsets @ self.to_template.rotation / self.to_template.scale)


def target_face(template: Rig, neutral: Face) -> TargetFace:
    """The target aligned to the template; raises an error if its topology differs or if it is a mirror image."""
    positions = positions_of(template, neutral, "the neutral")
    if not len(positions):
        raise BadValue("the neutral has no vertices, and shapes move vertices; give a face with some")
    if is_mirrored(positions, template.neutral):
        raise BadValue("the neutral is a mirror image of the template; negate one axis of its vertices, such as x")
    to_template = align(positions, template.neutral, scaled=True)
    uvs = neutral.uvs if isinstance(neutral, Rig) and neutral.uvs is not None else template.uvs
    return TargetFace(positions, to_template(positions), to_template, uvs, _steady(template), template.size)


def _steady(template: Rig) -> Ints:
    reach = np.zeros(template.vertex_count)
    for shape in template.shapes:
        reach[shape.vertices] = np.maximum(reach[shape.vertices], np.linalg.norm(shape.offsets, axis=1))
    still = np.flatnonzero(reach == 0)
    enough = len(still) >= max(_FEW, 0.1 * len(reach))
    return still if enough or not len(reach) else np.flatnonzero(reach <= np.quantile(reach, 0.3))


def positions_of(template: Rig, face: Face, what: str) -> Floats:
    """Vertices (v, 3) of a face; raises `OtherTopology` if its vertices or polygons are not the template's."""
    positions = face.neutral if isinstance(face, Rig) else floats(what, face, (None, 3))
    if len(positions) != template.vertex_count:
        raise OtherTopology(
            f"{what} has {len(positions)} vertices, but the template has {template.vertex_count}: it needs the"
            " template's topology; register the template's neutral onto it first"
        )
    if isinstance(face, Rig) and len(face.polygons):
        _check_polygons(template.polygons, face.polygons, what)
    return positions


def is_mirrored(points: Floats, others: Floats) -> bool:
    """Whether a mirror image of the points (k, 3) would fit the others far better."""
    one, other = points - points.mean(axis=0), others - others.mean(axis=0)
    U, sizes, Vt = np.linalg.svd(one.T @ other)
    total = float(np.sqrt((one**2).sum() * (other**2).sum()))
    if total == 0 or np.linalg.det(U @ Vt) > 0:
        return False
    turned, mirrored = (1 - (sizes[:2].sum() + sign * sizes[2]) / total for sign in (-1, 1))
    return bool(mirrored < _MIRRORED * turned)


def _check_polygons(wanted: Polygons, given: Polygons, what: str) -> None:
    if np.array_equal(wanted.corners, given.corners) and np.array_equal(wanted.counts, given.counts):
        return
    theirs, ours = (np.sort(polygons.triangles, axis=1) for polygons in (given, wanted))
    same_sets = theirs.shape == ours.shape and np.array_equal(np.unique(theirs, axis=0), np.unique(ours, axis=0))
    if same_sets and _winding(given) == _winding(wanted):
        return
    if _turned_over(wanted, given):
        raise BadValue(f"{what} is turned inside out: its polygons run the other way round; reverse each one's corners")
    raise OtherTopology(
        f"{what} has as many vertices as the template, but other polygons, so vertex 7 here is not vertex 7 there:"
        " keep the vertex order on export, or register the template's neutral onto it first"
    )


def _winding(polygons: Polygons) -> set[tuple[int, ...]]:
    """Triangles in their winding order, each starting at its lowest vertex."""
    rows = polygons.triangles
    turned = np.stack([np.roll(rows, -k, axis=1) for k in range(3)], axis=1)
    chosen = turned[np.arange(len(rows)), rows.argmin(axis=1)]
    return set(map(tuple, chosen.tolist()))


def _turned_over(wanted: Polygons, given: Polygons) -> bool:
    """Whether all edges of one run opposite to those of the other."""
    return len(wanted.corners) == len(given.corners) and _half_edges(given) == {(b, a) for a, b in _half_edges(wanted)}


def _half_edges(polygons: Polygons) -> set[tuple[int, int]]:
    following = np.arange(len(polygons.corners)) + 1
    following[polygons.starts[1:] - 1] = polygons.starts[:-1]
    pairs = zip(polygons.corners.tolist(), polygons.corners[following].tolist(), strict=True)
    return set(pairs)
