"""Step A: shapes from weights, triangle by triangle (Li 2010, sec. 3).

Y is the difference of a shape's edges from the prior's, A (m, s) the shape values of the poses, and R the residual of
the poses after the priors: min |R - A Y|^2 + beta sum w |Y|^2. The solution Y = W^-1 A^T (A W^-1 A^T + beta I)^-1 R
needs an (m, m) system for each triangle. If there are more poses than shapes that move it, the edges X themselves are
those of an (s, s) system: (A^T A + beta W) X = A^T M + beta W X*, with the edges X* of the priors and M of the poses.

Triangles that the same shapes move have the same A, so that a product with it is one for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.build.shape_prior import ShapePrior, by_sets
from facewright.mesh.triangle_frames import edge_pairs
from facewright.solve.elimination import SMALL, eliminate
from facewright.solve.threads import on_threads

_NUMBERS = 1 << 20  # numbers in one block of systems, so that they stay in the cache

R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Entries:
    """All priors together: one entry for each triangle and each shape that moves one of its vertices.

    Triangles that as many shapes move are together, and among them those that the same shapes move. So the entries of
    successive triangles are dense arrays (t, c, ...) without any copy.
    """

    triangles: Ints  # (t,) rows of the triangles that any shape moves
    sets: Ints  # (t,) number of the set of shapes that move each of them, increasing
    starts: Ints  # (t + 1,) first entry of each of them
    shapes: Ints  # (e,)
    changes: Floats  # (e, 3, 3) of gradients: what a shape does to any edge
    wanted: Floats  # (e, 6) edges
    softness: Floats  # (e,) 1 / w
    of_shape: tuple[Ints, ...]  # rows (t_i,) of each shape, in the order of its prior's triangles

    @classmethod
    def of(cls, priors: Sequence[ShapePrior], triangle_count: int) -> Entries:
        """The entries of all priors."""
        moves = np.zeros((triangle_count, len(priors)), bool)
        for shape, prior in enumerate(priors):
            moves[prior.triangles, shape] = True
        counts, order = moves.sum(axis=1), by_sets(moves)
        triangles = order[counts[order] > 0]
        counts, packed = counts[triangles], np.packbits(moves[triangles], axis=1)
        sets = np.concatenate([[0], np.cumsum((packed[1:] != packed[:-1]).any(axis=1))])[: len(triangles)]
        starts = np.concatenate([[0], np.cumsum(counts)])
        number = np.empty(triangle_count, np.int64)
        number[triangles] = np.arange(len(triangles))
        among = np.cumsum(moves, axis=1, dtype=np.int32)  # how many of the shapes up to each one move a triangle
        rows = [
            starts[number[prior.triangles]] + among[prior.triangles, shape] - 1 for shape, prior in enumerate(priors)
        ]
        e = int(starts[-1])
        shapes, softness = np.empty(e, np.int64), np.empty(e)
        changes, wanted = np.empty((e, 3, 3)), np.empty((e, 6))

        def keep(shape: int) -> None:
            prior, at = priors[shape], rows[shape]
            shapes[at], softness[at] = shape, 1 / prior.firmness
            changes[at], wanted[at] = prior.changes, prior.edges.reshape(-1, 6)

        on_threads(keep, range(len(priors)))
        return cls(triangles, sets, starts, shapes, changes, wanted, softness, tuple(rows))

    @cached_property
    def turned_changes(self) -> Floats:
        """The changes (9e,), for each triangle (3, 3, c): what shapes add to x, y and z along each axis of an edge."""
        return self._turned(self.changes.swapaxes(1, 2).reshape(-1, 9))

    @cached_property
    def turned_wanted(self) -> Floats:
        """The wanted edges (6e,), for each triangle (6, c)."""
        return self._turned(self.wanted)

    def _turned(self, rows: Floats) -> Floats:
        """Fields (e, n) as (n, c) for each triangle that c shapes move."""
        counts, n = np.diff(self.starts), rows.shape[1]
        ends = [*np.flatnonzero(np.diff(counts, prepend=0)).tolist(), len(counts)]
        found = np.empty(rows.size)

        def turn(at: tuple[int, int]) -> None:
            some = slice(int(self.starts[at[0]]), int(self.starts[at[1]]))
            fields = rows[some].reshape(at[1] - at[0], -1, n).swapaxes(1, 2)
            found[n * some.start : n * some.stop].reshape(fields.shape)[:] = fields

        on_threads(turn, pairwise(ends))
        return found


def pose_edges(motions: Floats, triangles: Ints) -> Floats:
    """Edge changes (t, m, 6) of poses (m, v, 3), which are next to each other in memory."""
    found = np.empty((len(triangles), 6, len(motions))).swapaxes(1, 2)

    def keep(pose: int) -> None:
        found[:, pose] = edge_pairs(motions[pose], triangles).reshape(-1, 6)

    on_threads(keep, range(len(motions)))
    return found


def ridge(values: Floats, softness: Floats, residual: Floats, beta: float, present: Floats | None = None) -> Floats:
    """Y (t, s, c) for shape values (m, s) or (t, m, s), softness (t, s) and residuals (t, m, c) of the poses.

    present: how much each pose counts in each triangle (t, m), from 0 to 1; by default fully.
    """
    soft, (m, s) = np.sqrt(softness), values.shape[-2:]
    scaled = values * soft[:, None, :]  # (t, m, s)
    if present is not None:
        shown = np.sqrt(present)[:, :, None]
        scaled, residual = shown * scaled, shown * residual
    turned = scaled.swapaxes(1, 2)
    if m <= s:
        system = scaled @ turned
        system.reshape(len(system), -1)[:, :: m + 1] += beta
        return np.asarray(soft[:, :, None] * (turned @ np.linalg.solve(system, residual)))
    system = turned @ scaled
    system.reshape(len(system), -1)[:, :: s + 1] += beta
    return np.asarray(soft[:, :, None] * np.linalg.solve(system, turned @ residual))


def solve_edges(
    entries: Entries, values: Floats, motions: Floats, beta: float, present: Floats | None = None
) -> Floats:
    """Edges (e, 6) of all shapes, for shape values (m, s) and the poses' edge changes (t, m, 6).

    present: how much each pose counts in each triangle (t, m); by default fully. Triangles are those of the entries.
    """
    if not len(values):
        return entries.wanted
    found = np.empty_like(entries.wanted)

    def solve(block: TriangleBlock) -> None:
        here = found[block.rows].reshape(block.wanted.shape)
        if (counts := block.of(present)) is not None:
            here[:] = block.wanted + ridge(block.values, block.softness, block.residual(motions), beta, counts)
        elif block.poses > block.count:
            here[:] = _edges(block, motions, beta)
        else:
            here[:] = block.wanted + _changes(block, motions, beta)

    for_blocks(entries, values, solve)
    return found


def _edges(block: TriangleBlock, motions: Floats, beta: float) -> Floats:
    """X (t, c, 6) where there are more poses than shapes."""
    firm, c = beta / block.softness, block.count  # (t, c)
    right = block.times(block.turned_motions(motions), block.of_sets, c)  # (t, 6, c)
    right += firm[:, None] * block.turned_wanted
    if c > SMALL:
        return np.asarray(np.linalg.solve(_of_shapes(block, firm), right.swapaxes(1, 2)))
    system = np.ascontiguousarray(block.products.transpose(1, 2, 0)).take(block.number, axis=2)
    system.reshape(c * c, -1)[:: c + 1] += firm.T
    return eliminate(system, np.ascontiguousarray(right.transpose(2, 1, 0))).transpose(2, 0, 1)


def _changes(block: TriangleBlock, motions: Floats, beta: float) -> Floats:
    """Y (t, c, 6) where there are at most as many poses as shapes."""
    made = block.times(block.turned_wanted, block.of_sets.swapaxes(1, 2), block.poses)
    residual = block.turned_motions(motions) - made  # (t, 6, m)
    found = np.linalg.solve(_of_poses(block, beta), residual.swapaxes(1, 2)).swapaxes(1, 2)
    change = block.times(np.ascontiguousarray(found), block.of_sets, block.count)  # (t, 6, c)
    return (block.softness[:, None] * change).swapaxes(1, 2)


def _of_shapes(block: TriangleBlock, firm: Floats) -> Floats:
    """The systems A^T A + beta W (t, c, c), for beta W (t, c)."""
    system = block.products.take(block.number, axis=0)
    system.reshape(len(system), -1)[:, :: block.count + 1] += firm
    return system


def _of_poses(block: TriangleBlock, beta: float) -> Floats:
    """The systems A W^-1 A^T + beta I (t, m, m)."""
    m = block.poses
    squares = ((values[:, None] * values).reshape(m * m, -1).T for values in block.of_sets)
    system = block.times(block.softness[:, None], squares, m * m)  # (t, 1, m m)
    system[:, 0, :: m + 1] += beta
    return system.reshape(-1, m, m)


def _shares(block: TriangleBlock, beta: float, present: Floats | None) -> Floats:
    """How much (t, c, m) each pose's residual counts for the change of each shape."""
    m, c = block.poses, block.count
    if (counts := block.of(present)) is not None:
        each = np.broadcast_to(np.eye(m), (len(counts), m, m))
        return ridge(block.values, block.softness, each, beta, counts)
    if m > c:
        inverse = np.asarray(np.linalg.inv(_of_shapes(block, beta / block.softness)))
        return block.times(inverse, block.of_sets.swapaxes(1, 2), m)
    inverse = np.asarray(np.linalg.inv(_of_poses(block, beta)))
    found = block.times(inverse, block.of_sets, c)  # (t, m, c)
    return (block.softness[:, None] * found).swapaxes(1, 2)


def contributions(
    entries: Entries,
    values: Floats,
    motions: Floats,
    beta: float,
    present: Floats | None = None,
    *,
    template: Floats | None = None,
) -> tuple[Floats, Floats]:
    """How far each shape is from the template's: because of each pose (s, m), and because of all together (s,).

    Both are shares of the template's shape. Step A is linear in the residuals of the poses, so that what it changes is
    a sum over poses. Where the prior of step A was itself learned, from all poses, the template's edges (e, 6) are
    given, and the prior's difference from these is the second part. All parts are measured along the whole change:
    their sum is the length of the change, relative to the template's.
    """
    m, s = values.shape
    given = entries.wanted if template is None else template

    def parts_of(block: TriangleBlock) -> Floats:
        """Sums (s, m + 2) over triangles: each pose's part along the whole change, the learned part, and the square."""
        residual, shares = block.residual(motions), _shares(block, beta, present)  # (t, m, 6), (t, c, m)
        learned = block.wanted - given[block.rows].reshape(block.wanted.shape)
        change = learned + shares @ residual
        parts = shares * (change @ residual.swapaxes(1, 2))  # (t, c, m)
        both = np.stack([(learned * change).sum(axis=2), (change**2).sum(axis=2)], axis=2)
        found = np.zeros((s, m + 2))
        np.add.at(found, block.shapes, np.add.reduceat(np.concatenate([parts, both], axis=2), block.firsts))
        return found

    sums = sum(for_blocks(entries, values, parts_of), np.zeros((s, m + 2)))
    own = np.bincount(entries.shapes, (given**2).sum(axis=1), minlength=s)
    lengths = np.sqrt(sums[:, -1] * own)[:, None]
    shares = np.divide(sums[:, :-1], lengths, out=np.zeros((s, m + 1)), where=lengths > 0)
    return shares[:, :m], shares[:, m]


@dataclass(frozen=True, eq=False)
class TriangleBlock:
    """Successive triangles that c shapes move, and their entries as dense arrays."""

    at: slice  # (t,) of the entries' triangles
    rows: slice  # (t * c,) of the entries
    firsts: Ints  # (k,) first triangle of each set of shapes
    shapes: Ints  # (k, c) of each set
    of_sets: Floats  # (k, m, c) shape values of the poses, for each set
    number: Ints  # (t,) of each triangle's set
    softness: Floats  # (t, c)
    wanted: Floats  # (t, c, 6)
    turned_wanted: Floats  # (t, 6, c)

    @property
    def poses(self) -> int:
        """The number m of poses."""
        return int(self.of_sets.shape[1])

    @property
    def count(self) -> int:
        """The number c of shapes."""
        return int(self.of_sets.shape[2])

    @property
    def products(self) -> Floats:
        """A^T A (k, c, c) of the values of each set."""
        return np.asarray(self.of_sets.swapaxes(1, 2) @ self.of_sets)

    @cached_property
    def values(self) -> Floats:
        """Shape values (t, m, c) of the poses."""
        return self.of_sets.take(self.number, axis=0)

    def of(self, present: Floats | None) -> Floats | None:
        """How much poses count (t, m), of what is given for all triangles; None where they count fully."""
        return None if present is None or (present[self.at] == 1).all() else present[self.at]

    def residual(self, motions: Floats) -> Floats:
        """What the priors leave (t, m, 6) of the poses' edge changes, given for all triangles."""
        return np.asarray(motions[self.at] - self.values @ self.wanted)

    def turned_motions(self, motions: Floats) -> Floats:
        """The poses' edge changes (t, 6, m), given for all triangles; a copy unless poses are next to each other."""
        return np.ascontiguousarray(motions[self.at].swapaxes(1, 2))

    def times(self, rows: Floats, of_sets: Iterable[Floats], width: int) -> Floats:
        """Products (t, r, width) of rows (t, r, x) of each triangle with the matrix (x, width) of its set, of k."""
        t, r, x = rows.shape
        found = np.empty((t, r, width))
        flat, out = rows.reshape(-1, x), found.reshape(-1, width)
        ends = (r * np.append(self.firsts, t)).tolist()
        for matrix, start, end in zip(of_sets, ends, ends[1:], strict=False):
            np.matmul(flat[start:end], matrix, out=out[start:end])
        return found


def for_blocks(entries: Entries, values: Floats, work: Callable[[TriangleBlock], R]) -> list[R]:
    """What `work` returns for each block of the triangles, for shape values (m, s) of the poses, in any order.

    The work is done on several threads.
    """
    turned = entries.turned_wanted
    # triangles with many shapes come last and take longest
    slices = list(_slices(entries, len(values)))
    return on_threads(lambda at: work(_block(entries, values, turned, at)), reversed(slices))


def _slices(entries: Entries, poses: int) -> Iterator[slice]:
    """Triangles of each block."""
    counts = np.diff(entries.starts)
    start = 0
    while start < len(counts):
        count = int(counts[start])
        step = max(1, _NUMBERS // (min(poses, count) ** 2 + (poses + 6) * (count + 6)))
        end = min(start + step, int(np.searchsorted(counts, count, side="right")))
        yield slice(start, end)
        start = end


def _block(entries: Entries, values: Floats, turned: Floats, at: slice) -> TriangleBlock:
    rows = slice(int(entries.starts[at.start]), int(entries.starts[at.stop]))
    number = entries.sets[at] - entries.sets[at.start]
    firsts = np.searchsorted(number, np.arange(number[-1] + 1))
    t = len(number)
    shapes = entries.shapes[rows].reshape(t, -1)[firsts]
    of_sets = np.ascontiguousarray(values[:, shapes].swapaxes(0, 1))
    softness, wanted = entries.softness[rows].reshape(t, -1), entries.wanted[rows].reshape(t, -1, 6)
    turned = turned[6 * rows.start : 6 * rows.stop].reshape(t, 6, -1)
    return TriangleBlock(at, rows, firsts, shapes, of_sets, number, softness, wanted, turned)
