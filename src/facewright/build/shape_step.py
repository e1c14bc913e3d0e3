"""Step A: shapes from weights, triangle by triangle (Li 2010, sec. 3).

Y is the difference of a shape's edges from the prior's, A (m, s) the shape values of the poses, and R the residual of
the poses after the priors: min |R - A Y|^2 + beta sum w |Y|^2. The solution Y = W^-1 A^T (A W^-1 A^T + beta I)^-1 R
needs an (m, m) system for each triangle, or an (s, s) system if there are more poses than shapes that move it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.build.shape_prior import ShapePrior
from facewright.solve.threads import on_threads

_NUMBERS = 1 << 20  # numbers in one block of systems, so that they stay in the cache
_ROOM = 4  # triangles that up to this part more shapes move are in one block

R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Entries:
    """All priors together: one entry for each triangle and each shape that moves one of its vertices, sorted by
    triangle.
    """

    triangles: Ints  # (e,) increasing
    shapes: Ints  # (e,)
    changes: Floats  # (e, 3, 3) of gradients: what a shape does to any edge
    wanted: Floats  # (e, 6) edges
    softness: Floats  # (e,) 1 / w
    starts: Ints  # (t + 1,) first entry of each triangle
    of_shape: tuple[Ints, ...]  # rows (t_i,) of each shape, in the order of its prior's triangles

    @classmethod
    def of(cls, priors: Sequence[ShapePrior], triangle_count: int) -> Entries:
        """The entries of all priors."""
        triangles = _joined([prior.triangles for prior in priors], np.int64)
        shapes = np.repeat(np.arange(len(priors)), [len(prior.triangles) for prior in priors])
        order = np.argsort(triangles, kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        ends = np.cumsum([len(prior.triangles) for prior in priors])
        starts = np.concatenate([[0], np.cumsum(np.bincount(triangles, minlength=triangle_count))])
        wanted = _joined([prior.edges.reshape(-1, 6) for prior in priors], np.float64).reshape(-1, 6)
        softness = 1 / _joined([prior.firmness for prior in priors], np.float64)
        changes = _joined([prior.changes for prior in priors], np.float64).reshape(-1, 3, 3)
        rows = tuple(np.split(place, ends[:-1])) if len(priors) else ()
        return cls(triangles[order], shapes[order], changes[order], wanted[order], softness[order], starts, rows)


def ridge(values: Floats, softness: Floats, residual: Floats, beta: float, present: Floats | None = None) -> Floats:
    """Y (t, s, c) for shape values (m, s) or (t, m, s), softness (t, s) and residuals (t, m, c) of the poses.

    present: how much each pose counts in each triangle (t, m), from 0 to 1; by default fully.
    """
    soft = np.sqrt(softness)[:, :, None]
    scaled = values * soft.swapaxes(1, 2)  # (t, m, s)
    if present is not None:
        shown = np.sqrt(present)[:, :, None]
        scaled, residual = shown * scaled, shown * residual
    m, s = scaled.shape[1:]
    turned = scaled.swapaxes(1, 2)
    if m <= s:
        return np.asarray(soft * (turned @ np.linalg.solve(scaled @ turned + beta * np.eye(m), residual)))
    return np.asarray(soft * np.linalg.solve(turned @ scaled + beta * np.eye(s), turned @ residual))


def solve_edges(
    entries: Entries, values: Floats, motions: Floats, beta: float, present: Floats | None = None
) -> Floats:
    """Edges (e, 6) of all shapes, for shape values (m, s) and the poses' edge changes (t, m, 6).

    present: how much each pose counts in each triangle (t, m); by default fully.
    """
    if not len(values):
        return entries.wanted
    found = np.empty_like(entries.wanted)

    def solve(block: TriangleBlock) -> None:
        change = ridge(block.values, block.softness, block.residual(motions), beta, block.of(present))
        found[block.rows] = entries.wanted[block.rows] + change[block.local]

    for_blocks(entries, values, solve)
    return found


def contributions(
    entries: Entries, values: Floats, motions: Floats, beta: float, present: Floats | None = None
) -> Floats:
    """How far each shape is from its prior because of each pose (s, m), as a share of the prior.

    Step A is linear in the residuals of the poses, so that the change of a shape is a sum over poses. Each part is
    measured along the whole change: the sum over the poses is the length of the change, relative to the prior's.
    """
    m, s = values.shape

    def parts_of(block: TriangleBlock) -> Floats:
        """Sums (s, m + 1) over triangles of each pose's part along the whole change, and of the change's square."""
        residual = block.residual(motions)
        each = np.broadcast_to(np.eye(m), (len(residual), m, m))
        shares = ridge(block.values, block.softness, each, beta, block.of(present))  # (t, c, m)
        change = shares @ residual
        parts = (shares * (change @ residual.swapaxes(1, 2)))[block.local]  # (e, m)
        square = (change[block.local] ** 2).sum(axis=1, keepdims=True)
        shapes = entries.shapes[block.rows]
        pick = sp.csr_array((np.ones(len(shapes)), (shapes, np.arange(len(shapes)))), shape=(s, len(shapes)))
        return np.asarray(pick @ np.concatenate([parts, square], axis=1))

    sums = sum(for_blocks(entries, values, parts_of), np.zeros((s, m + 1)))
    own = np.bincount(entries.shapes, (entries.wanted**2).sum(axis=1), minlength=s)
    lengths = np.sqrt(sums[:, -1] * own)[:, None]
    return np.divide(sums[:, :-1], lengths, out=np.zeros((s, m)), where=lengths > 0)


@dataclass(frozen=True, eq=False)
class TriangleBlock:
    """Some triangles and their entries as dense arrays, for the c shapes that move each of them."""

    triangles: Ints  # (t,)
    rows: Ints  # (e,) of the entries
    local: tuple[Ints, Ints]  # where each entry is in the arrays: (e,) triangles, and (e,) below c
    values: Floats  # (t, m, c) shape values of the poses
    softness: Floats  # (t, c); 0 beyond a triangle's own shapes
    wanted: Floats  # (t, c, 6)

    def of(self, present: Floats | None) -> Floats | None:
        """The rows of an array over triangles."""
        return None if present is None else present[self.triangles]

    def residual(self, motions: Floats) -> Floats:
        """What the priors leave (t, m, 6) of the poses' edge changes, given for all triangles."""
        return np.asarray(motions[self.triangles] - self.values @ self.wanted)


def for_blocks(entries: Entries, values: Floats, work: Callable[[TriangleBlock], R]) -> list[R]:
    """What `work` returns for each block of the triangles that any shape moves, for shape values (m, s) of the poses.

    Triangles that about as many shapes move are together. The work is done on several threads.
    """
    by_shape = np.ascontiguousarray(values.T)  # (s, m)
    return on_threads(lambda some: work(_block(entries, by_shape, some)), _groups(entries, len(values)))


def _groups(entries: Entries, poses: int) -> Iterator[Ints]:
    """Triangles of each block."""
    counts = np.diff(entries.starts)
    order = np.argsort(counts, kind="stable")
    start = int(np.searchsorted(counts[order], 0, side="right"))
    while start < len(order):
        first = int(counts[order[start]])
        most = first + first // _ROOM
        step = max(1, _NUMBERS // (min(poses, most) ** 2 + (poses + 6) * (most + 6)))
        end = min(start + step, int(np.searchsorted(counts[order], most, side="right")))
        yield np.sort(order[start:end])
        start = end


def _block(entries: Entries, by_shape: Floats, triangles: Ints) -> TriangleBlock:
    first, counts = entries.starts[triangles], entries.starts[triangles + 1] - entries.starts[triangles]
    row = np.repeat(np.arange(len(triangles)), counts)
    slot = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows, local, most = slot + np.repeat(first, counts), (row, slot), int(counts.max())
    shapes = np.zeros((len(triangles), most), np.int64)
    softness, wanted = np.zeros((len(triangles), most)), np.zeros((len(triangles), most, 6))
    shapes[local], softness[local], wanted[local] = entries.shapes[rows], entries.softness[rows], entries.wanted[rows]
    return TriangleBlock(triangles, rows, local, by_shape[shapes].swapaxes(1, 2), softness, wanted)


def _joined(parts: list[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)
