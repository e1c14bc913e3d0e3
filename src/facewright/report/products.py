"""Inner products of all shapes and of all sliders, computed for a few vertices at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig

_CHUNK = 1024  # vertices; neighbouring vertices are moved by the same few shapes, so that a block has few columns


@dataclass(frozen=True, eq=False)
class Products:
    """Sums over all vertices p, of shapes' offsets d at 1 and of motions m of single sliders from rest to their full
    value.
    """

    shapes: Floats  # (s, s) sum of d_i . d_j
    sliders: Floats  # (n, n) sum of m_i . m_j
    lengths: Floats  # (n, n) sum of |m_i| |m_j|
    squares: Floats  # (n, n) sum of |m_i|^2 |m_j|^2
    reach: Floats  # (n,) the largest |m_i|, scene units


def full_values(rig: Rig) -> Floats:
    """Each slider's value (n,) furthest from 0 within its bounds; the higher one of two equals."""
    low, high = rig.bounds.T
    return np.asarray(np.where(np.abs(low) > np.abs(high), low, high))


def products(rig: Rig) -> Products:
    """All inner products. Memory is that of the matrices and of one block; vertices that a shape does not move cost
    nothing.
    """
    s, n = len(rig.shapes), len(rig.sliders)
    shapes = np.zeros((s, s))
    sums = np.zeros((3, n, n))
    reach = np.zeros(n)
    # (n, s) shape values of each slider at its full value
    bring = sp.csr_array(Combine(rig)(np.diag(full_values(rig))))
    for active, block in _blocks(rig):
        shapes[np.ix_(active, active)] += _gram(block.reshape(len(active), -1))
        moving, motion = _slider_block(bring, active, block)
        lengths = np.linalg.norm(motion, axis=2)
        reach[moving] = np.maximum(reach[moving], lengths.max(axis=1, initial=0.0))
        for total, field in zip(sums, (motion.reshape(len(moving), -1), lengths, lengths**2), strict=True):
            total[np.ix_(moving, moving)] += _gram(field)
    return Products(shapes, sums[0], sums[1], sums[2], reach)


def _gram(rows: Floats) -> Floats:
    return np.asarray(rows @ rows.T)


def _slider_block(bring: sp.csr_array, active: Ints, block: Floats) -> tuple[Ints, Floats]:
    """The sliders (k,) that move a block's vertices, and their motion (k, c, 3)."""
    used = bring[:, active]
    moving = np.flatnonzero(np.diff(used.indptr))
    motion = used[moving] @ block.reshape(len(active), -1)
    return moving, np.asarray(motion).reshape(len(moving), -1, 3)


def _blocks(rig: Rig) -> Iterator[tuple[Ints, Floats]]:
    """The shapes (k,) that move each block of consecutive vertices, and their offsets (k, c, 3) there."""
    edges = np.arange(0, rig.vertex_count + _CHUNK, _CHUNK)
    ranges = np.array([np.searchsorted(shape.vertices, edges) for shape in rig.shapes]).reshape(-1, len(edges))
    for i, start in enumerate(edges[:-1]):
        active = np.flatnonzero(ranges[:, i + 1] > ranges[:, i])
        if len(active) == 0:
            continue
        block = np.zeros((len(active), min(_CHUNK, rig.vertex_count - start), 3))
        for row, at in zip(block, active, strict=True):
            inside = slice(*ranges[at, i : i + 2])
            row[rig.shapes[at].vertices[inside] - start] = rig.shapes[at].offsets[inside]
        yield active, block


def slider_motion(rig: Rig, name: str) -> Floats:
    """Motion (v, 3) of all vertices from rest, for one slider alone at its full value, in scene units."""
    at = rig.slider_index(name)
    values = Combine(rig)(np.where(np.arange(len(rig.sliders)) == at, full_values(rig), 0.0))
    motion = np.zeros((rig.vertex_count, 3))
    for i in np.flatnonzero(values):
        motion[rig.shapes[i].vertices] += values[i] * rig.shapes[i].offsets
    return motion


def activity(rig: Rig) -> Floats:
    """Root of the sum of squared motions (v,) of each vertex over all single sliders, in scene units."""
    brought = np.abs(Combine(rig)(np.diag(full_values(rig)))).max(axis=0, initial=0.0)  # (s,)
    squares = np.zeros(rig.vertex_count)
    for shape, value in zip(rig.shapes, brought, strict=True):
        squares[shape.vertices] += value**2 * (shape.offsets**2).sum(axis=1)
    return np.asarray(np.sqrt(squares))
