"""Changes of the offsets of one shape: its strength, and what the face looks like with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import floats
from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.edit.brush import LEAST_VALUE, fully_on
from facewright.rig.edit.shapes import replace_shape
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig


def scale_shape(rig: Rig, name: str, factor: float) -> Rig:
    """Make a shape stronger or weaker: its offsets are multiplied by a factor other than 0."""
    if not np.isfinite(factor) or factor == 0:
        raise BadValue(f"the strength of a shape is multiplied by a number other than 0, not {factor}")
    old = rig.shape(name)
    return rig.with_shape(replace(old, offsets=old.offsets * factor))


@suggests_options
def fit_shape(rig: Rig, name: str, target: ArrayLike, *, weights: Mapping[str, float] | ArrayLike | None = None) -> Rig:
    """Change the offsets of one shape so that the face in a pose is the target (v, 3).

    weights: the pose in which the target was made, by default the sliders of the shape where it is fully on.
    """
    shape = rig.shape(name)
    wanted = floats("target", target, (rig.vertex_count, 3))
    pose = fully_on(rig, shape) if weights is None else rig.pose(weights)
    value = float(Combine(rig)(pose)[rig.shape_names.index(name)])
    if abs(value) < LEAST_VALUE:
        raise BadValue(
            f"shape {name!r} is at {value:.2g} in this pose, so that it cannot bring the face to the target; "
            f"set {', '.join(shape.sliders)} so that it is on"
        )
    return replace_shape(rig, name, shape.dense(rig.vertex_count) + (wanted - evaluate(rig, pose)) / value)
