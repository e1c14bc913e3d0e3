"""The published inverse rig with correctives, by coordinate descent, written from its description.

Rackovic, Soares, Jakovetic and Desnica 2023, "High-fidelity interpretable inverse rig: an accurate and sparse solution
optimizing the quartic blendshape model": min |f(w) - m|^2 over the whole mesh + alpha sum w, 0 <= w <= 1, where f are
the shapes of single sliders and of products of up to four. All weights start at 0 and are visited in turn, those that
move the face most first; each is set to the exact minimum with the others held. As a function of one weight f is
straight, so that the minimum is that of a parabola. Where a slider has in-betweens, which the paper has not, f is
straight between knots, and the best of the pieces is taken.

It gets what makes it fast here: all frames at once, few coordinates in place of thousands of vertices, and for each
slider the shapes alone that it drives.
"""

from dataclasses import dataclass

import numpy as np

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.rig.combine import Combine

_SWEEPS = 30
_SETTLED = 1e-3  # sweeps end when no weight of any frame changes by more


@dataclass(frozen=True, eq=False)
class _Slider:
    """What one slider drives."""

    at: int
    stops: Floats  # (k,) its bounds, and the knots between them
    rows: Floats  # (r, own)
    combine: Combine  # of the shapes that it drives


class CoordinateDescent:
    """Weights within 0 and 1 for meshes in coordinates (r,), of which rows (r, s) give the shapes'."""

    def __init__(self, rig: fw.Rig, rows: Floats) -> None:
        self._rows, self._combine = rows, Combine(rig)
        knots = dict(self._combine.knots())
        moved = np.linalg.norm(rows @ self._combine(np.eye(len(rig.sliders))).T, axis=0)
        self._sliders = [_slider(rig, rows, int(at), knots.get(int(at))) for at in np.argsort(-moved)]

    def __call__(self, wanted: Floats, alpha: float) -> Floats:
        """Weights (frames, n) for meshes (frames, r)."""
        weights = np.zeros((len(wanted), self._combine.sliders))
        left = self._combine(weights) @ self._rows.T - wanted
        for _ in range(_SWEEPS):
            before = weights.copy()
            for slider in self._sliders:
                _set_to_best(slider, weights, left, alpha)
            if np.abs(weights - before).max(initial=0.0) < _SETTLED:
                break
        return weights

    def cost(self, weights: Floats, wanted: Floats, alpha: float) -> Floats:
        """What is minimised, for each frame (frames,)."""
        left = self._combine(weights) @ self._rows.T - wanted
        return np.asarray((left**2).sum(axis=1) + alpha * weights.sum(axis=1))


def _slider(rig: fw.Rig, rows: Floats, at: int, knots: Floats | None) -> _Slider:
    own: Ints = np.array([i for i, shape in enumerate(rig.shapes) if rig.sliders[at] in shape.sliders], np.int64)
    inside = [] if knots is None else [knot for knot in knots if 0 < knot < 1]
    combine = Combine.of([rig.shapes[i] for i in own], rig.sliders, rig.bounds)
    return _Slider(at, np.array([0.0, *inside, 1.0]), rows[:, own], combine)


def _set_to_best(slider: _Slider, weights: Floats, left: Floats, alpha: float) -> None:
    """Set one slider in all frames (frames, n), and what is left (frames, r), in place."""
    tried = np.repeat(weights[None], len(slider.stops), axis=0)
    tried[:, :, slider.at] = slider.stops[:, None]
    values = slider.combine(tried)  # (k, frames, own)
    others = left - slider.combine(weights) @ slider.rows.T
    best = np.full(len(weights), np.inf)
    found, left_then = weights[:, slider.at].copy(), left.copy()
    for low, high, here, there in zip(slider.stops[:-1], slider.stops[1:], values[:-1], values[1:], strict=True):
        base, turn = others + here @ slider.rows.T, (there - here) @ slider.rows.T / (high - low)
        curvature = (turn**2).sum(axis=1)
        slope = (turn * base).sum(axis=1) + alpha / 2
        step = np.where(curvature > 0, -slope / np.where(curvature > 0, curvature, 1.0), np.where(slope > 0, -1.0, 0.0))
        step = np.clip(step, 0.0, high - low)
        then = base + step[:, None] * turn
        cost = (then**2).sum(axis=1) + alpha * (low + step)
        better = cost < best
        best[better], found[better], left_then[better] = cost[better], (low + step)[better], then[better]
    weights[:, slider.at], left[:] = found, left_then
