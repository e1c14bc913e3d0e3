"""Frames of a rig with in-betweens and combinations: Gauss-Newton steps of all frames at once.

A step solves one small bounded problem for each frame, the rig linearised about the frame's pose. In a step every
slider stays on its straight piece between two knots; the next step continues on the other side. A frame takes a step,
or a part of it, only if that lowers its true cost, so that no frame is worse than what it started from.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.frame_solvers import FrameQuadratic, FrameTargets
from facewright.rig.combine import Combine
from facewright.solve.each import solve_each
from facewright.terms.limits import Limits

_STEPS = 3
_SHORTER = (0.5, 0.25, 0.1, 0.02)  # of a step that does not lower the cost
_GAINLESS = 1e-4  # of a frame's cost: a frame that gains less in a step is left as it is
_TOGETHER = 128  # frames whose Hessians are kept at one time


class CorrectiveFrames:
    """Unknowns x = (w, s) of every frame that make its cost small, within limits.

    1/2 |f(w) + A s - m|^2 over the markers that are seen + price'x + the quadratic + 1/2 x'S x + pull'x, where f are
    the markers by the shapes, s unknowns after the sliders that move markers in proportion, and S (n, n) and pull
    (frames, n) are what other frames say.
    """

    def __init__(
        self, combine: Combine, rows: tuple[Floats, Floats], limits: Limits, quadratic: FrameQuadratic
    ) -> None:
        by_shape, linear = rows  # (k, 3, s), (k, 3, free)
        self._combine, self._quadratic, self._limits = combine, quadratic, limits
        self._by_shape = by_shape.reshape(-1, combine.shapes)  # (3k, s)
        self._linear = linear.reshape(len(self._by_shape), -1)  # (3k, free)
        straight = self._by_shape @ combine.straight_slopes
        self._straight = np.concatenate([straight, self._linear], axis=1)  # (3k, n + free)
        self._knots = _interior_knots(combine, limits)

    def __call__(self, targets: FrameTargets, start: Floats, S: Floats, pull: Floats) -> Floats:
        """Unknowns (frames, n + free) from a start (frames, n + free) within the limits."""
        x = start.copy()
        for first in range(0, len(x), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            cost = _Cost(self, targets, part, S, pull)
            x[part] = self._descend(cost, x[part])
        return x

    def _descend(self, cost: _Cost, x: Floats) -> Floats:
        now, busy = cost(x, np.arange(len(x))), np.arange(len(x))
        for _ in range(_STEPS):
            at = x[busy]
            step = self._goal(cost, at, busy) - at
            there = cost(at + step, busy)
            size = np.ones(len(busy))
            for shorter in _SHORTER:
                worse = np.flatnonzero(~(there < now[busy]))
                if not len(worse):
                    break
                size[worse] = shorter
                there[worse] = cost(at[worse] + shorter * step[worse], busy[worse])
            better = there < now[busy]
            gain = now[busy] - there
            x[busy[better]] = (at + size[:, None] * step)[better]
            now[busy[better]] = there[better]
            busy = busy[better & (gain > _GAINLESS * np.abs(there))]
            if not len(busy):
                break
        return x

    def _goal(self, cost: _Cost, x: Floats, frames: Ints) -> Floats:
        """The best unknowns (f, n + free) of some frames for the rig linearised about x (f, n + free)."""
        low, high = cost.bounds(frames)
        left = self.residual(x, cost.wanted[frames]) * cost.seen[frames]
        down = self._leftward(cost, x, left, frames)
        low, high = self._on_pieces(x, down, low, high)
        slopes = self._slopes(np.where(down, np.nextafter(x, -np.inf), x))  # (f, n + free, 3k)
        slope = (slopes @ left[:, :, None])[:, :, 0] + cost.slope(x, frames)
        slopes *= cost.seen[frames, None]
        H = slopes @ np.swapaxes(slopes, 1, 2) + cost.H
        C = slope - (H @ x[:, :, None])[:, :, 0]
        return solve_each(H, C, low, high, x, rows=self._limits.rows).x

    def residual(self, x: Floats, wanted: Floats) -> Floats:
        """How far the markers (f, 3k) are from where they are wanted (f, 3k)."""
        n = self._combine.sliders
        return np.asarray(self._combine(x[:, :n]) @ self._by_shape.T + x[:, n:] @ self._linear.T - wanted)

    def _slopes(self, x: Floats) -> Floats:
        """Derivatives (f, n + free, 3k) of the markers at unknowns (f, n + free)."""
        shapes, sliders, values = self._combine.bent_slopes(x[:, : self._combine.sliders])
        frame, entry = values.nonzero()
        count, unknowns = x.shape
        bent = sp.csr_array(
            (values[frame, entry], (frame * unknowns + sliders[entry], shapes[entry])),
            shape=(count * unknowns, self._combine.shapes),
        )
        found = (bent @ self._by_shape.T).reshape(count, unknowns, -1)
        found += self._straight.T
        return np.asarray(found)

    def _leftward(self, cost: _Cost, x: Floats, left: Floats, frames: Ints) -> NDArray[np.bool_]:
        """Which unknowns (f, n + free) are at a knot and gain more by going down than by going up."""
        at_knot: NDArray[np.bool_] = (self._knots == x[:, :, None]).any(axis=2)
        some = np.flatnonzero(at_knot.any(axis=1))
        if not len(some):
            return at_knot
        by_shape, own = left[some] @ self._by_shape, cost.slope(x[some], frames[some])
        up, down = (
            own + left[some] @ self._straight + self._slope_of_bent(at, by_shape)
            for at in (x[some], np.where(at_knot[some], np.nextafter(x[some], -np.inf), x[some]))
        )
        at_knot[some] &= down > np.maximum(-up, 0.0)
        return at_knot

    def _slope_of_bent(self, x: Floats, by_shape: Floats) -> Floats:
        """What the bent shapes add to the slope (f, n + free) of a cost whose slope by the shapes is (f, s)."""
        shapes, sliders, values = self._combine.bent_slopes(x[:, : self._combine.sliders])
        to_slider = sp.csr_array(
            (np.ones(len(sliders)), (sliders, np.arange(len(sliders)))), (x.shape[1], len(sliders))
        )
        return np.asarray((to_slider @ (values * by_shape[:, shapes]).T).T)

    def _on_pieces(self, x: Floats, down: NDArray[np.bool_], low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Bounds (f, n + free) without what is beyond the pieces that x is on; at a knot the left one if `down`."""
        at = x[:, :, None]
        below = np.where(down[:, :, None], self._knots < at, self._knots <= at)
        low = np.maximum(low, np.where(below, self._knots, -np.inf).max(axis=2, initial=-np.inf))
        return low, np.minimum(high, np.where(below, np.inf, self._knots).min(axis=2, initial=np.inf))


class _Cost:
    """The cost of some frames of a take."""

    def __init__(self, of: CorrectiveFrames, targets: FrameTargets, part: slice, S: Floats, pull: Floats) -> None:
        self._of, self._limits, quadratic = of, of._limits, of._quadratic
        self.wanted = targets.motion[part].reshape(-1, len(of._by_shape))
        self.seen = np.repeat(targets.seen[part], 3, axis=1).astype(np.float64)
        self.H = S + quadratic.H
        self._c = targets.price + quadratic.c + pull[part]
        self._off = None if targets.off is None else targets.off[part]

    def __call__(self, x: Floats, frames: Ints) -> Floats:
        """The costs (f,) of unknowns (f, n) of some frames."""
        left = self._of.residual(x, self.wanted[frames]) * self.seen[frames]
        of_unknowns = ((x @ self.H / 2 + self._c[frames]) * x).sum(axis=1)
        return np.asarray((left**2).sum(axis=1) / 2 + of_unknowns)

    def slope(self, x: Floats, frames: Ints) -> Floats:
        """The slope (f, n) of the cost without that of the markers."""
        return np.asarray(x @ self.H + self._c[frames])

    def bounds(self, frames: Ints) -> tuple[Floats, Floats]:
        """Bounds (f, n), (f, n) of the unknowns."""
        shape = len(frames), len(self._limits.low)
        low, high = np.broadcast_to(self._limits.low, shape), np.broadcast_to(self._limits.high, shape)
        if self._off is None:
            return low, high
        off = self._off[frames]
        return np.where(off, 0.0, low), np.where(off, 0.0, high)


def _interior_knots(combine: Combine, limits: Limits) -> Floats:
    """Where unknowns bend within their limits (n, most), infinite where there are fewer."""
    inside = {
        slider: at[(at > limits.low[slider]) & (at < limits.high[slider])].tolist() for slider, at in combine.knots()
    }
    knots = np.full((len(limits.low), max(map(len, inside.values()), default=0)), np.inf)
    for slider, at in inside.items():
        knots[slider, : len(at)] = at
    return knots
