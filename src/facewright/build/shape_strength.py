"""Which of a shape's sizes is meant: a shape twice as strong with half the weights makes the same poses.

Nothing in the poses tells the two apart, so the steps drift along it, towards the template's strength at first, and
come back slowly. The guessed weights can tell, and so can the template: both are believed as far as they can be
trusted, guesses the more, the more poses use the shape and the better the guesses agree among themselves.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Rig

_GUESS = 0.12  # how far off a guessed weight is taken to be, before they have been compared
_CONVINCED = 4.0  # as many guesses as that outweigh it
_USED = 0.02  # a slider at that weight takes part in a pose
_TEMPLATE = 0.3  # how far off, as a share, the strength of the template's shape is
_FAR = 4.0  # a shape is not made stronger or weaker by more than this at once


def free_in_strength(template: Rig, closing: Collection[int]) -> tuple[Ints, Ints]:
    """Sliders (k,) that drive one shape in proportion, and these shapes (k,); those that close have their strength."""
    drives: dict[str, list[int]] = {name: [] for name in template.sliders}
    for i, shape in enumerate(template.shapes):
        for name in shape.sliders:
            drives[name].append(i)
    alone = [
        (slider, shapes[0])
        for slider, shapes in enumerate(drives.values())
        if len(shapes) == 1 and not template.shapes[shapes[0]].is_combination and shapes[0] not in closing
    ]
    sliders, shapes = np.array(alone, np.int64).reshape(-1, 2).T
    return sliders, shapes


def strengths(weights: Floats, guesses: Floats, grown: Floats) -> Floats:
    """By how much to multiply each slider's weights (k,), and to divide its shape.

    For weights and guesses (m, k), and shapes that have grown by so much (k,) against the template's.
    """
    square = (weights**2).sum(axis=0)
    factor = np.divide((weights * guesses).sum(axis=0), square, out=np.ones(len(square)), where=square > 0)
    spread = _spread(weights, guesses, factor)
    ours, theirs = (np.clip(np.where(one > 0, one, 1.0), 1 / _FAR, _FAR) for one in (factor, grown))
    trust = square * ours**2 / spread**2, 1 / _TEMPLATE**2
    factor = np.exp((trust[0] * np.log(ours) + trust[1] * np.log(theirs)) / (trust[0] + trust[1]))
    return np.where(square > 0, factor, 1.0)


def _spread(weights: Floats, guesses: Floats, factor: Floats) -> float:
    """How far off a guess is: what is left of all where each slider's weights are made as strong as they say."""
    used = weights > _USED
    several = used.sum(axis=0) > 1
    left = (np.where(used, guesses - weights * factor, 0.0)[:, several] ** 2).sum()
    spare = int((used.sum(axis=0) - 1)[several].sum())
    return float(np.sqrt((left + _CONVINCED * _GUESS**2) / (spare + _CONVINCED)))


def room(weights: Floats, bounds: Floats) -> Floats:
    """By how much each slider's weights (m, k) can be multiplied inside its bounds (k, 2), 1 at the least."""
    low, high = bounds.T
    free = np.full(len(bounds), np.inf)
    for limit, furthest in ((high, weights.max(axis=0, initial=0.0)), (low, weights.min(axis=0, initial=0.0))):
        free = np.minimum(free, np.divide(limit, furthest, out=np.full(len(bounds), np.inf), where=furthest != 0))
    return np.asarray(np.maximum(free, 1.0))
