"""Small connected pieces: eyes, teeth, tongue, lashes. Each joins a region of the large pieces.

Not so pieces that move while what is nearest to them lies still, such as the brows of a robot, which are bars in front
of a plate: they are regions of their own.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.mesh.topology import Topology
from facewright.regions.vertex_statistics import VertexStatistics
from facewright.rig.rig import Rig

_LARGE = 0.1  # of the largest piece's area: smaller pieces have no regions of their own
_SMALLEST = 0.01  # of the surface: smaller pieces have none, however they move
_ALONE = 10.0  # times the motion of what is nearest: a piece that moves so much more moves alone
_ANYHOW = 0.1  # added to the similarity of motion, times nearness


def large_pieces(rig: Rig, topology: Topology, statistics: VertexStatistics) -> np.ndarray:
    """Vertices (v,) of pieces that have regions of their own: the large ones, and those that move alone."""
    sizes = np.bincount(topology.pieces, statistics.areas)
    large = sizes >= _LARGE * sizes.max(initial=0.0)
    if large.all():
        return np.ones(rig.vertex_count, bool)
    known = np.flatnonzero(large[topology.pieces])
    nearest = known[cKDTree(rig.neutral[known]).query(rig.neutral)[1]]
    own, beside = (np.bincount(topology.pieces, statistics.amount[at]) for at in (slice(None), nearest))
    return np.asarray((large | ((sizes >= _SMALLEST) & (own > _ALONE * beside)))[topology.pieces])


def followed(
    rig: Rig, topology: Topology, statistics: VertexStatistics, labels: Ints, partner: Ints | None = None
) -> Ints:
    """Labels (v,) in which each small piece joins, as a whole, the region that is nearest and moves most like it.

    So an eyeball joins its lids, and the lower teeth the lower lip. partner: the vertices (v,) on the other side of the
    face, -1 for none; with it a piece and its mirror image choose together.
    """
    large = large_pieces(rig, topology, statistics)
    if large.all():
        return labels
    known = np.flatnonzero(large)
    nearest = labels[known[cKDTree(rig.neutral[known]).query(rig.neutral)[1]]]
    count, pieces = int(labels[known].max()) + 1, topology.pieces
    scores = _nearness(pieces, nearest) * (
        _ANYHOW + _means(pieces, statistics) @ _means(labels[known], statistics, known).T
    )
    if partner is not None:
        has = np.flatnonzero(partner >= 0)
        both = has[large[has] & large[partner[has]]]
        mirror, other = _images(labels[both], labels[partner[both]], count), _images(pieces[has], pieces[partner[has]])
        scores = scores + scores[other][:, mirror]
    return np.where(large, labels, scores.argmax(axis=1)[pieces])


def _nearness(pieces: Ints, nearest: Ints) -> Floats:
    """The share of each piece that is nearest to each region."""
    votes = sp.coo_array((np.ones(len(pieces)), (pieces, nearest))).toarray()
    return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def _means(group: Ints, statistics: VertexStatistics, vertices: Ints | slice = slice(None)) -> Floats:
    """The mean motion of each group of vertices."""
    kinds = statistics.kinds[vertices]
    sums = np.asarray(sp.csr_array(sp.coo_array((np.ones(len(group)), (group, np.arange(len(group)))))) @ kinds)
    return np.asarray(sums / np.bincount(group)[:, None])


def _images(group: Ints, image: Ints, count: int | None = None) -> Ints:
    """For each group the group of most of its vertices' partners, or the group itself."""
    size = count or int(max(group.max(initial=0), image.max(initial=0))) + 1
    pairs = sp.coo_array((np.ones(len(group)), (group, image)), shape=(size, size)).toarray()
    return np.where(pairs.any(axis=1), pairs.argmax(axis=1), np.arange(size))
