"""Sliders that a point on the skin does not ask for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Rig
from facewright.rig.roles import role_of

_AS_FAST = (
    0.3  # as fast as a slider of another role: a slider of the skin that moves a point so far is what it asks for
)


def off_skin(rig: Rig) -> NDArray[np.bool_]:
    """Which sliders (n,) are for gaze, pupils, visemes or the tongue, or are presets of the whole face."""
    return np.array([role_of(name) != "skin" for name in rig.sliders], bool)


def unasked_sliders(off_skin: NDArray[np.bool_], speed: Floats) -> Ints:
    """Those of the sliders off the skin (k,) that no point asks for; `speed` (points, n) is how fast each moves each.

    A point asks for them where no slider of the skin moves it at a similar speed: on an eye, on the tongue, or on a rig
    that has nothing else there.
    """
    skin = speed[:, ~off_skin].max(axis=1, initial=0.0)[:, None]
    asked = ((speed > 0) & (_AS_FAST * speed > skin)).any(axis=0)
    return np.flatnonzero(off_skin & ~asked)
