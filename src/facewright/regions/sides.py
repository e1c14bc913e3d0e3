"""Regions and the middle of the face: which are mirror images of each other, and which are cut in two there."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.regions.vertex_statistics import VertexStatistics
from facewright.rig.rig import Rig
from facewright.rig.symmetry import Symmetry, symmetry

_ALL = 0.99  # of the vertices: with so many partners by position, the polygons are not needed
_MOST = 0.8  # of the surface: a symmetric face has partners for this much,
_UNEVEN = 0.25  # and its sides differ in motion by at most this share


def sides_of(rig: Rig) -> Symmetry:
    """The two sides of a face; by position alone where that is enough, which is faster."""
    by_position = symmetry(rig, method="position")
    return by_position if by_position.matched >= _ALL * rig.vertex_count else symmetry(rig)


def moves_evenly(sides: Symmetry, statistics: VertexStatistics) -> bool:
    """Whether the shapes move both sides alike."""
    has = sides.partner >= 0
    if statistics.areas[has].sum() < _MOST:
        return False
    areas, amount, other = statistics.areas[has], statistics.amount[has], statistics.amount[sides.partner[has]]
    return bool(areas @ np.abs(amount - other) <= _UNEVEN * (areas @ amount))


def parted(labels: Ints, statistics: VertexStatistics, sides: Symmetry, heights: Floats, *, apart: float) -> Ints:
    """Labels (v,) in which a region that crosses the middle is cut there if its halves are less similar than `apart`.

    Vertices exactly in the middle go to the left.
    """
    labels = labels.copy()
    for region in range(int(labels.max(initial=-1)) + 1):
        own = labels == region
        left, right = own & (heights > 0) & (sides.partner >= 0), own & (heights < 0) & (sides.partner >= 0)
        crosses = (labels[sides.partner[left]] == region).mean() > 0.5 if left.any() and right.any() else False
        if crosses and statistics.kinds[left].mean(axis=0) @ statistics.kinds[right].mean(axis=0) < apart:
            labels[right] = labels.max() + 1
    return labels


def mirror_of(labels: Ints, sides: Symmetry) -> Ints:
    """The mirror image (r,) of each region; the region itself where that is not certain."""
    count = int(labels.max(initial=-1)) + 1
    has = np.flatnonzero(sides.partner >= 0)
    pairs = sp.coo_array((np.ones(len(has)), (labels[has], labels[sides.partner[has]])), shape=(count, count))
    image = pairs.toarray().argmax(axis=1)
    return np.asarray(np.where(image[image] == np.arange(count), image, np.arange(count)))


def evened_sides(weights: sp.csr_array, sides: Symmetry, mirror: Ints) -> sp.csr_array:
    """Weights (r, v) that are exactly the same on both sides, where vertices have partners."""
    has = sides.partner >= 0
    image = sp.csr_array(weights[mirror])[:, np.where(has, sides.partner, 0)]
    return sp.csr_array(weights * np.where(has, 0.5, 1.0) + image * np.where(has, 0.5, 0.0))
