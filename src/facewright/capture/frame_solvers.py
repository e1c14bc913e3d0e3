"""Two ways to solve the frames of a take on a linear rig: each by itself, and smoothed in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.smoothing import TemporalSmoother
from facewright.solve.many import ManySolutions, solve_many
from facewright.terms.limits import Limits

Off = NDArray[np.bool_] | None  # (frames, n) unknowns that have to be 0
_STALE = 2e-4  # of an unknown: a frame whose solution would move by less keeps it


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

    def beside(self, motion: Floats) -> tuple[Floats, Floats]:
        """What is added to the cost of a frame beside its markers: S (n, n) and pull (frames, n) of 1/2 x'Sx + pull'x.

        That is the ridge, and what other frames say for motions of the markers (frames, k, 3).
        """

    @property
    def spread(self) -> Floats:
        """Standard deviations of the unknowns (n,) by noise of 1 in every coordinate of the markers."""


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

    def beside(self, motion: Floats) -> tuple[Floats, Floats]:
        """The ridge alone."""
        return self._ridge * np.eye(self.unknowns), np.zeros((len(motion), self.unknowns))

    @property
    def spread(self) -> Floats:
        """Standard deviations of the unknowns (n,) by noise of 1, where all markers are seen."""
        B = self._rows.reshape(-1, self.unknowns)
        return _deviations(B.T @ B + self._ridge * np.eye(self.unknowns) + self._quadratic.H)


class SmoothedFrames:
    """The same, smooth in time (see smoothing.py); markers that are not seen count with the motion given for them.

    All frames have the same Hessian. When targets change a little, only the frames that this moves are solved again.
    """

    def __init__(
        self,
        rows: Floats,
        limits: Limits,
        ridge: float,
        precision: Floats,  # (n, n) of the unknowns of a frame by itself
        pace: float,  # per frame
        *,
        quadratic: FrameQuadratic | None = None,
    ) -> None:
        n = rows.shape[2]
        self._quadratic = quadratic or FrameQuadratic.ridge(0.0, n)
        self._B = rows.reshape(-1, n)
        self._H = self._B.T @ self._B + self._quadratic.H
        self._limits = limits
        self._smoother = TemporalSmoother(self._H + ridge * np.eye(n), precision, pace)
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

    def beside(self, motion: Floats) -> tuple[Floats, Floats]:
        """The ridge, and the precision that other frames add to a frame, about what they say."""
        asked = motion.reshape(len(motion), -1) @ self._B - self._quadratic.c
        values, vectors = np.linalg.eigh(self._smoother.metric - self._H)
        return (vectors * np.maximum(values, 0.0)) @ vectors.T, asked - self._smoother.pulls(asked)

    @property
    def spread(self) -> Floats:
        """Standard deviations of the unknowns (n,) by noise of 1, with what other frames say."""
        return _deviations(self._smoother.metric)

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


def _deviations(precision: Floats) -> Floats:
    """Standard deviations (n,) of unknowns with a precision (n, n)."""
    return np.asarray(np.sqrt(np.diag(np.linalg.pinv(precision, hermitian=True)).clip(0.0)))
