"""Limits of a solve: bounds on each unknown, and rows on linear combinations of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats, frozen
from facewright.errors import BadValue

_ROUNDING = 1e-9  # of the size of the terms of a row


@dataclass(frozen=True, eq=False)
class RowLimits:
    """low <= matrix x <= high; equal limits make an equation, infinite ones leave a side open."""

    matrix: Floats  # (r, n)
    low: Floats  # (r,)
    high: Floats  # (r,)

    def __post_init__(self) -> None:
        matrix = floats("matrix of the rows", self.matrix, (None, None))
        low, high = limits("row", self.low, self.high, len(matrix))
        for name, value in (("matrix", matrix), ("low", low), ("high", high)):
            object.__setattr__(self, name, value)

    def met(self, x: Floats) -> bool:
        """Whether x (n,) is within them, up to rounding."""
        value, slack = self.matrix @ x, _ROUNDING * (1.0 + np.abs(self.matrix) @ np.abs(x))  # (r,)
        return bool(((value >= self.low - slack) & (value <= self.high + slack)).all())


def no_rows(n: int) -> RowLimits:
    """No rows, for n unknowns."""
    return RowLimits(np.zeros((0, n)), np.zeros(0), np.zeros(0))


def limits(kind: str, low: ArrayLike, high: ArrayLike, n: int) -> tuple[Floats, Floats]:
    """Both sides as read-only (n,) arrays; one number stands for all, an infinite one leaves that side open."""
    sides = _side(f"low {kind}s", low, n, never=np.inf), _side(f"high {kind}s", high, n, never=-np.inf)
    crossed = np.flatnonzero(sides[0] > sides[1])
    if len(crossed):
        i = crossed[0]
        raise BadValue(f"{kind} {i} has its low side {sides[0][i]:g} above its high side {sides[1][i]:g}")
    return sides


def _side(name: str, value: ArrayLike, n: int, *, never: float) -> Floats:
    try:
        side = np.array(np.broadcast_to(np.asarray(value, np.float64), (n,)))
    except (TypeError, ValueError):
        raise BadValue(f"{name} must be one number or {n}") from None
    bad = np.flatnonzero(np.isnan(side) | (side == never))
    if len(bad):
        raise BadValue(f"{name} has {side[bad[0]]} at index {bad[0]}; use a number, or {-never} for no limit")
    return frozen(side)
