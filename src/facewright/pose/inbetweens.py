"""Sliders with in-betweens: straight pieces between knots, and steps past a knot that hides a better piece."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.pose.problem import DragCost
from facewright.rig.combine import Combine
from facewright.terms.limits import Limits

_SAME = 1e-12  # weights nearer to a knot than this are at it
_WORTH = 1e-6  # share of the cost by which a step past a knot must lower it
_TINY = 1e-300


class Pieces:
    """The straight pieces of sliders. A slider at a knot is on both pieces that meet there."""

    def __init__(self, combine: Combine) -> None:
        self.knots = combine.knots()  # the outer pieces have no end
        self._n = combine.sliders

    def __len__(self) -> int:
        return len(self.knots)

    def snapped(self, weights: Floats) -> tuple[Floats, bool]:
        """The weights (n,), exactly at a knot where they differ from it by rounding, and whether any is at one."""
        exact, found = weights.copy(), False
        for slider, knots in self.knots:
            nearest = knots[np.abs(knots - weights[slider]).argmin()]
            if abs(nearest - weights[slider]) <= _SAME:
                exact[slider], found = nearest, True
        return exact, found

    def ends(self, weights: Floats, leftward: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Both ends (n,), (n,) of the pieces that weights (n,) are on; at a knot, the left one if `leftward` (n,)."""
        low, high = np.full(self._n, -np.inf), np.full(self._n, np.inf)
        for slider, knots in self.knots:
            at = int(np.searchsorted(knots, weights[slider], side="left" if leftward[slider] else "right"))
            low[slider] = knots[at - 1] if at > 0 else -np.inf
            high[slider] = knots[at] if at < len(knots) else np.inf
        return low, high


def past_a_knot(cost: DragCost, pieces: Pieces, change: Floats, limits: Limits) -> Floats | None:
    """A better change (n,) by one slider alone, anywhere on its pieces; None where there is none.

    An in-between, or a price, can stop a slider just before a piece on which the cost is lower.
    """
    stops = [(slider, _stops(knots - cost.start[slider], limits, slider)) for slider, knots in pieces.knots]
    others = [_lowest(cost, change, slider, at) for slider, at in stops if len(at) > 1]
    if not others:
        return None
    tried = np.concatenate(others)
    costs, now = cost(tried), float(cost(change))
    return np.asarray(tried[costs.argmin()]) if costs.min() < now - _WORTH * abs(now) else None


def _stops(knots: Floats, limits: Limits, slider: int) -> Floats:
    """Where the pieces of a slider end (k,), as changes from the start; the price bends at 0."""
    ends = limits.low[slider], limits.high[slider]
    return np.unique(np.clip([*ends, 0.0, *knots], *ends))


def _lowest(cost: DragCost, change: Floats, slider: int, stops: Floats) -> Floats:
    """Changes (k - 1, n) with the slider at the lowest cost between each stop and the next, where it is a parabola."""
    changes = np.repeat(change[None], len(stops), axis=0)
    changes[:, slider] = stops
    v, wide = cost.shapes(changes), np.diff(stops)
    moved = v @ cost.problem.rows.T  # (k, r)
    turn = np.diff(moved, axis=0) / wide[:, None]
    ridge = cost.problem.ridge[slider]
    slope = (turn * moved[:-1]).sum(axis=1) + np.diff(v, axis=0) @ cost.c / wide + ridge * stops[:-1]
    slope += cost.price[slider] * np.where(stops[1:] > 0, 1, -1)
    slope += cost.slope_by_sliders(changes[:-1])[:, slider]
    curvature = (turn**2).sum(axis=1) + ridge
    curvature += 0.0 if cost.problem.H is None else cost.problem.H[slider, slider]
    changes[:-1, slider] = stops[:-1] + np.clip(-slope / (curvature + _TINY), 0.0, wide)
    return changes[:-1]
