"""The rig's deltas by coordinate: how shapes and sliders move a few points, or the whole face."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.terms.pin import Points

_CHUNK = 4096  # vertices that are made dense at a time
_SPARSE = 0.25  # share of non-zeros below which a sparse product is faster


class DeltaMatrix:
    """A rig's deltas as a sparse matrix (3v, s), built once for a rig."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.combine = Combine(rig)
        self.is_linear = rig.is_linear
        self._by_coordinate = _by_coordinate(rig)  # (3v, s)

    def rows(self, points: Points) -> Floats:
        """Offsets (k, 3, s) of surface points in every shape."""
        return np.asarray(np.einsum("kc,kcas->kas", points.mix, self.at_vertices(points.vertices)))

    def coordinates(self, chosen: Ints) -> Floats:
        """Rows (k, s) of chosen coordinates 3 * vertex + axis."""
        return np.asarray(self._by_coordinate[chosen].toarray())

    def amount(self, at: Floats) -> Floats:
        """How much each slider moves the face about the pose `at`: (n,) length of its column, scene units."""
        return self._linear_amount if self.is_linear else self._amount(at)

    @cached_property
    def _linear_amount(self) -> Floats:
        return self._amount(self.rig.weights())

    def _amount(self, at: Floats) -> Floats:
        columns = self._by_coordinate @ self.combine.slopes(at)
        return np.asarray(np.sqrt(columns.multiply(columns).sum(axis=0))).ravel()

    @cached_property
    def furthest(self) -> Floats:
        """How far each slider alone moves the point that it moves most: (n,), scene units per slider unit."""
        per_unit = self.peaks / np.array([abs(each.at[0]) for each in self.rig.shapes], np.float64)
        found = np.zeros(len(self.rig.sliders))
        shapes, sliders = self.alone.nonzero()
        np.maximum.at(found, sliders, per_unit[shapes])
        return found

    @cached_property
    def peaks(self) -> Floats:
        """How far each shape moves the point that it moves most: (s,), scene units."""
        most = [np.linalg.norm(each.offsets, axis=1).max(initial=0.0) for each in self.rig.shapes]
        return np.array(most, np.float64)

    @cached_property
    def drives(self) -> sp.csr_array:
        """1 for each shape that a slider takes part in: (s, n)."""
        column = {name: i for i, name in enumerate(self.rig.sliders)}
        taking = [column[name] for shape in self.rig.shapes for name in shape.sliders]
        starts = np.cumsum([0, *(len(shape.sliders) for shape in self.rig.shapes)])
        size = (len(self.rig.shapes), len(self.rig.sliders))
        return sp.csr_array((np.ones(len(taking), np.int64), np.array(taking, np.int64), starts), shape=size)

    @cached_property
    def alone(self) -> sp.csr_array:
        """The same as `drives` without combinations: 1 where a slider drives a shape alone."""
        single = np.array([not shape.is_combination for shape in self.rig.shapes], np.int64)
        return sp.csr_array(self.drives.multiply(single[:, None]))

    def gram(self, at: Floats) -> Floats:
        """D^T D (n, n) of the sliders about the pose `at`."""
        slopes = self.combine.jacobian(at)
        return np.asarray(slopes.T @ self.shape_gram @ slopes)

    @cached_property
    def shape_gram(self) -> Floats:
        """D^T D (s, s) of the shapes."""
        D = self._by_coordinate
        if D.nnz < _SPARSE * np.prod(D.shape):
            return np.asarray((D.T @ D).toarray())
        gram = np.zeros((D.shape[1], D.shape[1]))
        for start in range(0, D.shape[0], 3 * _CHUNK):
            block = D[start : start + 3 * _CHUNK].toarray()
            gram += block.T @ block
        return gram

    def at_vertices(self, vertices: Ints) -> Floats:
        """Offsets (..., 3, s) of vertices (...) in every shape."""
        chosen = (vertices[..., None] * 3 + np.arange(3)).ravel()
        return self.coordinates(chosen).reshape(*vertices.shape, 3, len(self.rig.shapes))


def _by_coordinate(rig: Rig) -> sp.csr_array:
    counts = [3 * len(shape.vertices) for shape in rig.shapes]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    empty = np.zeros(0)
    rows = [(shape.vertices[:, None] * 3 + np.arange(3)).ravel() for shape in rig.shapes]
    values = np.concatenate([empty, *(shape.offsets.ravel() for shape in rig.shapes)])
    shape = (3 * rig.vertex_count, len(rig.shapes))
    return sp.csr_array(sp.csc_array((values, np.concatenate([empty.astype(np.int64), *rows]), starts), shape=shape))
