"""What an edit of the rig means for work that began before it."""

from __future__ import annotations

import numpy as np

from facewright.rig.rig import Rig
from facewright.rig.shape import Shape


def same_sliders(before: Rig, after: Rig) -> bool:
    """Whether both have the same sliders with the same bounds, in any order."""
    bounds = [dict(zip(rig.sliders, rig.bounds.tolist(), strict=True)) for rig in (before, after)]
    return bounds[0] == bounds[1]


def why_outdated(before: Rig, after: Rig) -> str:
    """Why weights that were solved for one rig do not move the other alike; "" where they do.

    Ties, exclusive pairs, rules, groups and the order of sliders may differ.
    """
    if before is after:
        return ""
    same_mesh = np.array_equal(before.neutral, after.neutral) and np.array_equal(before.triangles, after.triangles)
    if not same_mesh:
        return "Another face is open"
    if not same_sliders(before, after) or not _same_shapes(before, after):
        return "Shapes or sliders of the rig were changed"
    return ""


def _same_shapes(before: Rig, after: Rig) -> bool:
    known = {shape.name: shape for shape in before.shapes}
    same_names = known.keys() == {shape.name for shape in after.shapes}
    return same_names and all(_same(known[shape.name], shape) for shape in after.shapes)


def _same(one: Shape, other: Shape) -> bool:
    driven = [(shape.sliders, shape.at, shape.spans, shape.additive) for shape in (one, other)]
    if one is other or driven[0] != driven[1]:
        return one is other
    return np.array_equal(one.vertices, other.vertices) and np.array_equal(one.offsets, other.offsets)
