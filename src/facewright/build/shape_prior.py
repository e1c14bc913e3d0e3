"""Priors of the target's shapes, taken from the template: the wanted edges of each triangle, and how firmly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.mesh.triangle_frames import edge_pairs, frames
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

KAPPA = 0.1
THETA = 2.0
STILL = 1e-7  # of the template's size: a vertex that a shape moves less counts as not moved


@dataclass(frozen=True, eq=False)
class ShapePrior:
    """The prior of one shape on the target."""

    moved: Ints  # (k,) vertices, increasing; all others are fixed
    triangles: Ints  # (t,) rows of the usable triangles that have a moved vertex, increasing
    corners: Ints  # (t, 3) of these triangles, as rows of the moved vertices; k for fixed ones
    changes: Floats  # (t, 3, 3) G - I, for the gradients G of these triangles in the template
    edges: Floats  # (t, 2, 3) change of both edges of these triangles in the template
    firmness: Floats  # (t,) w of Li 2010: the cost of a difference from these edges

    def edges_of(self, offsets: Floats) -> Floats:
        """Changes (t, 2, 3) of both edges of these triangles, for offsets (k, 3) of the moved vertices."""
        return edge_pairs(np.concatenate([offsets, np.zeros((1, 3))]), self.corners)


class ShapePriors:
    """Prepared for the priors of all shapes of a template on a target (v, 3) in the template's coordinates."""

    def __init__(self, template: Rig, target: Floats, triangles: Ints) -> None:
        self._template = template
        least = STILL * template.size
        self._kept = [np.linalg.norm(shape.offsets, axis=1) > least for shape in template.shapes]
        is_moved = np.zeros((template.vertex_count, len(template.shapes)), bool)
        for i, (shape, kept) in enumerate(zip(template.shapes, self._kept, strict=True)):
            is_moved[shape.vertices[kept], i] = True
        moves = np.logical_or.reduce([is_moved[corner] for corner in triangles.T])  # (t, s)
        order = by_sets(moves)
        self.triangles = triangles[order]  # (t, 3) as given, those that the same shapes move together
        self._moves = np.ascontiguousarray(moves[order].T)
        self._back = np.linalg.inv(frames(template.neutral, self.triangles))
        self._edges = edge_pairs(target, self.triangles)

    def __call__(self, i: int) -> ShapePrior:
        """The prior of a shape; its triangles are rows of `triangles`."""
        shape, kept, neutral = self._template.shapes[i], self._kept[i], self._template.neutral
        moved, at, posed = shape.vertices[kept], np.flatnonzero(self._moves[i]), neutral.copy()
        posed[moved] += shape.offsets[kept]
        corners = self.triangles[at]
        change = frames(posed, corners) @ self._back[at] - np.eye(3)
        edges = self._edges[at] @ change.swapaxes(1, 2)
        corners = among(moved, corners, len(neutral))
        return ShapePrior(moved, at, corners, change, edges, firmness(np.linalg.norm(change, axis=(1, 2))))


def among(moved: Ints, corners: Ints, count: int) -> Ints:
    """Corners (t, 3) as rows of the moved vertices (k,), of so many in all; k for others."""
    number = np.full(count, len(moved))
    number[moved] = np.arange(len(moved))
    return np.asarray(number[corners])


def by_sets(moves: NDArray[np.bool_]) -> Ints:
    """The order (t,) that brings triangles together that as many shapes move, and of these those that the same shapes
    move; moves (t, s): whether a shape moves a triangle.
    """
    return np.lexsort((*np.packbits(moves, axis=1).T, moves.sum(axis=1)))


def firmness(change: Floats) -> Floats:
    """((1 + x) / (kappa + x))^theta of Li 2010, for the norm x of a gradient's change, which has no unit."""
    return np.asarray(((1 + change) / (KAPPA + change)) ** THETA)


def carried(shape: Shape, vertices: Ints, template: Floats, target: Floats) -> Floats:
    """How far (3,) the centre of a loose piece moves in a shape that moves all of it.

    The motion of a piece that rotates more than it moves, such as an eye, is scaled by the piece's own size; that of a
    piece that moves with others, such as teeth with the jaw, by the size of all that moves.
    """
    offsets = shape.dense(len(template))[vertices]
    along = vertices if turns(offsets) else shape.vertices
    before, after = _spread(template[along]), _spread(target[along])
    return np.asarray(offsets.mean(axis=0) * (after / before if before > 0 else 1.0))


def turns(offsets: Floats) -> bool:
    """Whether offsets (k, 3) rotate a loose piece more than they move it."""
    middle = offsets.mean(axis=0)
    return bool(np.sqrt(((offsets - middle) ** 2).sum(axis=1).mean()) > np.linalg.norm(middle))


def _spread(points: Floats) -> float:
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))
