"""Beyond a bend: an in-between, or a price, can stop a slider just before a piece on which it would do better."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.pose.cost import Cost
from facewright.pose.pieces import Pieces
from facewright.terms.limits import Limits

_WORTH = 1e-6  # share of the cost by which a leap must lower it
_TINY = 1e-300


def beyond_a_bend(cost: Cost, pieces: Pieces, change: Floats, limits: Limits) -> Floats | None:
    """A better change (n,) by one slider alone, anywhere on its pieces; None where there is none."""
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


def _lowest(cost: Cost, change: Floats, slider: int, stops: Floats) -> Floats:
    """Changes (k - 1, n) with the slider at the lowest cost between each stop and the next, where it is a parabola."""
    changes = np.repeat(change[None], len(stops), axis=0)
    changes[:, slider] = stops
    v, wide = cost.shapes(changes), np.diff(stops)
    moved = v @ cost.problem.rows.T  # (k, r)
    turn = np.diff(moved, axis=0) / wide[:, None]
    ridge = cost.problem.ridge[slider]
    slope = (turn * moved[:-1]).sum(axis=1) + np.diff(v, axis=0) @ cost.c / wide + ridge * stops[:-1]
    slope += cost.price[slider] * np.where(stops[1:] > 0, 1, -1)
    lowest = stops[:-1] + np.clip(-slope / ((turn**2).sum(axis=1) + ridge + _TINY), 0.0, wide)
    changes[:-1, slider] = lowest
    return changes[:-1]
