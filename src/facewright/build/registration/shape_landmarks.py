"""Landmarks from shapes that both rigs have: a blink shows the eye, a smile the corner of the mouth."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.rig.names import match_names
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_PEAK = 0.7  # of a shape's largest motion: vertices that move at least as far define its centre

# Shapes that move mainly one small place. Others, such as cheekPuff or jawForward, have no definite centre.
_POINTED = (
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "noseSneerLeft",
    "noseSneerRight",
    "browOuterUpLeft",
    "browOuterUpRight",
    "jawOpen",
)


def shape_landmarks(source: Rig, target: Rig) -> dict[str, tuple[int, int]]:
    """Vertices of both rigs at the centre of what such shapes move, by the shape's ARKit name."""
    ours, theirs = (_places(rig) for rig in (source, target))
    found: dict[str, tuple[int, int]] = {}
    for name in ours:
        pair = (ours[name], theirs.get(name, -1))
        taken = any(pair[0] == one or pair[1] == other for one, other in found.values())
        if pair[1] >= 0 and not taken:
            found[name] = pair
    return found


def _places(rig: Rig) -> dict[str, int]:
    named = match_names(_POINTED, rig.shape_names).pairs
    shapes = {name: rig.shape(own) for name, own in named.items()}
    return {name: _middle(rig.neutral, shape) for name, shape in shapes.items() if shape.offsets.any()}


def _middle(neutral: Floats, shape: Shape) -> int:
    """The vertex nearest to the centre of the vertices that a shape moves furthest."""
    lengths = np.linalg.norm(shape.offsets, axis=1)
    most = shape.vertices[lengths >= _PEAK * lengths.max()]
    return int(most[np.linalg.norm(neutral[most] - neutral[most].mean(axis=0), axis=1).argmin()])
