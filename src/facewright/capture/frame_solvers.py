"""Two ways to solve all frames of a take for what their markers ask: each frame alone, or steadied by the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.smoothing import TemporalSmoother
from facewright.solve.limits import Rows
from facewright.solve.many import ManySolutions, solve_many
from facewright.solve.qp import ParametricQP

Off = NDArray[np.bool_] | None  # (frames, n) unknowns that are 0
_STALE = 2e-4  # how far an unknown would move: frames that ask for less than that again keep their answer


@dataclass(frozen=True, eq=False)
class FrameTargets:
    """What is wanted of every frame."""

    motion: Floats  # (frames, k, 3) of the markers, also where they are not seen
    seen: NDArray[np.bool_]  # (frames, k)
    price: Floats  # (n,) of a unit of each unknown
    off: Off = None


class FrameSolver(Protocol):
    """Unknowns (frames, n) for what is asked."""

    def __call__(self, asked: FrameTargets) -> ManySolutions: ...

    def pull(self, x: Floats) -> tuple[Floats, Floats]:
        """Where other frames and the ridge draw unknowns (frames, n), and how strongly (n, n)."""


class IndependentFrames:
    """1/2 |B x - m|^2 + ridge/2 |x|^2 + price'x within bounds, over the markers that are seen and nothing else.

    Frames that show the same markers share a quadratic. convex: x together at most 1 (Joshi 2003, eq. 2).
    """

    def __init__(self, rows: Floats, limits: tuple[Floats, Floats], ridge: float, *, convex: bool = False) -> None:
        self._rows, (self._low, self._high), self._ridge, self._convex = rows, limits, ridge, convex

    @property
    def unknowns(self) -> int:
        return int(self._rows.shape[2])

    def motion(self, x: Floats) -> Floats:
        """How far unknowns (frames, n) take the markers (frames, k, 3)."""
        k, _, n = self._rows.shape
        return (x @ self._rows.reshape(3 * k, n).T).reshape(-1, k, 3)

    def __call__(self, asked: FrameTargets) -> ManySolutions:
        n = self.unknowns
        x, solved = np.zeros((len(asked.motion), n)), np.ones(len(asked.motion), bool)
        patterns, which = np.unique(asked.seen, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            frames = np.flatnonzero(which.ravel() == number)
            B = self._rows[pattern].reshape(-1, n)
            C = asked.price - asked.motion[frames][:, pattern].reshape(len(frames), -1) @ B
            H = B.T @ B + self._ridge * np.eye(n)
            off = None if asked.off is None else asked.off[frames]
            found = self._whole_faces(H, C) if self._convex else solve_many(H, C, self._low, self._high, off=off)
            x[frames], solved[frames] = found.x, found.solved
        return ManySolutions(x, solved)

    def pull(self, x: Floats) -> tuple[Floats, Floats]:
        return np.zeros_like(x), self._ridge * np.eye(x.shape[1])

    def _whole_faces(self, H: Floats, C: Floats) -> ManySolutions:
        together = Rows(np.ones((1, len(H))), np.array([-np.inf]), np.array([1.0]))
        qp = ParametricQP(H, self._low, self._high, rows=together)
        found = [qp.solve(c) for c in C]
        return ManySolutions(np.array([one.x for one in found]), np.array([one.solved for one in found]))


class SmoothedFrames:
    """The same with steadiness in time (see steady.py); markers that are not seen count with the motion given for them.

    One quadratic serves all frames. Asked again for nearly the same, only frames that it matters to are solved anew.
    """

    def __init__(self, rows: Floats, limits: tuple[Floats, Floats], ridge: float, restless: Floats) -> None:
        self._B = rows.reshape(-1, rows.shape[2])
        self._low, self._high = limits
        self._steady = TemporalSmoother(self._B.T @ self._B + ridge * np.eye(rows.shape[2]), restless)
        self._last: tuple[Floats, Off, ManySolutions] | None = None
        self._heard: tuple[FrameTargets, Floats] | None = None

    def __call__(self, asked: FrameTargets) -> ManySolutions:
        C = self._slopes(asked)
        stale = self._stale(C, asked.off)
        off = None if asked.off is None else asked.off[stale]
        found = solve_many(self._steady.metric, C[stale], self._low, self._high, off=off)
        if not stale.all():
            assert self._last is not None
            x, solved = self._last[2].x.copy(), self._last[2].solved.copy()
            x[stale], solved[stale] = found.x, found.solved
            C = C if self._last[0] is C else np.where(stale[:, None], C, self._last[0])
            found = ManySolutions(x, solved)
        self._last = C, asked.off, found
        return found

    def _slopes(self, asked: FrameTargets) -> Floats:
        """The linear terms (frames, n); asked twice for the same motion, as when sliders are shut, once."""
        if self._heard is None or self._heard[0].motion is not asked.motion or self._heard[0].price is not asked.price:
            told = asked.motion.reshape(len(asked.motion), -1) @ self._B
            self._heard = asked, asked.price - self._steady.pulls(told)
        return self._heard[1]

    def pull(self, x: Floats) -> tuple[Floats, Floats]:
        metric = self._steady.metric
        H = self._B.T @ self._B
        calm = np.asarray(np.linalg.solve(metric, self._steady.pulls(x @ H).T).T, np.float64)
        values, vectors = np.linalg.eigh(metric - H)
        return calm, (vectors * np.maximum(values, 0.0)) @ vectors.T

    def _stale(self, C: Floats, off: Off) -> NDArray[np.bool_]:
        """Frames whose answer to what was asked last is not good enough for what is asked now."""
        if self._last is None or len(self._last[0]) != len(C):
            return np.ones(len(C), bool)
        before, off_before, _ = self._last
        stale = np.zeros(len(C), bool) if before is C else np.abs(self._steady.moved(C - before)).max(axis=1) > _STALE
        if off is not None or off_before is not None:
            none = np.zeros(C.shape, bool)
            stale |= ((none if off is None else off) != (none if off_before is None else off_before)).any(axis=1)
        return np.asarray(stale)
