"""Priors of the target's shapes, taken from the template: the wanted edges of each triangle, and how firmly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.triangle_frames import edge_pairs, gradients
from facewright.rig.shape import Shape

KAPPA = 0.1
THETA = 2.0
STILL = 1e-7  # of the template's size: a vertex that a shape moves less counts as not moved


@dataclass(frozen=True, eq=False)
class ShapePrior:
    """The prior of one shape on the target."""

    moved: Ints  # (k,) vertices, increasing; all others are fixed
    triangles: Ints  # (t,) rows of the usable triangles that have a moved vertex
    changes: Floats  # (t, 3, 3) G - I, for the gradients G of these triangles in the template
    edges: Floats  # (t, 2, 3) change of both edges of these triangles in the template
    firmness: Floats  # (t,) w of Li 2010: the cost of a difference from these edges


def prior_of(shape: Shape, template: Floats, target: Floats, triangles: Ints) -> ShapePrior:
    """The prior of a shape of the template (v, 3) on the target (v, 3), both in the template's coordinates."""
    size = float(np.linalg.norm(np.ptp(template, axis=0))) if len(template) else 0.0
    kept = np.linalg.norm(shape.offsets, axis=1) > STILL * size
    moved, offsets = shape.vertices[kept], shape.offsets[kept]
    is_moved, posed = np.zeros(len(template), bool), template.copy()
    is_moved[moved] = True
    posed[moved] += offsets
    at = np.flatnonzero(is_moved[triangles].any(axis=1))
    change = gradients(template, posed, triangles[at]) - np.eye(3)
    edges = edge_pairs(target, triangles[at]) @ change.swapaxes(1, 2)
    return ShapePrior(moved, at, change, edges, firmness(np.linalg.norm(change, axis=(1, 2))))


def firmness(change: Floats) -> Floats:
    """((1 + x) / (kappa + x))^theta of Li 2010, for the norm x of a gradient's change, which has no unit."""
    return np.asarray(((1 + change) / (KAPPA + change)) ** THETA)


def carried(shape: Shape, vertices: Ints, template: Floats, target: Floats) -> Floats:
    """How far (3,) the centre of a loose piece moves in a shape that moves all of it.

    The motion of a piece that rotates more than it moves, such as an eye, is scaled by the piece's own size; that of a
    piece that moves with others, such as teeth with the jaw, by the size of all that moves.
    """
    offsets = shape.dense(len(template))[vertices]
    middle = offsets.mean(axis=0)
    turns = np.sqrt(((offsets - middle) ** 2).sum(axis=1).mean())
    along = vertices if turns > np.linalg.norm(middle) else shape.vertices
    before, after = _spread(template[along]), _spread(target[along])
    return np.asarray(middle * (after / before if before > 0 else 1.0))


def _spread(points: Floats) -> float:
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))
