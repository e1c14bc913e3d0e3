"""From slider values to vertex positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, DTypeLike
from scipy.linalg import get_blas_funcs

from facewright.arrays import Floats, Ints, indices
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig

_FEW = 0.5  # below this share of active shapes, only those are read
_SMALL = 16 << 20  # bytes up to which a dense block is faster, however many zeros it has
_ZEROS = 1.5  # a dense block is faster up to so many times the bytes of a sparse one, which names every number's place
_SPARE = 1.25  # shapes that are kept together are used for poses that need nearly as many of them


class Evaluator:
    """A rig prepared for many poses, with its own copy of the deltas, dense or sparse, whichever is read faster."""

    @suggests_options
    def __init__(self, rig: Rig, *, dtype: DTypeLike = np.float64) -> None:
        self.rig = rig
        self.combine = Combine(rig)
        self._neutral = rig.neutral.ravel()
        is_dense = _is_dense(rig, np.dtype(dtype).itemsize)
        self._deltas: _Deltas = _DenseRows(_dense(rig, dtype)) if is_dense else _SparseColumns(_sparse(rig, dtype))
        # Consecutive poses mostly use the same shapes: what two of them used is copied and kept together.
        self._before = _Chosen(np.arange(len(rig.shapes)), len(rig.shapes))
        self._kept: tuple[_Chosen, _Deltas] = self._before, self._deltas

    def __call__(self, weights: Mapping[str, float] | ArrayLike | None = None) -> Floats:
        """Positions (v, 3) for weights (n,) or names to values; (frames, v, 3) for weights (frames, n)."""
        values = self.combine(self.rig.weights(weights))
        moved = self._moved(np.atleast_2d(values))
        if moved.dtype == self._neutral.dtype:
            moved += self._neutral
        else:
            moved = moved + self._neutral
        return moved.reshape(*values.shape[:-1], self.rig.vertex_count, 3)

    def bytes_touched(self, weights: Mapping[str, float] | ArrayLike | None = None) -> int:
        """The least number of bytes that one pose reads and writes: its shapes' offsets, the neutral and the result."""
        active = np.flatnonzero(self.combine(self.rig.weights(weights)))
        stored = sum(len(self.rig.shapes[i].vertices) for i in active) * 3 * self._deltas.dtype.itemsize
        return stored + 2 * self._neutral.nbytes

    def _moved(self, values: Floats) -> Floats:
        """Offsets (frames, 3v) for shape values (frames, s), in an array of their own."""
        used = np.flatnonzero(values[0] if len(values) == 1 else values.any(axis=0))
        if len(used) > _FEW * values.shape[1]:
            return self._deltas.times(values)
        kept, deltas = self._kept
        if kept.has(used):
            return deltas.times(values[:, kept.shapes])
        before, self._before = self._before, _Chosen(used, values.shape[1])
        if len(values) == 1 and isinstance(self._deltas, _DenseRows) and not before.has(used):
            return self._deltas.sum_of(used, values[0, used])
        deltas = self._deltas.only(used)
        self._kept = self._before, deltas
        return deltas.times(values[:, used])


class _Chosen:
    """Some of all shapes."""

    def __init__(self, shapes: Ints, count: int) -> None:
        self.shapes = shapes
        self._is_in = np.zeros(count, bool)
        self._is_in[shapes] = True

    def has(self, used: Ints) -> bool:
        """Whether all that are used are among them, and not many others."""
        return len(used) <= len(self.shapes) <= _SPARE * len(used) + 1 and bool(self._is_in[used].all())


class _Deltas(Protocol):
    """The deltas of some shapes, in one of two layouts."""

    @property
    def dtype(self) -> np.dtype[np.floating]: ...

    def times(self, values: Floats) -> Floats:
        """The sum (frames, 3v) of the shapes at values (frames, s)."""

    def only(self, shapes: Ints) -> _Deltas:
        """A copy of those of some shapes."""


class _DenseRows:
    """Deltas as dense rows (s, 3v)."""

    def __init__(self, rows: Floats) -> None:
        self._rows = rows
        self.dtype: np.dtype[np.floating] = rows.dtype
        self._add = get_blas_funcs("axpy", (rows,)) if rows.dtype in (np.float32, np.float64) else None

    def times(self, values: Floats) -> Floats:
        return values.astype(self.dtype, copy=False) @ self._rows

    def only(self, shapes: Ints) -> _DenseRows:
        return _DenseRows(self._rows[shapes])

    def sum_of(self, shapes: Ints, values: Floats) -> Floats:
        """The sum (1, 3v) of a few rows at values (k,), read where they are."""
        if self._add is None:
            return self.only(shapes).times(values[None])
        moved = np.zeros(self._rows.shape[1], self.dtype)
        for shape, value in zip(shapes, values, strict=True):
            moved = self._add(self._rows[shape], moved, a=value)
        return np.asarray(moved)[None]


class _SparseColumns:
    """Deltas as sparse columns (3v, s)."""

    def __init__(self, columns: sp.csc_array) -> None:
        self._columns = columns
        self.dtype: np.dtype[np.floating] = columns.dtype

    def times(self, values: Floats) -> Floats:
        chosen = values.astype(self.dtype, copy=False)
        if len(chosen) == 1:
            return np.asarray(self._columns @ chosen[0])[None]
        return np.ascontiguousarray((self._columns @ chosen.T).T)

    def only(self, shapes: Ints) -> _SparseColumns:
        starts, stops = self._columns.indptr[shapes], self._columns.indptr[shapes + 1]
        none = slice(0, 0)
        parts = [none, *(slice(*ends) for ends in zip(starts.tolist(), stops.tolist(), strict=True))]
        data, rows = (
            np.concatenate([all_[part] for part in parts]) for all_ in (self._columns.data, self._columns.indices)
        )
        ends = np.concatenate([[0], np.cumsum(stops - starts)]).astype(self._columns.indptr.dtype)
        return _SparseColumns(sp.csc_array((data, rows, ends), shape=(self._columns.shape[0], len(shapes))))


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
    return dense <= max(_SMALL, _ZEROS * stored)


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
