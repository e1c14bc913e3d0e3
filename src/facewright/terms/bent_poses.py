"""Poses of a rig with in-betweens and combinations, fitted by Gauss-Newton steps of all poses at once.

A step solves one small bounded problem for each pose, the rig linearised about it. In a step every slider stays on its
straight piece between two knots; the next step continues on the other side. A pose takes a step, or a part of it, only
if that lowers its true cost, so that no pose is worse than what it started from.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.rig.combine import Combine
from facewright.solve.each import solve_each
from facewright.terms.limits import Limits

_SHORTER = (0.5, 0.25, 0.1, 0.02)  # of a step that does not lower the cost
_GAINLESS = 1e-4  # of a pose's cost: a pose that gains less in a step is left as it is
_SAME = 1e-9  # an unknown that is nearer to a knot or a bound than this is at it
_WORTH = 1e-6  # of a pose's cost: what a slider must gain to go past a knot
_BYTES = 16 << 20  # of the derivatives that are kept at one time


@dataclass(frozen=True, eq=False)
class PoseTargets:
    """1/2 |measures - wanted|^2 over the known ones + 1/2 x'(H + diag(ridge)) x + c'x, for each of f poses."""

    wanted: Floats  # (f, r)
    H: Floats  # (n, n) of all poses
    c: Floats  # (f, n)
    ridge: Floats | None = None  # (f, n) of each pose
    known: NDArray[np.bool_] | None = None  # (f, r); None: all
    off: NDArray[np.bool_] | None = None  # (f, n) unknowns that have to be 0

    def __len__(self) -> int:
        return len(self.wanted)

    def of(self, poses: slice | Ints) -> PoseTargets:
        """Those of some poses."""
        return PoseTargets(
            self.wanted[poses],
            self.H,
            self.c[poses],
            None if self.ridge is None else self.ridge[poses],
            None if self.known is None else self.known[poses],
            None if self.off is None else self.off[poses],
        )

    def left(self, measures: Floats) -> Floats:
        """How far measures (f, r) are from what is wanted; 0 where it is not known."""
        away = measures - self.wanted
        return away if self.known is None else np.where(self.known, away, 0.0)

    def cost(self, x: Floats, measures: Floats) -> Floats:
        """The cost (f,) of unknowns (f, n) with measures (f, r)."""
        curved = x @ self.H if self.ridge is None else x @ self.H + self.ridge * x
        return np.asarray((self.left(measures) ** 2).sum(axis=1) / 2 + ((curved / 2 + self.c) * x).sum(axis=1))

    def own_slope(self, x: Floats) -> Floats:
        """The slope (f, n) of the cost at unknowns (f, n), without that of the measures."""
        slope = x @ self.H + self.c
        return slope if self.ridge is None else slope + self.ridge * x

    def hessian(self, slopes: Floats) -> Floats:
        """The curvature (f, n, n) of the cost for measures with slopes (f, n, r), taken as linear."""
        seen = slopes if self.known is None else slopes * self.known[:, None]
        H = seen @ np.swapaxes(seen, 1, 2) + self.H
        if self.ridge is not None:
            diagonal = np.arange(H.shape[1])
            H[:, diagonal, diagonal] += self.ridge
        return np.asarray(H)


class BentPoses:
    """Finds unknowns x = (w, s) with small costs, within limits.

    Measures are rows (r, s) times the values of the shapes at sliders w, and `linear` (r, free) times unknowns s after
    the sliders. A pose is given so many steps, or fewer where they do not help. After that one slider of each pose may
    go past a knot, where that alone lowers the cost, and the steps are repeated, up to `escapes` times; not with rows.
    """

    def __init__(
        self,
        combine: Combine,
        rows: Floats,
        limits: Limits,
        *,
        linear: Floats | None = None,
        steps: int = 3,
        escapes: int = 0,
    ) -> None:
        self._combine, self._limits, self._rows, self._steps = combine, limits, rows, steps
        self._escapes = escapes if limits.rows is None else 0
        self._linear = np.zeros((len(rows), 0)) if linear is None else linear
        straight = rows @ combine.straight_slopes
        self._straight = np.concatenate([straight, self._linear], axis=1)  # (r, n)
        self._knots = _interior_knots(combine, limits)  # (n, most)
        self._together = max(1, _BYTES // max(8 * self._straight.size, 1))

    def __call__(self, targets: PoseTargets, start: Floats) -> Floats:
        """Unknowns (f, n) from a start (f, n) within the limits."""
        x = np.array(start)
        for first in range(0, len(x), self._together):
            part = slice(first, first + self._together)
            asked = targets.of(part)
            x[part] = self._descend(asked, self._snapped(x[part]))
            for _ in range(self._escapes):
                past, moved = self._past_a_knot(asked, x[part])
                if not moved.any():
                    break
                x[first + np.flatnonzero(moved)] = self._descend(asked.of(np.flatnonzero(moved)), past[moved])
        return x

    def measures(self, x: Floats) -> Floats:
        """Measures (f, r) of unknowns (f, n)."""
        n = self._combine.sliders
        return np.asarray(self._combine(x[:, :n]) @ self._rows.T + x[:, n:] @ self._linear.T)

    def cost(self, targets: PoseTargets, x: Floats) -> Floats:
        """The costs (f,) of unknowns (f, n)."""
        return targets.cost(x, self.measures(x))

    def _descend(self, targets: PoseTargets, x: Floats) -> Floats:
        now, busy = self.cost(targets, x), np.arange(len(x))
        for _ in range(self._steps):
            asked, at = targets.of(busy), x[busy]
            there, costs = self._shortened(asked, at, self._goal(asked, at), now[busy])
            gain = now[busy] - costs
            better = gain > 0
            x[busy[better]], now[busy[better]] = self._snapped(there[better]), costs[better]
            busy = busy[gain > _GAINLESS * np.abs(costs)]
            if not len(busy):
                break
        return x

    def _past_a_knot(self, targets: PoseTargets, x: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Poses (f, n) with one slider each at a lower cost on another of its pieces, and which poses have one (f,)."""
        values, measures = self._combine(x[:, : self._combine.sliders]), self.measures(x)
        least = targets.cost(x, measures)
        best, worth = x.copy(), least - _WORTH * np.abs(least)
        for slider in np.flatnonzero(np.isfinite(self._knots).any(axis=1)).tolist():
            knots = self._knots[slider][np.isfinite(self._knots[slider])]
            may = np.ones(len(x), bool) if targets.off is None else ~targets.off[:, slider]
            for piece in pairwise([self._limits.low[slider], *knots, self._limits.high[slider]]):
                there, costs = self._lowest(targets, x, slider, piece, (values, measures))
                better = may & (costs < np.minimum(least, worth))
                best[better], least[better] = there[better], costs[better]
        return best, least < worth

    def _lowest(
        self, targets: PoseTargets, x: Floats, slider: int, piece: tuple[float, float], now: tuple[Floats, Floats]
    ) -> tuple[Floats, Floats]:
        """Poses (f, n) with one slider where the cost is lowest on a piece, along which it is a parabola; their costs.

        `now` are the values of the shapes (f, s) and the measures (f, r) at x.
        """
        ends, wide = np.repeat(x[None], 2, axis=0), piece[1] - piece[0]
        ends[:, :, slider] = np.array(piece)[:, None]
        change = self._combine(ends[:, :, : self._combine.sliders]) - now[0]  # (2, f, s)
        moving = np.flatnonzero(change.any(axis=(0, 1)))
        here, there = now[1] + change[:, :, moving] @ self._rows[:, moving].T
        left = targets.left(here)
        turn = (targets.left(there) - left) / wide
        first, last = (targets.own_slope(end)[:, slider] for end in ends)
        slope, curvature = (turn * left).sum(axis=1) + first, (turn**2).sum(axis=1) + (last - first) / wide
        step = np.clip(np.where(curvature > 0, -slope / np.where(curvature > 0, curvature, 1.0), 0.0), 0.0, wide)
        found = ends[0]
        found[:, slider] += step
        return found, targets.cost(found, here + (step / wide)[:, None] * (there - here))

    def _snapped(self, x: Floats) -> Floats:
        """Unknowns (f, n), exactly at a knot or a bound where they differ from it by rounding."""
        for stops in (self._limits.low, self._limits.high, *self._knots.T):
            x = np.where(np.abs(x - stops) <= _SAME, stops, x)
        return x

    def _shortened(self, targets: PoseTargets, x: Floats, goal: Floats, now: Floats) -> tuple[Floats, Floats]:
        """The goals (f, n), nearer to x where they do not cost less than `now` (f,), and their costs (f,)."""
        there, costs = goal.copy(), self.cost(targets, goal)
        for share in _SHORTER:
            worse = np.flatnonzero(~(costs < now))
            if not len(worse):
                break
            there[worse] = x[worse] + share * (goal[worse] - x[worse])
            costs[worse] = self.cost(targets.of(worse), there[worse])
        return there, costs

    def _goal(self, targets: PoseTargets, x: Floats) -> Floats:
        """The best unknowns (f, n) for the rig linearised about x (f, n), each slider on its piece."""
        left = targets.left(self.measures(x))
        down = self._leftward(targets, x, left)
        low, high = self._on_pieces(x, down, targets.off)
        slopes = self._slopes(np.where(down, np.nextafter(x, -np.inf), x))  # (f, n, r)
        slope = (slopes @ left[:, :, None])[:, :, 0] + targets.own_slope(x)
        H = targets.hessian(slopes)
        return solve_each(H, slope - (H @ x[:, :, None])[:, :, 0], low, high, x, rows=self._limits.rows).x

    def _slopes(self, x: Floats) -> Floats:
        """Derivatives (f, n, r) of the measures at unknowns (f, n)."""
        bent = self._combine.bent_shapes
        values = bent.slopes(x[:, : self._combine.sliders])  # (f, e)
        pose, entry = values.nonzero()
        count, unknowns = x.shape
        places = pose * unknowns + bent.slope_sliders[entry], bent.slope_shapes[entry]
        by_shape = sp.csr_array((values[pose, entry], places), shape=(count * unknowns, self._combine.shapes))
        slopes = (by_shape @ self._rows.T).reshape(count, unknowns, -1)
        slopes += self._straight.T
        return np.asarray(slopes)

    def _leftward(self, targets: PoseTargets, x: Floats, left: Floats) -> NDArray[np.bool_]:
        """Which unknowns (f, n) are at a knot and gain more by going down than by going up."""
        at_knot: NDArray[np.bool_] = (self._knots == x[:, :, None]).any(axis=2)
        some = np.flatnonzero(at_knot.any(axis=1))
        if not len(some):
            return at_knot
        by_shape, below = left[some] @ self._rows, np.where(at_knot[some], np.nextafter(x[some], -np.inf), x[some])
        own = targets.of(some).own_slope(x[some]) + left[some] @ self._straight
        up, down = (own + self._slope_of_bent(at, by_shape) for at in (x[some], below))
        at_knot[some] &= down > np.maximum(-up, 0.0)
        return at_knot

    def _slope_of_bent(self, x: Floats, by_shape: Floats) -> Floats:
        """What the bent shapes add to the slope (f, n) of a cost whose slope by the shapes is (f, s)."""
        bent = self._combine.bent_shapes
        values, sliders = bent.slopes(x[:, : self._combine.sliders]), bent.slope_sliders
        places = sliders, np.arange(len(sliders))
        to_slider = sp.csr_array((np.ones(len(sliders)), places), shape=(x.shape[1], len(sliders)))
        return np.asarray((to_slider @ (values * by_shape[:, bent.slope_shapes]).T).T)

    def _on_pieces(self, x: Floats, down: NDArray[np.bool_], off: NDArray[np.bool_] | None) -> tuple[Floats, Floats]:
        """Bounds (f, n) of the pieces that x is on, within the limits; at a knot the left one if `down`."""
        at, low, high = x[:, :, None], self._limits.low, self._limits.high
        below = np.where(down[:, :, None], self._knots < at, self._knots <= at)
        lows = np.maximum(low, np.where(below, self._knots, -np.inf).max(axis=2, initial=-np.inf))
        highs = np.minimum(high, np.where(below, np.inf, self._knots).min(axis=2, initial=np.inf))
        return (lows, highs) if off is None else (np.where(off, 0.0, lows), np.where(off, 0.0, highs))


def _interior_knots(combine: Combine, limits: Limits) -> Floats:
    """Where unknowns bend within their limits (n, most), infinite where there are fewer."""
    inside = {
        slider: at[(at > limits.low[slider]) & (at < limits.high[slider])].tolist() for slider, at in combine.knots()
    }
    knots = np.full((len(limits.low), max(map(len, inside.values()), default=0)), np.inf)
    for slider, at in inside.items():
        knots[slider, : len(at)] = at
    return knots
