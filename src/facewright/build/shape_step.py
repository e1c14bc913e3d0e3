"""Step A: shapes from weights, triangle by triangle (Li 2010, sec. 3).

Y is the difference of a shape's edges from the prior's, A (m, s) the shape values of the poses, and R the residual of
the poses after the priors: min |R - A Y|^2 + beta sum w |Y|^2. The solution Y = W^-1 A^T (A W^-1 A^T + beta I)^-1 R
needs an (m, m) system for each triangle, or an (s, s) system if there are more poses than shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.build.shape_prior import ShapePrior

_NUMBERS = 1 << 21  # numbers in one block of systems, so that they stay in the cache


@dataclass(frozen=True, eq=False)
class Entries:
    """All priors together: one entry for each triangle and each shape that moves one of its vertices, sorted by
    triangle.
    """

    triangles: Ints  # (e,) increasing
    shapes: Ints  # (e,)
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
        rows = tuple(np.split(place, ends[:-1])) if len(priors) else ()
        return cls(triangles[order], shapes[order], wanted[order], softness[order], starts, rows)


def ridge(values: Floats, softness: Floats, residual: Floats, beta: float, present: Floats | None = None) -> Floats:
    """Y (t, s, c) for shape values (m, s), softness (t, s) and residuals (t, m, c) of the poses.

    present: how much each pose counts in each triangle (t, m), from 0 to 1; by default fully.
    """
    m, s = values.shape
    if m <= s:
        outer = np.einsum("js,ks->sjk", values, values).reshape(s, m * m)
        system = (softness @ outer).reshape(-1, m, m)
        if present is None:
            return np.asarray(softness[:, :, None] * (values.T @ np.linalg.solve(system + beta * np.eye(m), residual)))
        root = np.sqrt(present)[:, :, None]
        system = root * system * root.swapaxes(1, 2) + beta * np.eye(m)
        return np.asarray(softness[:, :, None] * (values.T @ (root * np.linalg.solve(system, root * residual))))
    root, gram = np.sqrt(softness)[:, :, None], np.asarray(values.T @ values)
    if present is not None:
        outer = np.einsum("js,jk->jsk", values, values).reshape(m, s * s)
        gram, residual = (present @ outer).reshape(-1, s, s), present[:, :, None] * residual
    system = root * gram * root.swapaxes(1, 2) + beta * np.eye(s)
    return np.asarray(root * np.linalg.solve(system, root * (values.T @ residual)))


def solve_edges(
    entries: Entries, values: Floats, motions: Floats, beta: float, present: Floats | None = None
) -> Floats:
    """Edges (e, 6) of all shapes, for shape values (m, s) and the poses' edge changes (t, m, 6).

    present: how much each pose counts in each triangle (t, m); by default fully.
    """
    if not len(values):
        return entries.wanted
    found = np.empty_like(entries.wanted)
    for block in _blocks(entries, values, _NUMBERS):
        change = ridge(
            values, block.softness, motions[block.triangles] - values @ block.wanted, beta, block.of(present)
        )
        found[block.rows] = entries.wanted[block.rows] + change[block.local]
    return found


def contributions(
    entries: Entries, values: Floats, motions: Floats, beta: float, present: Floats | None = None
) -> Floats:
    """How far each shape is from its prior because of each pose (s, m), as a share of the prior.

    Step A is linear in the residuals of the poses, so that the change of a shape is a sum over poses. Each part is
    measured along the whole change: the sum over the poses is the length of the change, relative to the prior's.
    """
    m, s = values.shape
    found, changed, own = np.zeros((s, m)), np.zeros(s), np.zeros(s)
    for block in _blocks(entries, values, _NUMBERS // 4):
        residual = motions[block.triangles] - values @ block.wanted
        each = np.broadcast_to(np.eye(m), (len(residual), m, m))
        shares = ridge(values, block.softness, each, beta, block.of(present))  # (t, s, m)
        change = shares @ residual
        found += (shares * (change @ residual.swapaxes(1, 2))).sum(axis=0)
        changed += (change**2).sum(axis=(0, 2))
        own += (block.wanted**2).sum(axis=(0, 2))
    lengths = np.sqrt(changed * own)
    return np.divide(found, lengths[:, None], out=np.zeros_like(found), where=lengths[:, None] > 0)


@dataclass(frozen=True, eq=False)
class _Block:
    """Some triangles and their entries, as dense arrays."""

    triangles: Ints  # (t,)
    rows: slice  # of the entries
    local: tuple[Ints, Ints]  # where each entry is in the arrays
    softness: Floats  # (t, s)
    wanted: Floats  # (t, s, 6)

    def of(self, present: Floats | None) -> Floats | None:
        """The rows of an array over triangles."""
        return None if present is None else present[self.triangles]


def _blocks(entries: Entries, values: Floats, numbers: int) -> Iterator[_Block]:
    m, s = values.shape
    used = np.flatnonzero(np.diff(entries.starts))
    step = max(1, numbers // (min(m, s) ** 2 + 6 * (m + s)))
    for start in range(0, len(used), step):
        block = used[start : start + step]
        rows = slice(entries.starts[block[0]], entries.starts[block[-1] + 1])
        local = np.searchsorted(block, entries.triangles[rows]), entries.shapes[rows]
        softness, wanted = np.zeros((len(block), s)), np.zeros((len(block), s, 6))
        softness[local], wanted[local] = entries.softness[rows], entries.wanted[rows]
        yield _Block(block, rows, local, softness, wanted)


def _joined(parts: list[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)
