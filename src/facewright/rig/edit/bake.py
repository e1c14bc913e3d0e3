"""Poses made permanent: as a shape or as the neutral; and a rig in another unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig.edit.shapes import add_shape
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import StaysWithin
from facewright.rig.shape import Shape


@suggests_options
def combine_shapes(
    rig: Rig,
    name: str,
    weights: Mapping[str, float] | ArrayLike,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    group: str | None = None,
) -> Rig:
    """Add a shape with its own slider; at 1 it does what the rig does at the weights (n,) or names to values.

    bounds, group: of the new slider; the group is found from the name by default.
    """
    posed = evaluate(rig, rig.pose(weights))
    return add_shape(rig, Shape.from_dense(name, posed - rig.neutral), bounds=bounds, group=group)


@suggests_options
def bake_pose(rig: Rig, weights: Mapping[str, float] | ArrayLike, *, shift_bounds: bool = False) -> Rig:
    """Make a pose the neutral. Shapes keep their offsets, so that any weights add to it what they added before.

    On a linear rig the new face at w is then the old face at w + pose. With in-betweens and combinations it is not: the
    pose's sliders start from 0 again, and combinations with them are not active.
    shift_bounds: shift the bounds so that every slider reaches what it reached before; otherwise they stay as they are.
    """
    pose = rig.pose(weights)
    bounds = rig.bounds - pose[:, None] if shift_bounds else rig.bounds
    return replace(rig, neutral=evaluate(rig, pose), bounds=bounds)


def scale(rig: Rig, factor: float) -> Rig:
    """The rig in another unit: every length is multiplied by a positive factor."""
    if not (np.isfinite(factor) and factor > 0):
        raise BadValue(f"a rig is scaled by a positive number, not {factor}")
    shapes = (replace(shape, offsets=shape.offsets * factor) for shape in rig.shapes)
    rules = tuple(
        replace(rule, distance=rule.distance * factor) if isinstance(rule, StaysWithin) else rule for rule in rig.rules
    )
    return replace(rig, neutral=rig.neutral * factor, shapes=tuple(shapes), rules=rules)
