"""Where the head is cut off: along one closed edge loop at the base of the neck, so that the border is clean."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from tools.bake.source import Source

from facewright.arrays import Ints

# Two neighbours on the loop: the lowest but one of those that close without meeting a pole; the lowest flares out.
LOOP_START = (1524, 8206)


def head_quads(source: Source) -> Ints:
    """The faces of the body above the loop."""
    body = source.faces_of("body")
    quads = source.quads[body]
    neighbours = neighbours_of(quads)
    border = set(edge_loop(quads, neighbours, *LOOP_START))
    crown = int(np.argmax(source.rest[np.unique(quads), 1]))
    inside = np.zeros(len(source.rest), bool)
    inside[list(_reached(int(np.unique(quads)[crown]), neighbours, border))] = True
    return np.asarray(body[inside[quads].all(axis=1)])


def neighbours_of(quads: Ints) -> dict[int, set[int]]:
    """Which vertices each vertex shares an edge with."""
    neighbours: dict[int, set[int]] = defaultdict(set)
    for a, b in np.stack([quads, np.roll(quads, -1, axis=1)], axis=2).reshape(-1, 2).tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    return neighbours


def edge_loop(quads: Ints, neighbours: dict[int, set[int]], first: int, second: int) -> list[int]:
    """The closed loop that leaves each vertex by the edge opposite to the one it came by."""
    faces: dict[int, set[int]] = defaultdict(set)
    for face, quad in enumerate(quads.tolist()):
        for vertex in quad:
            faces[vertex].add(face)
    loop = [first, second]
    while True:
        a, b = loop[-2:]
        beside = faces[a] & faces[b]
        ahead = [c for c in neighbours[b] if c != a and not (faces[b] & faces[c] & beside)]
        if len(ahead) != 1:
            raise ValueError(f"the edge loop ends at vertex {b}, which has {len(neighbours[b])} neighbours")
        if ahead[0] == first:
            return loop
        loop.append(ahead[0])


def _reached(start: int, neighbours: dict[int, set[int]], border: set[int]) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        vertex = waiting.pop()
        new = neighbours[vertex] - seen
        seen |= new
        waiting += new - border
    return seen
