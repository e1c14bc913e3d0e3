"""Pairs of sliders that are never both on, in one pose and in the frames of a take."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Rig
from facewright.solve.solution import Status
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.limits import Limits

_ON = 1e-9  # a weight above this is on


class ExclusivePairs:
    """The exclusive pairs of a rig in a solve from a start (n,). A pair that is both on at the start is left alone."""

    def __init__(self, deltas: DeltaMatrix, start: Floats) -> None:
        pairs = _pairs(deltas.rig)
        self._start = start
        was_on = np.abs(start[pairs]) > _ON  # (p, 2)
        self._pairs = pairs[~was_on.all(axis=1)]
        self._amount = deltas.amount(start) if len(self._pairs) else np.zeros(len(start))

    def solve(self, limits: Limits, solve: Callable[[Limits], tuple[Floats, Status]]) -> tuple[Floats, Status]:
        """What `solve` finds, a change (n,) from the start, with one slider of each pair kept where it was."""
        change, status = solve(limits)
        while len(conflicting := self._conflicting(change, limits)):
            limits = limits.locked(conflicting)
            change, status = solve(limits)
        return change, status

    def _conflicting(self, change: Floats, limits: Limits) -> Ints:
        """Sliders to keep where they were, since their partner was on before, or now moves the face more."""
        if not len(self._pairs):
            return self._pairs[:, 0]
        after = np.abs(self._start + change)
        both = self._pairs[(after[self._pairs] > _ON).all(axis=1)]
        was_on = np.abs(self._start[both]) > _ON
        chosen = np.where(was_on.any(axis=1), was_on.argmin(axis=1), (after * self._amount)[both].argmin(axis=1))
        sliders = both[np.arange(len(both)), chosen]
        return np.asarray(sliders[(limits.low[sliders] < 0) | (limits.high[sliders] > 0)])


def conflicting_frames(rig: Rig, amount: Floats, weights: Floats, window: int) -> NDArray[np.bool_] | None:
    """Which weights (frames, n) have to be 0, since the partner is on as well and moves the face more; None: none.

    What moves the face more is decided on the mean over a window of frames, so that the two do not alternate.
    """
    pairs = _pairs(rig)
    both = np.all(np.abs(weights[:, pairs]) > _ON, axis=2)  # (frames, pairs)
    if not both.any():
        return None
    from scipy.ndimage import uniform_filter1d

    moved = np.abs(weights[:, pairs]) * amount[pairs]
    lead = uniform_filter1d(moved[..., 0] - moved[..., 1], max(1, min(window, len(weights))), axis=0, mode="nearest")
    off = np.zeros(weights.shape, bool)
    for number, (first, second) in enumerate(pairs):
        behind = np.asarray(lead[:, number] < 0)
        off[both[:, number] & behind, first] = True
        off[both[:, number] & ~behind, second] = True
    return off


def _pairs(rig: Rig) -> Ints:
    """The sliders (p, 2) of the exclusive pairs."""
    found = [[rig.slider_index(name) for name in pair] for pair in rig.exclusive]
    return np.array(found, np.int64).reshape(-1, 2)
