"""The order in a strip of quads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

from facewright.arrays import Floats, Ints


def band_grid(quads: Ints, rest: Floats) -> Ints:
    """A band's vertices (along, across): along the jaw from -x to +x, across from its outer corner to its inner one."""
    corners = np.flatnonzero(np.bincount(quads.ravel()) == 1)
    outer, inner = sorted((c for c in corners.tolist() if rest[c, 0] < 0), key=lambda c: float(rest[c, 0]))
    columns, unused = [_path(quads, outer, inner)], {tuple(quad) for quad in quads.tolist()}
    while unused:
        following = dict[int, int]()
        for i, (a, b) in enumerate(pairwise(columns[-1])):
            quad = next(quad for quad in unused if a in quad and b in quad)
            unused.remove(quad)
            following |= {i: _beside(quad, a, b), i + 1: _beside(quad, b, a)}
        columns.append([following[i] for i in sorted(following)])
    return np.array(columns)


def _path(quads: Ints, start: int, end: int) -> list[int]:
    """The shortest way along edges: between two corners of one end, that end."""
    edges = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2).reshape(-1, 2)
    size = int(quads.max()) + 1
    graph = coo_array((np.ones(len(edges)), edges.T), shape=(size, size))
    before = shortest_path(graph, directed=False, unweighted=True, indices=start, return_predecessors=True)[1]
    path = [end]
    while path[-1] != start:
        path.append(int(before[path[-1]]))
    return path[::-1]


def _beside(quad: Sequence[int], vertex: int, other: int) -> int:
    """The neighbour of a vertex in a quad that is not the other one."""
    at = quad.index(vertex)
    return next(v for v in (quad[at - 1], quad[(at + 1) % 4]) if v != other)
