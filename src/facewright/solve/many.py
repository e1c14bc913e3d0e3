"""Many quadratic programs that differ in their linear terms alone: the frames of a take.

All of them go to daqp in one stream without checks. Afterwards the optimality conditions are checked for all at once,
and the frames that do not meet them are solved again by `ParametricQP`, which is slower and more careful.
"""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, floats, frozen
from facewright.solve.dual import SETTINGS
from facewright.solve.hessian import symmetric
from facewright.solve.limits import RowLimits, limits, no_rows
from facewright.solve.qp import ParametricQP

_TOLERANCE = 1e-9  # of the size of the terms that have to cancel
_ROUNDING = 1e-15
_SNAP = 1e-10  # of the distance between the bounds: rounding of daqp
_CONDITION = 1e10  # with a larger one all frames are solved by ParametricQP


@dataclass(frozen=True, eq=False)
class ManySolutions:
    """Values inside their bounds, frame by frame."""

    x: Floats  # (frames, n)
    solved: NDArray[np.bool_]  # (frames,) whether the row of x is the minimum


def solve_many(
    H: ArrayLike,
    C: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    rows: RowLimits | None = None,
    off: ArrayLike | None = None,
) -> ManySolutions:
    """Min 1/2 x'Hx + c'x, low <= x <= high and the limits of the rows, for each row c of C (frames, n).

    off (frames, n): unknowns that have to be 0 in a frame; 0 is within their bounds.
    """
    H = symmetric(H)
    n = len(H)
    slopes = floats("C", C, (None, n))
    lows, highs = limits("bound", low, high, n)
    rows = no_rows(n) if rows is None else rows
    zero = None if off is None else np.asarray(off, bool)
    free = np.flatnonzero(lows < highs)
    if len(free) < n:  # leave out unknowns whose bounds are equal
        fixed = np.setdiff1d(np.arange(n), free)
        pull = slopes[:, free] + lows[fixed] @ H[np.ix_(fixed, free)]
        zero_here = None if zero is None else zero[:, free]
        rows_here = _of_free(rows, free, rows.matrix[:, fixed] @ lows[fixed])
        found = solve_many(H[np.ix_(free, free)], pull, lows[free], highs[free], rows=rows_here, off=zero_here)
        whole = np.tile(lows, (len(slopes), 1))
        whole[:, free] = found.x
        return ManySolutions(frozen(whole), found.solved)
    if not n or not len(slopes):
        return ManySolutions(frozen(np.zeros(slopes.shape)), np.ones(len(slopes), bool))
    if _is_safe(H):
        x, pressures = _streamed(H, slopes, lows, highs, rows, zero)
    else:
        x, pressures = np.clip(0.0 * slopes, lows, highs), np.zeros((len(slopes), len(rows.matrix)))
    solved = are_minima(H, slopes + pressures @ rows.matrix, x, lows, highs, zero)
    solved &= _meet_rows(rows, x, pressures)
    careful = ParametricQP(H, lows, highs, rows=rows) if not solved.all() else None
    for frame in np.flatnonzero(~solved):
        assert careful is not None
        one = careful if zero is None or not zero[frame].any() else _with_zeros(H, lows, highs, rows, zero[frame])
        answer = one.solve(slopes[frame])
        x[frame], solved[frame] = answer.x, answer.solved
    return ManySolutions(frozen(x), solved)


def are_minima(
    H: Floats, C: Floats, x: Floats, low: Floats, high: Floats, off: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Which rows of x (frames, n) meet the conditions of Karush, Kuhn and Tucker."""
    unit = float(H.diagonal().max()) or 1.0
    curved, pull = x @ (H / unit), C / unit
    lows, highs = (low, high) if off is None else (np.where(off, 0.0, low), np.where(off, 0.0, high))
    to_go = x - np.clip(x - (curved + pull), lows, highs)
    allowed = _TOLERANCE**2 * ((curved**2).sum(axis=1) + (pull**2).sum(axis=1)) + _ROUNDING**2
    return np.asarray((to_go**2).sum(axis=1) <= allowed)


def _meet_rows(rows: RowLimits, x: Floats, pressures: Floats) -> NDArray[np.bool_]:
    """Which rows of x (frames, n) are within the limits, with pressures (frames, r) only at those that are reached."""
    values = x @ rows.matrix.T
    allowed = _TOLERANCE * (np.abs(x) @ np.abs(rows.matrix.T)) + _ROUNDING
    below, above = values <= rows.high + allowed, values >= rows.low - allowed
    reached = np.where(pressures > 0, values >= rows.high - allowed, (pressures == 0) | (values <= rows.low + allowed))
    return np.asarray((below & above & reached).all(axis=1))


def _of_free(rows: RowLimits, free: NDArray[np.intp], at_fixed: Floats) -> RowLimits:
    """The rows for the free unknowns, of which the others contribute `at_fixed` (r,); rows of no free one are gone."""
    kept = rows.matrix[:, free].any(axis=1)
    return RowLimits(rows.matrix[kept][:, free], (rows.low - at_fixed)[kept], (rows.high - at_fixed)[kept])


def _is_safe(H: Floats) -> bool:
    diagonal = H.diagonal()
    if (diagonal <= 0).any():
        return False
    size = 1 / np.sqrt(diagonal)
    values = np.linalg.eigvalsh(size[:, None] * H * size)
    return bool(values[0] > 0 and values[-1] < _CONDITION * values[0])


def _streamed(
    H: Floats, C: Floats, low: Floats, high: Floats, rows: RowLimits, off: NDArray[np.bool_] | None
) -> tuple[Floats, Floats]:
    """Minima (frames, n), and multipliers of the rows (frames, r): above 0 at high limits, below 0 at low ones."""
    n, stretch = len(H), 1 / np.sqrt(H.diagonal())  # x = stretch * unknown gives daqp a diagonal of 1
    A = rows.matrix * stretch
    length = np.linalg.norm(A, axis=1)
    size = np.concatenate([stretch, np.where(length > 0, length, 1.0)])
    below = np.maximum(np.concatenate([low, rows.low]) / size, -1e30)
    above = np.minimum(np.concatenate([high, rows.high]) / size, 1e30)
    model = daqp.Model()
    model.settings = SETTINGS | {"primal_tol": 1e-12}
    model.setup(stretch[:, None] * H * stretch, np.zeros(n), A / size[n:, None], above, below)
    x, pressures, slopes = np.empty_like(C), np.zeros((len(C), len(A))), C * stretch
    changed = _changes_of_off(off)
    for frame, slope in enumerate(slopes):
        if off is not None and frame in changed:
            zero_here = np.append(off[frame], np.zeros(len(A), bool))
            model.update(f=slope, bupper=np.where(zero_here, 0.0, above), blower=np.where(zero_here, 0.0, below))
        else:
            model.update(f=slope)
        x[frame], _, _, info = model.solve()
        if len(A):
            pressures[frame] = info["lam"][n:]
    return _snapped(x * stretch, low, high, off), pressures / size[n:]


def _changes_of_off(off: NDArray[np.bool_] | None) -> frozenset[int]:
    """Frames in which other unknowns are off than in the frame before."""
    if off is None:
        return frozenset()
    before = np.vstack([np.zeros_like(off[:1]), off[:-1]])
    return frozenset(np.flatnonzero((off != before).any(axis=1)).tolist())


def _snapped(x: Floats, low: Floats, high: Floats, off: NDArray[np.bool_] | None) -> Floats:
    width = np.where(np.isfinite(high - low), high - low, 1.0)
    x = np.where(x - low < _SNAP * width, low, np.where(high - x < _SNAP * width, high, x))
    return x if off is None else np.where(off, 0.0, x)


def _with_zeros(H: Floats, low: Floats, high: Floats, rows: RowLimits, off: NDArray[np.bool_]) -> ParametricQP:
    return ParametricQP(H, np.where(off, 0.0, low), np.where(off, 0.0, high), rows=rows)
