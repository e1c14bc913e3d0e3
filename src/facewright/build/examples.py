"""Examples: poses of the target, each with a guess of its weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.build.target import Face, TargetFace, is_mirrored, positions_of
from facewright.errors import BadValue, OutOfPlace
from facewright.mesh.align import Similarity, align
from facewright.rig.rig import Rig

_STEADY = 0.01  # of the rig's size, or as a rotation or scale: a pose that is off by more was exported elsewhere
_RESIZED = 0.08  # a pose whose size differs by more has another unit, or belongs to another head
_SAME = 1e-6  # change of the weights of vertices that ends the search for where a head is


@dataclass(frozen=True, eq=False)
class Example:
    """One example pose."""

    name: str
    positions: Floats  # (v, 3) in the coordinates of the given neutral
    motion: Floats  # (v, 3) offsets from the neutral, in the template's coordinates
    guess: Floats  # (n,) weights within the bounds
    named: bool = True  # whether the guess was given, or is one of many sliders or by a prior that knows usual values


def example_of(
    template: Rig,
    target: TargetFace,
    face: Face,
    weights: Mapping[str, float] | ArrayLike,
    *,
    name: str,
    align_pose: bool = False,
) -> Example:
    """A pose of the target's topology and place; with align_pose it is rotated, moved and scaled onto
    the target first.
    """
    what = f"pose {name!r}"
    positions = positions_of(template, face, what)
    guess = _guess(template, weights, what)
    if is_mirrored(positions, target.neutral):
        raise BadValue(f"{what} is a mirror image of the neutral; negate one axis of its vertices, such as x")
    off = _off(target, positions)
    if align_pose:
        positions = off(positions)
    else:
        _check_place(off, what, target)
    return Example(name, positions, target.into_place(positions) - target.placed, guess)


def _guess(template: Rig, weights: Mapping[str, float] | ArrayLike, what: str) -> Floats:
    guess = template.weights(weights)
    if guess.ndim != 1:
        raise BadValue(f"{what} needs one row of weights, but {len(guess)} were given")
    low, high = template.bounds.T
    outside = np.flatnonzero((guess < low - 1e-9) | (guess > high + 1e-9))
    if len(outside):
        i = outside[0]
        raise BadValue(
            f"{what}: {template.sliders[i]} is {guess[i]:g}, but the slider goes from {low[i]:g} to {high[i]:g}"
        )
    return np.clip(guess, low, high)


def _off(target: TargetFace, positions: Floats) -> Similarity:
    """The similarity that would bring a pose onto the neutral, estimated from the vertices that move least in any
    shape.
    """
    points, neutral = positions[target.steady], target.neutral[target.steady]
    least = 1e-6 * target.size / target.to_template.scale
    weights = np.ones(len(points))
    for _ in range(10):  # vertices that move count less (weights of Geman and McClure)
        found = align(points, neutral, weights, scaled=True)
        far = np.linalg.norm(found(points) - neutral, axis=1)
        before, scale = weights, max(float(np.median(far)), least)
        weights = 1 / (1 + (far / (3 * scale)) ** 2) ** 2
        if np.abs(weights - before).max() < _SAME:
            break
    return found


def _check_place(off: Similarity, what: str, target: TargetFace) -> None:
    if abs(np.log(off.scale)) > _RESIZED:
        raise OutOfPlace(
            f"{what} is {1 / off.scale:.4g} times as large as the neutral",
            f"scale it by {off.scale:.4g}, or let it be aligned with align_poses=True (--align-poses)",
        )
    angle = float(np.arccos(np.clip((np.trace(off.rotation) - 1) / 2, -1, 1)))
    middle = target.neutral.mean(axis=0)
    shift = float(np.linalg.norm(off(middle) - middle)) * target.to_template.scale / (target.size or 1.0)
    if angle > _STEADY or shift > _STEADY:
        raise OutOfPlace(
            f"the head of {what} is turned by {np.degrees(angle):.2g} degrees and moved by {shift:.1%} of its size"
            " against the neutral",
            "take that out, or let it be aligned with align_poses=True (--align-poses)",
        )
