"""Sliders that a take does not move."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Ints
from facewright.capture.options import FitOptions
from facewright.rig.evaluate import delta_rows
from facewright.rig.names import canonical
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy

_UNSEEN = ("eyeLook", "tongue")


def kept_off(rig: Rig, options: FitOptions) -> Ints:
    """Locked ones (k,), those of gaze and tongue unless wanted, and those that move what a rule keeps for others."""
    off = {rig.slider_index(name) for name in options.locked}
    if not options.gaze:
        off |= {i for i, name in enumerate(rig.sliders) if canonical(name).startswith(_UNSEEN)}
    for rule in rig.rules:
        if isinstance(rule, OnlyMovedBy):
            reach = np.linalg.norm(delta_rows(rig, rule.vertices), axis=2).max(axis=1, initial=0.0)
            shapes = [rig.shapes[i] for i in np.flatnonzero(reach > rule.tolerance * rig.size)]
            off |= {rig.slider_index(name) for shape in shapes for name in shape.sliders if name not in rule.sliders}
    return np.array(sorted(off), np.int64)
