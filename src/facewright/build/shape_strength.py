"""The scale between a shape and its weights: a shape twice as strong with half the weights makes the same poses.

The poses do not determine this scale, so the iterations drift along it, first towards the template's strength. The
guessed weights and the template determine it. Both are weighted by how reliable they are: the guesses count more, the
more poses use the shape and the better the guesses agree with each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Rig

_GUESS = 0.12  # assumed error of a guessed weight before the guesses are compared
_CONVINCED = 4.0  # number of guesses that outweigh this assumption
_USED = 0.02  # a slider at this weight takes part in a pose
# Assumed error of the template's strength, as a share: this times the cube of what free weights leave of the poses,
# within limits. A template whose shapes fit as they are is to be trusted more than rough guesses.
_MISFIT, _SURE, _UNSURE = 550.0, 0.03, 0.5
_COMMON = 0.03  # assumed error of the strength of all shapes together: people and templates differ in size
_FAR = 4.0  # largest factor by which a shape's strength changes in one step


def free_in_strength(template: Rig) -> tuple[Ints, Ints]:
    """Sliders (k,) that alone drive one shape in proportion, and these shapes (k,)."""
    drives: dict[str, list[int]] = {name: [] for name in template.sliders}
    for i, shape in enumerate(template.shapes):
        for name in shape.sliders:
            drives[name].append(i)
    alone = [
        (slider, shapes[0])
        for slider, shapes in enumerate(drives.values())
        if len(shapes) == 1 and not template.shapes[shapes[0]].is_combination
    ]
    sliders, shapes = np.array(alone, np.int64).reshape(-1, 2).T
    return sliders, shapes


def unsure(misfit: float) -> float:
    """Assumed error of the template's strengths, where its shapes leave such a share of the poses' motion."""
    return min(max(_MISFIT * misfit**3, _SURE), _UNSURE)


def strengths(
    weights: Floats, guesses: Floats, grown: Floats, error: float, given: NDArray[np.bool_] | None = None
) -> Floats:
    """Factors (k,) by which to multiply each slider's weights and to divide its shape.

    For weights and guesses (m, k), and the strength (k,) of the shapes relative to the template's, whose assumed error
    is given; see `unsure`. What all guesses have in common against the template counts for every shape.
    given: which guesses (m, k) were given, by default all. Assumed ones tell nothing of what all have in common.
    """
    square = (weights**2).sum(axis=0)
    ours = np.divide((weights * guesses).sum(axis=0), square, out=np.ones(len(square)), where=square > 0)
    spread = _spread(weights, guesses, ours)
    ours, theirs = (np.clip(np.where(one > 0, one, 1.0), 1 / _FAR, _FAR) for one in (ours, grown))
    # as shares of the template's: logarithms of noisy guesses would all be too small, or count the more the larger
    apart = ours / theirs - 1
    trust = square * theirs**2 / spread**2, np.full(len(square), 1 / error**2)
    told = trust[0] if given is None else (given * weights**2).sum(axis=0) * theirs**2 / spread**2
    joint = np.where(square > 0, told * trust[1] / (told + trust[1]), 0.0)
    common = float(joint @ apart) / (float(joint.sum()) + 1 / _COMMON**2)
    factor = theirs * (1 + (trust[0] * apart + trust[1] * common) / (trust[0] + trust[1]))
    return np.where(square > 0, factor, 1.0)


def _spread(weights: Floats, guesses: Floats, factor: Floats) -> float:
    """Standard deviation of the guesses, from what is left when each slider's weights are scaled to fit its guesses."""
    used = weights > _USED
    several = used.sum(axis=0) > 1
    left = (np.where(used, guesses - weights * factor, 0.0)[:, several] ** 2).sum()
    spare = int((used.sum(axis=0) - 1)[several].sum())
    return float(np.sqrt((left + _CONVINCED * _GUESS**2) / (spare + _CONVINCED)))


def shown(known: Floats, moved: Sequence[Ints], offsets: Sequence[Floats]) -> Floats:
    """Shares (m, s) of each shape's motion at vertices where a pose tells about it, and lacks nothing.

    known: how much each pose tells at each vertex (m, v), from 0 to 1. moved and offsets: (k,) and (k, 3) of each
    shape. A pose counts for the strength of a shape by this share.
    """
    shares = np.ones((len(known), len(offsets)))
    for i, (vertices, some) in enumerate(zip(moved, offsets, strict=True)):
        squares = (some**2).sum(axis=1)
        if squares.any():
            shares[:, i] = known[:, vertices] @ squares / squares.sum()
    return shares


def room(weights: Floats, bounds: Floats) -> Floats:
    """Largest factors (k,), at least 1, by which each slider's weights (m, k) can be multiplied within its
    bounds (k, 2).
    """
    low, high = bounds.T
    free = np.full(len(bounds), np.inf)
    for limit, furthest in ((high, weights.max(axis=0, initial=0.0)), (low, weights.min(axis=0, initial=0.0))):
        free = np.minimum(free, np.divide(limit, furthest, out=np.full(len(bounds), np.inf), where=furthest != 0))
    return np.asarray(np.maximum(free, 1.0))
