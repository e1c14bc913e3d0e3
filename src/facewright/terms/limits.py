"""How far sliders may move from a start: bounds on their change, and linear rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.solve.limits import RowLimits


@dataclass(frozen=True, eq=False)
class Limits:
    """Bounds, and perhaps rows, on the change of the sliders; they always allow no change."""

    low: Floats  # (n,) at most 0
    high: Floats  # (n,) at least 0
    rows: RowLimits | None = None

    def locked(self, sliders: Ints) -> Limits:
        """The same with some sliders kept where they are."""
        low, high = self.low.copy(), self.high.copy()
        low[sliders], high[sliders] = 0.0, 0.0
        return Limits(low, high, self.rows)

    def of_sliders(self, chosen: Ints) -> Limits:
        """The limits of some sliders, where all others stay."""
        rows = self.rows and RowLimits(self.rows.matrix[:, chosen], self.rows.low, self.rows.high)
        return Limits(self.low[chosen], self.high[chosen], rows)

    def without_idle_rows(self) -> Limits:
        """The same without rows that limit no slider."""
        if self.rows is None or (kept := self.rows.matrix.any(axis=1)).all():
            return self
        rows = RowLimits(self.rows.matrix[kept], self.rows.low[kept], self.rows.high[kept]) if kept.any() else None
        return Limits(self.low, self.high, rows)

    def followed_by(self, more: int) -> Limits:
        """The same with more unknowns at the end, from -1 to 1, which no row limits."""
        rows = self.rows and RowLimits(np.pad(self.rows.matrix, ((0, 0), (0, more))), self.rows.low, self.rows.high)
        return Limits(np.append(self.low, np.full(more, -1.0)), np.append(self.high, np.full(more, 1.0)), rows)

    def cut(self, rows: RowLimits) -> Limits:
        """The same with more rows."""
        if self.rows is None:
            return Limits(self.low, self.high, rows)
        both = (self.rows, rows)
        whole = RowLimits(
            np.concatenate([each.matrix for each in both]),
            np.concatenate([each.low for each in both]),
            np.concatenate([each.high for each in both]),
        )
        return Limits(self.low, self.high, whole)


def limits_about(bounds: Floats, start: Floats) -> Limits:
    """Sliders' bounds (n, 2) as limits on the change from a start (n,), which may be outside them."""
    return Limits(np.minimum(bounds[:, 0] - start, 0.0), np.maximum(bounds[:, 1] - start, 0.0))


def within_ties(limits: Limits, pairs: Ints, start: Floats, full: Floats) -> Limits:
    """The same where the first slider of each pair (p, 2) goes no further than the second, or than it was.

    What counts are shares of the full values (n,).
    """
    first = pairs[(limits.high[pairs[:, 0]] > 0) | (limits.low[pairs[:, 1]] < 0)]
    if not len(first):
        return limits
    matrix = np.zeros((len(first), len(start)))
    matrix[np.arange(len(first)), first[:, 0]] = 1.0
    matrix[np.arange(len(first)), first[:, 1]] = -full[first[:, 0]] / full[first[:, 1]]
    room = np.maximum(-matrix @ start, 0.0)
    return limits.cut(RowLimits(matrix, np.full(len(first), -np.inf), room))


def whole_face(limits: Limits, start: Floats) -> Limits:
    """The same with weights that sum to at most 1, the rest being the neutral face (Joshi 2003, eq. 2)."""
    n = len(start)
    return limits.cut(RowLimits(np.ones((1, n)), np.array([-np.inf]), np.array([max(1.0 - start.sum(), 0.0)])))
