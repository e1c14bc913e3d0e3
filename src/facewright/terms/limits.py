"""How far sliders may move from a start: bounds on their change, and linear rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.solve.limits import Rows


@dataclass(frozen=True, eq=False)
class Limits:
    """Bounds, and perhaps rows, on the change of the sliders; no change is always within them."""

    low: Floats  # (n,) at most 0
    high: Floats  # (n,) at least 0
    rows: Rows | None = None

    def locked(self, sliders: Ints) -> Limits:
        """The same with some sliders kept where they are."""
        low, high = self.low.copy(), self.high.copy()
        low[sliders], high[sliders] = 0.0, 0.0
        return Limits(low, high, self.rows)

    def cut(self, rows: Rows) -> Limits:
        """The same with more rows."""
        if self.rows is None:
            return Limits(self.low, self.high, rows)
        both = (self.rows, rows)
        whole = Rows(
            np.concatenate([each.matrix for each in both]),
            np.concatenate([each.low for each in both]),
            np.concatenate([each.high for each in both]),
        )
        return Limits(self.low, self.high, whole)


def limits_about(bounds: Floats, start: Floats) -> Limits:
    """What sliders' bounds (n, 2) leave from a start (n,), also from one outside them."""
    return Limits(np.minimum(bounds[:, 0] - start, 0.0), np.maximum(bounds[:, 1] - start, 0.0))


def whole_face(limits: Limits, start: Floats) -> Limits:
    """With weights that sum to at most 1, the rest being the neutral face (Joshi 2003, eq. 2)."""
    n = len(start)
    return limits.cut(Rows(np.ones((1, n)), np.array([-np.inf]), np.array([max(1.0 - start.sum(), 0.0)])))
