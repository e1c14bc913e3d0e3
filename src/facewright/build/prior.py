"""What the template says about every shape of the target: the wanted edges of each triangle, and how firmly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.triangle_frames import edge_pairs, gradients
from facewright.rig.shape import Shape

KAPPA = 0.1
THETA = 2.0
STILL = 1e-7  # of the template's size: a vertex that a shape moves less is one that it leaves alone


@dataclass(frozen=True, eq=False)
class Prior:
    """One shape as the template would have it on the target."""

    moved: Ints  # (k,) vertices, increasing; all others stay where they are
    triangles: Ints  # (t,) rows of the usable triangles that have a moved vertex
    edges: Floats  # (t, 2, 3) change of both edges of these triangles, as the template has it
    firmness: Floats  # (t,) Li 2010's w: how much it costs to differ from that


def prior_of(shape: Shape, template: Floats, target: Floats, triangles: Ints) -> Prior:
    """The prior for one shape of the template (v, 3) on the target (v, 3), which lies as the template does."""
    size = float(np.linalg.norm(np.ptp(template, axis=0))) if len(template) else 0.0
    kept = np.linalg.norm(shape.offsets, axis=1) > STILL * size
    moved, offsets = shape.vertices[kept], shape.offsets[kept]
    is_moved, posed = np.zeros(len(template), bool), template.copy()
    is_moved[moved] = True
    posed[moved] += offsets
    at = np.flatnonzero(is_moved[triangles].any(axis=1))
    change = gradients(template, posed, triangles[at]) - np.eye(3)
    edges = edge_pairs(target, triangles[at]) @ change.swapaxes(1, 2)
    return Prior(moved, at, edges, firmness(np.linalg.norm(change, axis=(1, 2))))


def firmness(change: Floats) -> Floats:
    """Li 2010's ((1 + x) / (kappa + x))^theta, for the size x of a gradient's change, which has no unit."""
    return np.asarray(((1 + change) / (KAPPA + change)) ** THETA)


def carried(shape: Shape, vertices: Ints, template: Floats, target: Floats) -> Floats:
    """How far (3,) the middle of a loose piece goes with a shape that moves all of it.

    What turns more than it travels, as an eye, is sized by itself; what is carried, as teeth by the jaw, by all that
    moves along.
    """
    offsets = shape.dense(len(template))[vertices]
    middle = offsets.mean(axis=0)
    turns = np.sqrt(((offsets - middle) ** 2).sum(axis=1).mean())
    along = vertices if turns > np.linalg.norm(middle) else shape.vertices
    before, after = _spread(template[along]), _spread(target[along])
    return np.asarray(middle * (after / before if before > 0 else 1.0))


def _spread(points: Floats) -> float:
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))
