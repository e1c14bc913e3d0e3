"""Pairs of sliders that are never both on, frame by frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.rig.rig import Rig

_ON = 1e-9


def losers(rig: Rig, amount: Floats, weights: Floats) -> NDArray[np.bool_] | None:
    """Sliders (frames, n) that have to give way: their partner is on as well and moves the face more; None: nobody."""
    if not rig.exclusive:
        return None
    pairs = np.array([[rig.slider_index(name) for name in pair] for pair in rig.exclusive])
    on = np.abs(weights[:, pairs]) > _ON  # (frames, pairs, 2)
    frames, which = np.nonzero(on.all(axis=2))
    if not len(frames):
        return None
    moved = np.abs(weights[frames[:, None], pairs[which]]) * amount[pairs[which]]
    off = np.zeros(weights.shape, bool)
    off[frames, pairs[which, moved.argmin(axis=1)]] = True
    return off
