"""Pairs of sliders that are never both on, frame by frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d

from facewright.arrays import Floats
from facewright.rig.rig import Rig

_ON = 1e-9


def losers(rig: Rig, amount: Floats, weights: Floats, window: int) -> NDArray[np.bool_] | None:
    """Sliders (frames, n) that have to give way: their partner is on as well and moves the face more; None: nobody.

    Who moves it more is asked of the mean over a window of frames, so that the two do not take turns.
    """
    if not rig.exclusive:
        return None
    pairs = np.array([[rig.slider_index(name) for name in pair] for pair in rig.exclusive])
    both = np.all(np.abs(weights[:, pairs]) > _ON, axis=2)  # (frames, pairs)
    if not both.any():
        return None
    moved = np.abs(weights[:, pairs]) * amount[pairs]
    lead = uniform_filter1d(moved[..., 0] - moved[..., 1], max(1, min(window, len(weights))), axis=0, mode="nearest")
    off = np.zeros(weights.shape, bool)
    for number, (first, second) in enumerate(pairs):
        behind = np.asarray(lead[:, number] < 0)
        off[both[:, number] & behind, first] = True
        off[both[:, number] & ~behind, second] = True
    return off
