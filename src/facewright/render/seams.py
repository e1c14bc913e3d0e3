"""Vertices that are copies of one point of the surface."""

import numpy as np

from facewright.arrays import Floats, Ints


def copies(positions: Floats) -> Ints:
    """For each vertex (v,) one vertex at exactly the same place: a seam in the UVs splits a point into several."""
    order = np.lexsort(positions.T)
    placed = positions[order]
    new = np.ones(len(positions), bool)
    new[1:] = (placed[1:] != placed[:-1]).any(axis=1)
    same = np.empty(len(positions), np.int64)
    same[order] = order[np.flatnonzero(new)[np.cumsum(new) - 1]]
    return same
