"""Sliders with in-betweens and combinations: a fit about the neutral, brought to what the shapes really do.

Frame by frame, from where the fit is: the shapes' slopes there, a bounded step, halved until it helps (Gauss, Newton).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.frame_solvers import FrameTargets
from facewright.capture.markers import BoundRig
from facewright.solve.qp import solve_qp

_STEPS = 8
_HALVINGS = 5
_SMALL = 1e-4  # step of an unknown that ends the search


class Straightened:
    """min 1/2 |f(w) + A s - m|^2 over the believed markers + price'x + 1/2 (x - near)' S (x - near), within limits.

    s are the unknowns after the sliders, whose motion of the markers A (k, 3, free) is straight.
    """

    def __init__(self, bound: BoundRig, straight: Floats, limits: tuple[Floats, Floats]) -> None:
        self._bound, self._straight = bound, straight
        self._low, self._high = limits

    def __call__(self, asked: FrameTargets, start: Floats, near: Floats, stay: Floats) -> Floats:
        """Unknowns x = (w, s) (frames, n + free) from a start (frames, n + free)."""
        frames = zip(asked.motion, asked.seen, start, near, strict=True)
        found = [self._frame(wanted, seen, asked.price, at, (to, stay)) for wanted, seen, at, to in frames]
        return np.array(found).reshape(start.shape)

    def _frame(
        self, wanted: Floats, seen: NDArray[np.bool_], price: Floats, start: Floats, pull: tuple[Floats, Floats]
    ) -> Floats:
        near, stay = pull
        of_shapes, straight = (
            rows[seen].reshape(3 * int(seen.sum()), -1) for rows in (self._bound.shape_rows, self._straight)
        )
        combine, n, target = self._bound.combine, self._bound.combine.sliders, wanted[seen].ravel()

        def left(x: Floats) -> Floats:
            return np.asarray(of_shapes @ combine(x[:n]) + straight @ x[n:] - target)

        def cost(x: Floats) -> float:
            off = left(x)
            return float(off @ off / 2 + price @ x + (x - near) @ stay @ (x - near) / 2)

        x, now = start, cost(start)
        for _ in range(_STEPS):
            slopes = np.concatenate([of_shapes @ combine.jacobian(x[:n]), straight], axis=1)
            H = slopes.T @ slopes + stay
            c = slopes.T @ left(x) + price + stay @ (x - near) - H @ x
            step = solve_qp(H, c, self._low, self._high).x - x
            sizes = (0.5**halving for halving in range(_HALVINGS))
            better = next((size for size in sizes if cost(x + size * step) < now), None)
            if better is None:
                break
            x = np.clip(x + better * step, self._low, self._high)
            now = cost(x)
            if np.abs(better * step).max(initial=0.0) < _SMALL:
                break
        return x
