"""Smoothing and key reduction of a solved clip, for editing by hand."""

from __future__ import annotations

import numpy as np

from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.filter import one_euro, smooth_clip, zero_phase
from facewright.motion.reduce import reduce_clip
from facewright.options import suggests_options
from facewright.rig.controls import CONTROLS

EURO = "euro"


@suggests_options
def finish_clip(clip: Clip, smooth: str = "", keys: float | None = None) -> Clip:
    """The clip smoothed and reduced; the head's motion is left as it is.

    smooth: "euro" for a one-euro filter, or a cutoff in Hz for a zero-phase one. keys: drop keys as long as no curve
    changes by more than this.
    """
    sliders = tuple(name for name in clip.curves if name not in CONTROLS)
    if smooth == EURO:
        clip = smooth_clip(clip, one_euro, curves=sliders)
    elif smooth:
        cutoff = cutoff_of(smooth)
        clip = smooth_clip(clip, lambda values, rate: zero_phase(values, rate, cutoff=cutoff), curves=sliders)
    return clip if keys is None else reduce_clip(clip, dict.fromkeys(sliders, keys))


def cutoff_of(smooth: str) -> float:
    """The cutoff in Hz that a text gives."""
    try:
        cutoff = float(smooth)
    except ValueError:
        cutoff = np.nan
    if not (np.isfinite(cutoff) and cutoff > 0):
        raise BadValue(f"smoothing is {EURO}, or a cutoff in Hz such as 6, not {smooth!r}")
    return cutoff
