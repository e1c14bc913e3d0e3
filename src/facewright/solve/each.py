"""Quadratic programs that differ in everything: one for each frame of a take on a rig with correctives.

An unknown that is at a bound, and that the slope at the start keeps there, is left out at first; a problem without it
is several times faster. Afterwards the optimality conditions are checked for all problems at once, and those that do
not meet them are solved again with what was left out wrongly.
"""

from __future__ import annotations

import daqp
import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, frozen
from facewright.solve.dual import SETTINGS
from facewright.solve.limits import RowLimits, no_rows
from facewright.solve.many import ManySolutions
from facewright.solve.qp import ParametricQP

_TOLERANCE = 1e-7  # of the size of the terms that have to cancel
_ROUNDING = 1e-13
_ATTEMPTS = 4
_DAQP = SETTINGS | {"primal_tol": 1e-11}


def solve_each(
    H: Floats, C: Floats, low: Floats, high: Floats, start: Floats, *, rows: RowLimits | None = None
) -> ManySolutions:
    """Min 1/2 x'Hx + c'x, low <= x <= high and the limits of the rows, for each of H (f, n, n), the others (f, n).

    Each H is definite. The start is within the limits.
    """
    count, n = C.shape
    if not count or not n:
        return ManySolutions(frozen(np.zeros(C.shape)), np.ones(count, bool))
    rows = no_rows(n) if rows is None else rows
    slope = (H @ start[:, :, None])[:, :, 0] + C
    free = low < high
    if not len(rows.matrix):
        free &= ~(((start <= low) & (slope >= 0)) | ((start >= high) & (slope <= 0)))
    x, pressures = start.copy(), np.zeros((count, len(rows.matrix)))
    solved, todo = np.zeros(count, bool), np.arange(count)
    for _ in range(_ATTEMPTS):
        for frame in todo[free[todo].any(axis=1)]:
            problem = H[frame], C[frame], low[frame], high[frame], x[frame]
            x[frame], pressures[frame] = _reduced(*problem, free[frame], rows)
        to_go, allowed = _to_go(H[todo], C[todo] + pressures[todo] @ rows.matrix, x[todo], low[todo], high[todo])
        solved[todo] = (np.abs(to_go) <= allowed).all(axis=1)
        wrong = (np.abs(to_go) > allowed) & ~free[todo]  # left out, and not at the bound for which it was left out
        free[todo] |= wrong
        todo = todo[wrong.any(axis=1)]
        if not len(todo):
            break
    for frame in np.flatnonzero(~solved):
        answer = ParametricQP(H[frame], low[frame], high[frame], rows=rows).solve(C[frame])
        x[frame], solved[frame] = answer.x, answer.solved
    return ManySolutions(frozen(x), solved)


def _reduced(
    H: Floats, c: Floats, low: Floats, high: Floats, x: Floats, free: NDArray[np.bool_], rows: RowLimits
) -> tuple[Floats, Floats]:
    """One problem of which only the free unknowns change, and the multipliers (r,) of its rows."""
    of = np.flatnonzero(free)
    H_free = H[of[:, None], of]
    held = np.where(free, 0.0, x)
    c_free = c[of] + (H @ held)[of] if len(of) < len(x) else c
    stretch = 1 / np.sqrt(H_free.diagonal())
    A = rows.matrix[:, of] * stretch
    length = np.linalg.norm(A, axis=1)
    length[length == 0] = 1.0
    at_held = rows.matrix @ held
    below = np.concatenate([low[of] / stretch, np.maximum((rows.low - at_held) / length, -1e30)])
    above = np.concatenate([high[of] / stretch, np.minimum((rows.high - at_held) / length, 1e30)])
    scaled = stretch[:, None] * H_free * stretch
    found, _, _, info = daqp.solve(scaled, stretch * c_free, A / length[:, None], above, below, **_DAQP)
    whole = held
    whole[of] = np.minimum(np.maximum(found * stretch, low[of]), high[of])
    return whole, info["lam"][len(of) :] / length


def _to_go(H: Floats, C: Floats, x: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """How far a unit step down the slope goes within the bounds (f, n), which is 0 at a minimum, and what may be left.

    Each unknown is in its own unit, in which its curvature is 1.
    """
    size = 1 / np.sqrt(np.diagonal(H, axis1=1, axis2=2))  # (f, n)
    curved, pull = (H @ x[:, :, None])[:, :, 0] * size, C * size
    z = x / size
    to_go = z - np.clip(z - (curved + pull), low / size, high / size)
    scale = np.sqrt((curved**2).sum(axis=1) + (pull**2).sum(axis=1))
    return to_go, (_TOLERANCE * scale + _ROUNDING)[:, None]
