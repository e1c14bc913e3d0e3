"""Attenuation over a clip: a layer that keeps selected points where a reference pose has them, frame by frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.layer import Layer
from facewright.options import suggests_options
from facewright.pose.attenuation import Attenuation
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.terms.selection import Selection

_SAME = 1e-9  # a slider that attenuation changes less has no curve


@suggests_options
def attenuation_layer(
    rig: Rig,
    clip: Clip,
    selection: Selection | ArrayLike | Mapping[int, str],
    reference: Mapping[str, float] | ArrayLike | None = None,
    alpha: float | None = None,
    *,
    locked: Sequence[str] = (),
    prior: Prior | None = None,
    name: str = "attenuation",
) -> Layer:
    """An additive layer that turns every frame of a clip into the attenuated one (Lewis 2005, eq. 3).

    The frames are those of `clip.times()`, with the layers that it has. `reference` is the pose whose places the
    selected points keep; by default the neutral face. The layer's weight fades the attenuation in and out.
    Locked sliders keep their curves.
    """
    if not clip.moved:
        raise BadValue(f"clip {clip.name!r} has no curves, so there is nothing to attenuate")
    hold = Attenuation(rig, selection, reference, alpha, locked=locked, prior=prior)
    times = clip.times()
    plain = clip.sample(rig.sliders, times, rig.bounds)
    found = np.array([hold.solve(weights).weights for weights in plain])
    change = found - plain
    moved = np.flatnonzero(np.abs(change).max(axis=0) > _SAME)
    return Layer(name, "additive", {rig.sliders[i]: Curve(times, change[:, i]) for i in moved})
