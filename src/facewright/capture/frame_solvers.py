"""Three ways to solve the frames of a take: each by itself, smoothed in time, and with correctives from a first fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.smoothing import TemporalSmoother
from facewright.rig.combine import Combine
from facewright.solve.many import ManySolutions, solve_many
from facewright.solve.qp import solve_qp
from facewright.terms.limits import Limits

Off = NDArray[np.bool_] | None  # (frames, n) unknowns that have to be 0
_STALE = 2e-4  # of an unknown: a frame whose solution would move by less keeps it
_STEPS = 8
_HALVINGS = 5
_SMALL = 1e-4  # the search ends with a step of which no unknown is larger


@dataclass(frozen=True, eq=False)
class FrameTargets:
    """What is wanted of every frame."""

    motion: Floats  # (frames, k, 3) of the markers, also where they are not seen
    seen: NDArray[np.bool_]  # (frames, k)
    price: Floats  # (n,) of a unit of each unknown
    off: Off = None


@dataclass(frozen=True, eq=False)
class FrameQuadratic:
    """1/2 x'Hx + c'x, added to the cost of every frame."""

    H: Floats  # (n, n)
    c: Floats  # (n,)

    @classmethod
    def ridge(cls, stiffness: float, n: int) -> FrameQuadratic:
        """Stiffness / 2 |x|^2 for n unknowns."""
        return cls(stiffness * np.eye(n), np.zeros(n))


class FrameSolver(Protocol):
    """Unknowns (frames, n) for targets."""

    def __call__(self, targets: FrameTargets) -> ManySolutions: ...

    def prior(self, x: Floats) -> tuple[Floats, Floats]:
        """Where other frames and the ridge draw unknowns (frames, n), and how strongly (n, n)."""


class IndependentFrames:
    """1/2 |B x - m|^2 + ridge/2 |x|^2 + price'x + the quadratic within limits, over the markers that are seen.

    Frames that show the same markers share a Hessian.
    """

    def __init__(self, rows: Floats, limits: Limits, ridge: float, *, quadratic: FrameQuadratic | None = None) -> None:
        self._rows, self._limits, self._ridge = rows, limits, ridge
        self._quadratic = quadratic or FrameQuadratic.ridge(0.0, self.unknowns)

    @property
    def unknowns(self) -> int:
        """How many unknowns a frame has."""
        return int(self._rows.shape[2])

    def motion(self, x: Floats) -> Floats:
        """Motion of the markers (frames, k, 3) by unknowns (frames, n)."""
        k, _, n = self._rows.shape
        return (x @ self._rows.reshape(3 * k, n).T).reshape(-1, k, 3)

    def __call__(self, targets: FrameTargets) -> ManySolutions:
        n = self.unknowns
        x, solved = np.zeros((len(targets.motion), n)), np.ones(len(targets.motion), bool)
        patterns, which = np.unique(targets.seen, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            frames = np.flatnonzero(which.ravel() == number)
            B = self._rows[pattern].reshape(-1, n)
            C = targets.price - targets.motion[frames][:, pattern].reshape(len(frames), -1) @ B + self._quadratic.c
            H = B.T @ B + self._ridge * np.eye(n) + self._quadratic.H
            off = None if targets.off is None else targets.off[frames]
            found = solve_many(H, C, self._limits.low, self._limits.high, rows=self._limits.rows, off=off)
            x[frames], solved[frames] = found.x, found.solved
        return ManySolutions(x, solved)

    def prior(self, x: Floats) -> tuple[Floats, Floats]:
        """The ridge alone."""
        return np.zeros_like(x), self._ridge * np.eye(x.shape[1])


class SmoothedFrames:
    """The same, smooth in time (see smoothing.py); markers that are not seen count with the motion given for them.

    All frames have the same Hessian. When targets change a little, only the frames that this moves are solved again.
    """

    def __init__(
        self,
        rows: Floats,
        limits: Limits,
        ridge: float,
        stiffness: Floats,  # (n, n)
        *,
        quadratic: FrameQuadratic | None = None,
    ) -> None:
        n = rows.shape[2]
        self._quadratic = quadratic or FrameQuadratic.ridge(0.0, n)
        self._B = rows.reshape(-1, n)
        self._H = self._B.T @ self._B + self._quadratic.H
        self._limits = limits
        self._smoother = TemporalSmoother(self._H + ridge * np.eye(n), stiffness)
        self._last: tuple[Floats, Off, ManySolutions] | None = None
        self._last_slopes: tuple[FrameTargets, Floats] | None = None

    def __call__(self, targets: FrameTargets) -> ManySolutions:
        C = self._slopes(targets)
        stale = self._stale(C, targets.off)
        off = None if targets.off is None else targets.off[stale]
        limits = self._limits
        found = solve_many(self._smoother.metric, C[stale], limits.low, limits.high, rows=limits.rows, off=off)
        if not stale.all():
            assert self._last is not None
            x, solved = self._last[2].x.copy(), self._last[2].solved.copy()
            x[stale], solved[stale] = found.x, found.solved
            C = C if self._last[0] is C else np.where(stale[:, None], C, self._last[0])
            found = ManySolutions(x, solved)
        self._last = C, targets.off, found
        return found

    def _slopes(self, targets: FrameTargets) -> Floats:
        """The linear terms (frames, n), kept for the next call if only `off` changes."""
        last = self._last_slopes
        if last is None or last[0].motion is not targets.motion or last[0].price is not targets.price:
            asked = targets.motion.reshape(len(targets.motion), -1) @ self._B - self._quadratic.c
            last = self._last_slopes = targets, targets.price - self._smoother.pulls(asked)
        return last[1]

    def prior(self, x: Floats) -> tuple[Floats, Floats]:
        """The smoothed unknowns, and the precision that other frames add to a frame."""
        metric = self._smoother.metric
        smooth = np.asarray(np.linalg.solve(metric, self._smoother.pulls(x @ self._H).T).T, np.float64)
        values, vectors = np.linalg.eigh(metric - self._H)
        return smooth, (vectors * np.maximum(values, 0.0)) @ vectors.T

    def _stale(self, C: Floats, off: Off) -> NDArray[np.bool_]:
        """Frames whose last solution is not good enough for the new linear terms (frames, n)."""
        if self._last is None or len(self._last[0]) != len(C):
            return np.ones(len(C), bool)
        before, off_before, _ = self._last
        stale = np.zeros(len(C), bool) if before is C else np.abs(self._smoother.moved(C - before)).max(axis=1) > _STALE
        if off is not None or off_before is not None:
            none = np.zeros(C.shape, bool)
            stale |= ((none if off is None else off) != (none if off_before is None else off_before)).any(axis=1)
        return np.asarray(stale)


class CorrectiveFrames:
    """Frames of a rig with in-betweens or combinations, by Gauss-Newton steps within limits, halved until they help.

    min 1/2 |f(w) + A s - m|^2 over the markers that are seen + price'x + the quadratic + 1/2 (x - near)' S (x - near),
    x = (w, s). f are the markers by the shapes, and s the unknowns after the sliders, which move markers linearly.
    """

    def __init__(
        self,
        combine: Combine,
        rows: tuple[Floats, Floats],
        limits: Limits,
        quadratic: FrameQuadratic,
    ) -> None:
        self._combine, self._quadratic, self._limits = combine, quadratic, limits
        self._by_shape, self._linear = rows  # (k, 3, s), (k, 3, free)

    def __call__(self, targets: FrameTargets, start: Floats, near: Floats, S: Floats) -> Floats:
        """Unknowns x (frames, n + free) from a start (frames, n + free)."""
        frames = zip(targets.motion, targets.seen, start, near, strict=True)
        found = [self._frame(wanted, seen, targets.price, at, (to, S)) for wanted, seen, at, to in frames]
        return np.array(found).reshape(start.shape)

    def _frame(
        self, wanted: Floats, seen: NDArray[np.bool_], price: Floats, start: Floats, prior: tuple[Floats, Floats]
    ) -> Floats:
        near, S = prior
        G, g = self._quadratic.H, self._quadratic.c
        by_shape, linear = (rows[seen].reshape(3 * int(seen.sum()), -1) for rows in (self._by_shape, self._linear))
        combine, n, target, limits = self._combine, self._combine.sliders, wanted[seen].ravel(), self._limits

        def residual(x: Floats) -> Floats:
            return np.asarray(by_shape @ combine(x[:n]) + linear @ x[n:] - target)

        def cost(x: Floats) -> float:
            left, away = residual(x), x - near
            return float(left @ left / 2 + price @ x + away @ S @ away / 2 + x @ G @ x / 2 + g @ x)

        x, now = start, cost(start)
        for _ in range(_STEPS):
            slopes = np.concatenate([by_shape @ combine.jacobian(x[:n]), linear], axis=1)
            H = slopes.T @ slopes + S + G
            c = slopes.T @ residual(x) + price + S @ (x - near) + G @ x + g - H @ x
            step = solve_qp(H, c, limits.low, limits.high, rows=limits.rows).x - x
            sizes = (0.5**halving for halving in range(_HALVINGS))
            better = next((size for size in sizes if cost(x + size * step) < now), None)
            if better is None:
                break
            x = np.clip(x + better * step, limits.low, limits.high)
            now = cost(x)
            if np.abs(better * step).max(initial=0.0) < _SMALL:
                break
        return x
