"""Contacts of lids and lips: points that are apart in the template and touch in a shape. They are kept on the target.

A shape may close what is open at rest (a blink), or what another shape opens (lips closed over an open jaw). A contact
is a vertex and the point of a triangle that it touches. The target gets the same small gap as the template.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.errors import UnknownName
from facewright.mesh.closest import nearest_in_triangle
from facewright.mesh.topology import Topology, edge_lengths
from facewright.rig.names import canonical_name, group_of
from facewright.rig.rig import Rig
from facewright.solve.threads import on_threads

# In lengths of the edges at the vertex:
_TOUCH = 0.35  # a gap below this is closed
_NEAR = 1.2  # vertices further apart than this are not in contact
_OPEN = 1.5  # a gap above this is open
_CLOSING = ("blink", "wink", "clos", "shut")


@dataclass(frozen=True, eq=False)
class Contacts:
    """The contacts of one shape, or of one shape on top of the shape that opens what it closes."""

    shape: int
    opener: int | None
    difference: sp.csr_array  # (c, v) a vertex minus the point that it touches
    gaps: Floats  # (c, 3) the gap between them in the template


def contacts(template: Rig, closing: Mapping[str, str | None] | None = None) -> tuple[Contacts, ...]:
    """All contacts of a template.

    closing: the shapes that close something, each with the shape that opens it, or None if it is open at rest; by
    default
    those of `closing_shapes`.
    """
    if not len(template.triangles):
        return ()
    chosen = closing_shapes(template) if closing is None else closing
    search = _Search(template)
    indices = [_indices(template, name, opener) for name, opener in chosen.items()]
    found = on_threads(lambda both: search.contacts(*both), indices)
    return tuple(one for one in found if len(one.gaps))


def closing_shapes(template: Rig) -> dict[str, str | None]:
    """Shapes whose names say that they close something (eyeBlinkLeft, mouthClose, eye-left-closure), with what opens
    it.

    Returns the name of the closing shape to the name of the opening shape, or to None where it is open at rest.
    """
    names = [shape.name for shape in template.shapes if not shape.is_combination]
    opening = [name for name in names if _says(name, ("open",)) and group_of(name) in ("jaw", "mouth")]
    lips = [name for name in names if _says(name, _CLOSING) and group_of(name) in ("jaw", "mouth")]
    lids = [name for name in names if _says(name, _CLOSING) and group_of(name) == "eye"]
    return dict.fromkeys(lids) | (dict.fromkeys(lips, opening[0]) if opening else {})


def _says(name: str, words: tuple[str, ...]) -> bool:
    return any(word in text.lower() for word in words for text in (name, canonical_name(name)))


def _indices(template: Rig, name: str, opener: str | None) -> tuple[int, int | None]:
    at = {shape.name: i for i, shape in enumerate(template.shapes)}
    for wanted in (name, opener):
        if wanted is not None and wanted not in at:
            raise UnknownName("shape", wanted, at)
    return at[name], None if opener is None else at[opener]


@dataclass(frozen=True, eq=False)
class _Pairs:
    vertices: Ints  # (c,)
    corners: Ints  # (c, 3) of the triangle that each vertex touches
    barycentric: Floats  # (c, 3)

    def gaps(self, positions: Floats) -> Floats:
        """Vectors (c, 3) from the touched points to the vertices."""
        touched = np.einsum("ck,cka->ca", self.barycentric, positions[self.corners])
        return np.asarray(positions[self.vertices] - touched)


class _Search:
    """Finds the contacts of a template."""

    def __init__(self, template: Rig) -> None:
        topology = Topology(template.polygons, template.vertex_count)
        lengths = edge_lengths(template.neutral, topology.edges)
        ends, v = topology.edges.ravel(), template.vertex_count
        total = np.bincount(ends, np.repeat(lengths, 2), minlength=v)
        # (v,) mean length of the edges at each vertex
        self._edge = total / np.maximum(np.bincount(ends, minlength=v), 1)
        self._rest, self._shapes = template.neutral, template.shapes
        self._triangles, self._pieces = template.triangles, topology.pieces
        corners = self._triangles.ravel()
        self._at_vertex = np.argsort(corners, kind="stable") // 3  # triangles, vertex by vertex
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(corners, minlength=v))])

    def _closing(self, open: Floats, closed: Floats) -> _Pairs:
        """Vertices that touch a triangle of their own connected piece in one pose and are far from it in the other."""
        moved = np.flatnonzero((open != closed).any(axis=1))
        near = list(cKDTree(closed).query_ball_point(closed[moved], _NEAR * self._edge[moved])) if len(moved) else []
        counts = np.array([len(some) for some in near], np.int64)
        one = np.repeat(moved, counts)
        other = np.concatenate([np.asarray(some, np.int64) for some in near]) if len(one) else np.zeros(0, np.int64)
        both = np.concatenate([np.stack([one, other], 1), np.stack([other, one], 1)])
        apart = np.linalg.norm(open[both[:, 0]] - open[both[:, 1]], axis=1) > _OPEN * self._edge[both[:, 0]]
        same = self._pieces[both[:, 0]] == self._pieces[both[:, 1]]
        return self._nearest(np.unique(both[apart & same], axis=0), open, closed)

    def _nearest(self, pairs: Ints, open: Floats, closed: Floats) -> _Pairs:
        """For each vertex, the nearest point of the triangles around the vertices that it came near to."""
        first, end = self._starts[pairs[:, 1]], self._starts[pairs[:, 1] + 1]
        counts = end - first
        vertices = np.repeat(pairs[:, 0], counts)
        rows = self._at_vertex[np.arange(counts.sum()) + np.repeat(end - np.cumsum(counts), counts)]
        barycentric = nearest_in_triangle(closed[vertices], closed[self._triangles[rows]])
        found = _Pairs(vertices, self._triangles[rows], barycentric)
        gap = np.linalg.norm(found.gaps(closed), axis=1)
        is_open = np.linalg.norm(found.gaps(open), axis=1) > _OPEN * self._edge[vertices]
        order = np.lexsort((gap, vertices))
        order = order[(is_open & (gap < _TOUCH * self._edge[vertices]))[order]]
        best = order[np.unique(vertices[order], return_index=True)[1]]
        return _Pairs(vertices[best], found.corners[best], barycentric[best])

    def contacts(self, shape: int, opener: int | None) -> Contacts:
        """The contacts of a shape, alone or on top of the shape that opens it."""
        open = self._rest if opener is None else self._posed(opener)
        closed = open + self._posed(shape) - self._rest
        pairs = self._closing(open, closed)
        count, rows = len(pairs.vertices), np.arange(len(pairs.vertices))
        data = np.concatenate([np.ones(count), -pairs.barycentric.ravel()])
        at = np.concatenate([rows, np.repeat(rows, 3)]), np.concatenate([pairs.vertices, pairs.corners.ravel()])
        difference = sp.csr_array((data, at), shape=(count, len(self._edge)))
        return Contacts(shape, opener, difference, pairs.gaps(closed))

    def _posed(self, shape: int) -> Floats:
        return np.asarray(self._rest + self._shapes[shape].dense(len(self._rest)))
