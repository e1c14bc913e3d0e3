"""From slider values to vertex positions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, DTypeLike

from facewright.arrays import Floats, Ints, indices
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig

Deltas = Floats | sp.csc_array  # (s, 3v) dense, or (3v, s) by columns
_FEW = 0.5  # below this share of active shapes, only those are read
_SMALL = 16 << 20  # bytes up to which a dense block is faster, however many zeros it has


class Evaluator:
    """A rig prepared for many poses, with its own copy of the deltas, dense or sparse, whichever is smaller."""

    @suggests_options
    def __init__(self, rig: Rig, *, dtype: DTypeLike = np.float64) -> None:
        self.rig = rig
        self.combine = Combine(rig)
        self._neutral = rig.neutral.ravel()
        self._deltas = _dense(rig, dtype) if _is_dense(rig, np.dtype(dtype).itemsize) else _sparse(rig, dtype)
        # Consecutive poses mostly use the same shapes, so that their deltas are kept together.
        self._lately: tuple[Ints, Deltas] = np.arange(len(rig.shapes)), self._deltas

    def __call__(self, weights: Mapping[str, float] | ArrayLike | None = None) -> Floats:
        """Positions (v, 3) for weights (n,) or names to values; (frames, v, 3) for weights (frames, n)."""
        values = self.combine(self.rig.weights(weights))
        moved = self._moved(np.atleast_2d(values)) + self._neutral
        return moved.reshape(*values.shape[:-1], self.rig.vertex_count, 3)

    def bytes_touched(self, weights: Mapping[str, float] | ArrayLike | None = None) -> int:
        """The least number of bytes that one pose reads and writes: its shapes' deltas, the neutral and the result."""
        active = np.flatnonzero(self.combine(self.rig.weights(weights)))
        if isinstance(self._deltas, np.ndarray):
            deltas = int(self._deltas[0].nbytes * len(active))
        else:
            deltas = int(np.diff(self._deltas.indptr)[active].sum() * (self._deltas.dtype.itemsize + 4))
        return deltas + 2 * self._neutral.nbytes

    def _moved(self, values: Floats) -> Floats:
        """Offsets (frames, 3v) for shape values (frames, s)."""
        used = np.flatnonzero(values.any(axis=0))
        if len(used) > _FEW * values.shape[1]:
            used, deltas = np.arange(values.shape[1]), self._deltas
        else:
            deltas = self._only(used)
        chosen = values[:, used].astype(deltas.dtype)
        if isinstance(deltas, np.ndarray):
            return chosen @ deltas
        return np.asarray(deltas @ chosen[0])[None] if len(chosen) == 1 else np.asarray((deltas @ chosen.T).T)

    def _only(self, shapes: Ints) -> Deltas:
        before, deltas = self._lately
        if not np.array_equal(before, shapes):
            deltas = self._deltas[shapes] if isinstance(self._deltas, np.ndarray) else self._deltas[:, shapes]
            self._lately = shapes, deltas
        return deltas


def evaluate(rig: Rig, weights: Mapping[str, float] | ArrayLike | None = None) -> Floats:
    """Positions (v, 3) for one pose, given as (n,) or as names to values; (frames, v, 3) for weights (frames, n)."""
    return Evaluator(rig)(weights)


def jacobian(
    rig: Rig, weights: Mapping[str, float] | ArrayLike | None = None, vertices: ArrayLike | None = None
) -> Floats:
    """Derivative (k, 3, n) of the chosen vertices' positions (by default all) by the slider values, at one pose."""
    chosen = np.arange(rig.vertex_count) if vertices is None else vertices
    chosen = indices("vertices", chosen, (None,), below=rig.vertex_count)
    slopes = Combine(rig).jacobian(rig.pose(weights))
    return np.asarray(np.tensordot(delta_rows(rig, chosen), slopes, axes=(0, 0)))


def delta_rows(rig: Rig, vertices: Ints) -> Floats:
    """Offsets (s, k, 3) of the chosen vertices in every shape."""
    rows = np.zeros((len(rig.shapes), len(vertices), 3))
    for row, shape in zip(rows, rig.shapes, strict=True):
        if len(shape.vertices):
            at = np.minimum(np.searchsorted(shape.vertices, vertices), len(shape.vertices) - 1)
            found = shape.vertices[at] == vertices
            row[found] = shape.offsets[at[found]]
    return rows


def _is_dense(rig: Rig, itemsize: int) -> bool:
    dense = len(rig.shapes) * rig.vertex_count * 3 * itemsize
    stored = sum(len(shape.vertices) for shape in rig.shapes) * 3 * (itemsize + 4)
    return dense <= max(_SMALL, stored)


def _dense(rig: Rig, dtype: DTypeLike) -> Floats:
    block = np.zeros((len(rig.shapes), rig.vertex_count, 3), dtype)
    for row, shape in zip(block, rig.shapes, strict=True):
        row[shape.vertices] = shape.offsets
    return block.reshape(len(rig.shapes), 3 * rig.vertex_count)


def _sparse(rig: Rig, dtype: DTypeLike) -> sp.csc_array:
    """The (3v, s) delta matrix by columns, so that single shapes can be read without the others."""
    counts = [3 * len(shape.vertices) for shape in rig.shapes]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    rows, values = np.empty(starts[-1], np.int32), np.empty(starts[-1], dtype)
    for shape, start, stop in zip(rig.shapes, starts[:-1], starts[1:], strict=True):
        rows[start:stop] = (shape.vertices[:, None] * 3 + np.arange(3)).ravel()
        values[start:stop] = shape.offsets.ravel()
    return sp.csc_array((values, rows, starts), shape=(3 * rig.vertex_count, len(rig.shapes)))
