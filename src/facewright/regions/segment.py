"""Regions of a face, found from its shapes (Joshi, Tien, Desbrun, Pighin 2003, sec. 2 and 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats
from facewright.errors import BadValue, UnknownName
from facewright.mesh.topology import Topology, edge_lengths
from facewright.options import suggests_options
from facewright.regions.cleanup import cleaned, evened, in_pieces, within_colors
from facewright.regions.grouping import grouped
from facewright.regions.hierarchy import Joinable, chosen, joining
from facewright.regions.region_names import NamingCues, named
from facewright.regions.sides import evened_sides, mirror_of, moves_evenly, parted, sides_of
from facewright.regions.small_pieces import followed, large_pieces
from facewright.regions.soft_borders import soft_weights
from facewright.regions.symmetric_points import SymmetricPoints
from facewright.regions.threshold_rule import above_threshold, one_ring_weights, threshold_labels
from facewright.regions.vertex_statistics import VertexStatistics, threshold_of
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.symmetry import Symmetry
from facewright.rig.tree import tree_of

SegmentMethod = Literal["likeness", "threshold"]
METHODS: tuple[SegmentMethod, ...] = get_args(SegmentMethod)
_COARSE, _FINE = 0.5, 0.77  # similarity at which neighbours belong to one region, at t = 0 and at t = 1
_ASTRIDE = 0.2  # how much less similar the halves of a region across the middle may be
_COLOR = 0.2  # of sRGB: neighbours whose colours differ by so much are no more similar than any others
_SMOOTH = 0.015  # of the rig's size: finer details of a border are smoothed
_SMALLEST = 0.02  # of the surface, or of its motion, both sides together: smaller regions are absorbed


@suggests_options
def segment(
    rig: Rig,
    *,
    threshold: float = 0.75,
    levels: int | None = None,
    symmetric: bool | None = None,
    method: SegmentMethod = "likeness",
    colors: ArrayLike | None = None,
) -> Regions:
    """Divide a face into regions that move independently, and join these to larger ones, up to the whole face.

    threshold: from 0, few large regions, to 1, many small ones and a large background. The share `threshold` of the
    surface
    that deforms least is background; the rest is divided into regions of neighbours that move alike.
    levels: the number of levels of the tree, from the finest to the whole face; by default one for each joining.
    symmetric: whether the regions are the same on both sides; by default if the rig's shapes are.
    method: "threshold" is the paper's own rule (threshold_rule.py), whose regions are not made symmetric.
    colors: of the skin at each vertex (v, 3), sRGB from 0 to 1, as a further cue: borders follow lips and brows. A
    texture gives them by `vertex_colors`.
    """
    if method not in METHODS:
        raise UnknownName("method of finding regions", str(method), METHODS)
    if not 0 <= threshold <= 1:
        raise BadValue(f"the threshold is a share of the surface, from 0 to 1, not {threshold}")
    if levels is not None and levels < 2:
        raise BadValue(f"there are at least 2 levels, the finest and the whole, not {levels}")
    if method == "threshold":
        if colors is not None:
            raise BadValue("the paper's rule does not see colours; leave one of the two out")
        return _by_threshold(rig, threshold, levels, symmetric)
    face = _FaceData.of(rig, symmetric, _checked_colors(rig, colors))
    labels = _in_order(rig, face, _labels(face, threshold))
    mirror = mirror_of(labels, face.sides) if face.even else np.arange(int(labels.max(initial=0)) + 1)
    weights = soft_weights(rig, labels, face.topology)
    if face.even:
        weights = evened_sides(weights, face.sides, mirror)
    return _tree(face, labels, mirror, weights, levels)


def _checked_colors(rig: Rig, colors: ArrayLike | None) -> Floats | None:
    return None if colors is None else floats("colours", colors, (rig.vertex_count, 3))


def _by_threshold(rig: Rig, t: float, levels: int | None, symmetric: bool | None) -> Regions:
    if symmetric:
        raise BadValue("the paper's rule does not make regions symmetric; leave one of the two out")
    face = _FaceData.of(rig, False)
    labels = threshold_labels(rig, face.topology, t)
    large = large_pieces(rig, face.topology, face.statistics)
    labels[large] = np.unique(labels[large], return_inverse=True)[1]
    labels = _in_order(rig, face, followed(rig, face.topology, face.statistics, labels))
    mirror = np.arange(int(labels.max(initial=0)) + 1)
    found = _tree(face, labels, mirror, one_ring_weights(labels, face.topology), levels)
    # What deforms may be so large that its mean motion is that of a background.
    deforms = np.bincount(labels, above_threshold(rig, t), minlength=len(mirror)) > 0.5 * np.bincount(labels)
    quiet = [name for name, moves in zip(found.names_at(), deforms, strict=True) if moves and "background" in name]
    return found.renamed({name: name.replace("background", "deforming part") for name in quiet})


def _tree(face: _FaceData, labels: Ints, mirror: Ints, weights: sp.csr_array, levels: int | None) -> Regions:
    """Regions of all levels, with names."""
    rig = face.rig
    steps = chosen(joining(_joinable(face, labels, mirror)), len(mirror), levels)
    places = NamingCues.of(rig, face.statistics, labels, face.sides.plane.heights(rig.neutral))
    return Regions.of(weights, steps, named(places, tree_of(len(mirror), steps)[2]))


@dataclass(frozen=True, eq=False)
class _FaceData:
    rig: Rig
    topology: Topology
    statistics: VertexStatistics
    sides: Symmetry
    even: bool  # whether both sides must be alike
    colors: Floats  # (v, 3), or (v, 0) without

    @classmethod
    def of(cls, rig: Rig, symmetric: bool | None, colors: Floats | None = None) -> _FaceData:
        """What the steps need of a rig."""
        if rig.vertex_count == 0:
            raise BadValue("a rig without vertices has no regions")
        topology = Topology(rig.polygons, rig.vertex_count)
        statistics, sides = VertexStatistics.of(rig, topology), sides_of(rig)
        even = moves_evenly(sides, statistics) if symmetric is None else symmetric
        none = np.zeros((rig.vertex_count, 0))
        return cls(rig, topology, statistics, sides, even, none if colors is None else colors)


def _labels(face: _FaceData, t: float) -> Ints:
    """The region (v,) of each vertex."""
    heights = face.sides.plane.heights(face.rig.neutral)
    points = (
        SymmetricPoints.along(face.sides, heights, face.topology) if face.even else SymmetricPoints.flat(face.topology)
    )
    large = large_pieces(face.rig, face.topology, face.statistics)
    regions = _point_labels(points, face, large, t)
    labels = in_pieces(regions[points.point], face.topology.adjacency)
    labels[large] = np.unique(labels[large], return_inverse=True)[1]
    if not face.even:
        return followed(face.rig, face.topology, face.statistics, labels)
    labels = followed(face.rig, face.topology, face.statistics, labels, face.sides.partner)
    return parted(labels, face.statistics, face.sides, heights, apart=_likeness(t) - _ASTRIDE)


def _point_labels(points: SymmetricPoints, face: _FaceData, large: np.ndarray, t: float) -> Ints:
    """The region (p,) of each symmetric point."""
    statistics = face.statistics
    shares, motion = (
        points.total(values * large) for values in (statistics.areas, statistics.areas * statistics.amount)
    )
    deformation = evened(points.highest(statistics.deformation), points.ring)
    lively = np.flatnonzero(deformation > threshold_of(deformation, shares, t))
    at = np.full(len(points), -1)
    at[lively] = np.arange(len(lively))
    edges = at[points.edges]
    kinds = points.both(statistics.kinds, lively) / np.sqrt(2)
    labels = np.zeros(len(points), np.int64)  # 0 is background
    colors = points.both(face.colors, np.arange(len(points))) / np.sqrt(2)
    edges = edges[(edges >= 0).all(axis=1)]
    labels[lively] = 1 + grouped(edges, kinds, shares[lively], least=_likeness(t), colors=colors[lively] / _COLOR)
    sizes = np.stack([each / max(float(each.sum()), 1e-300) for each in (shares, motion)], axis=1)
    return cleaned(labels, within_colors(points.ring, colors), sizes, smallest=_SMALLEST, rings=_rings(face))


def _rings(face: _FaceData) -> int:
    """The number of rings that are as wide as the smoothing of borders: the spread of so many steps of averaging."""
    edges = face.topology.edges
    edge = float(np.median(edge_lengths(face.rig.neutral, edges))) if len(edges) else 0.0
    return int(np.clip(round(2 * (_SMOOTH * face.rig.size / edge) ** 2), 3, 12)) if edge > 0 else 3


def _likeness(t: float) -> float:
    return _COARSE + (_FINE - _COARSE) * t


def _in_order(rig: Rig, face: _FaceData, labels: Ints) -> Ints:
    """Labels numbered from the top of the face down, left before right."""
    middle = face.sides.plane.heights(rig.neutral)
    counts = np.maximum(np.bincount(labels), 1)
    height, left = (np.bincount(labels, values) / counts for values in (rig.neutral[:, 1], middle))
    rank = np.empty(len(counts), np.int64)
    rank[np.lexsort((-left, -(height / (rig.size or 1.0)).round(6)))] = np.arange(len(counts))
    return np.asarray(rank[labels])


def _joinable(face: _FaceData, labels: Ints, mirror: Ints) -> Joinable:
    count, areas = len(mirror), face.statistics.areas
    member = sp.csr_array((areas, labels, np.arange(len(labels) + 1)), shape=(len(labels), count)).T
    masses = np.maximum(np.asarray(member.sum(axis=1)), 1e-300)
    a, b = labels[face.topology.edges].T
    touches = np.zeros((count, count), bool)
    touches[a[a != b], b[a != b]] = True
    return Joinable(member @ face.statistics.motion / masses[:, None], masses, touches | touches.T, mirror)
