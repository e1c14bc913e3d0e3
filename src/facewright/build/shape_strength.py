"""The scale between a shape and its weights: a shape twice as strong with half the weights makes the same poses.

The poses do not determine this scale, so the iterations drift along it, first towards the template's strength. What
determines it are the guesses of weights, that the weights of all poses are of like size, their bounds, and the
template: a person's shapes are as strong as its, up to what all have in common and what each has of its own. All of
these are normal distributions, of weights or of logarithms of strengths. The belief in a factor s is their product,
kept on a grid of log s, while what is common and how large weights usually are is weighed over a second and a third
grid. Solved weights w have the density of s w times s, without which rough guesses would make all shapes too strong,
and assumed ones too weak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.build.slider_evidence import UNUSUAL, USUAL
from facewright.rig.rig import Rig

_GUESS = 0.12  # assumed error of a guessed weight before the guesses are compared
_CONVINCED = 4.0  # number of guesses that outweigh this assumption
_USED = 0.02  # a slider at this weight takes part in a pose
# Assumed error of the template's strength, as a share: this times the cube of what free weights leave of the poses,
# within limits. A template whose shapes fit as they are is to be trusted more than rough guesses.
_MISFIT, _SURE, _UNSURE = 550.0, 0.01, 0.5
_TOGETHER = 0.1  # most of the same of all shapes together, which is what is left: people and templates differ in size
_UNKNOWN = 0.15  # assumed error of what is usual
_BEYOND = 0.1  # of a full value: how far solved weights may be beyond it by mistake
_MANY = 1.0  # weights: how alike all are counts by a quarter where there are so many, as the square
_LEAST = 0.2  # of a full value: how much weights differ at least
_GRID, _TRIED = 81, 9  # points of the grids of factors, and of what is usual
_APART = np.linspace(-8, 8, 17)  # the same of what is common, as multiples of its assumed error
_NEVER = -300.0  # logarithm of a likelihood: the product of two is still a number
_UNLIKELY = 6.0  # standard deviations
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


@dataclass(frozen=True)
class TemplateDoubt:
    """Assumed errors of the template's strengths, as shares."""

    each: float  # of each shape by itself
    together: float  # of all shapes

    @classmethod
    def of(cls, misfit: float) -> TemplateDoubt:
        """Where its shapes leave such a share of the poses' motion."""
        return cls(min(max(_MISFIT * misfit**3, _SURE), _UNSURE), min(misfit, _TOGETHER))

    @property
    def furthest(self) -> float:
        """The largest logarithm of a factor that is looked at: beyond it nothing is likely."""
        return min(float(np.log(_FAR)), _UNLIKELY * self.each + float(_APART[-1]) * self.together)


def strengths(
    weights: Floats,
    guesses: Floats,
    grown: Floats,
    doubt: TemplateDoubt,
    *,
    each: Floats | None = None,
    given: NDArray[np.bool_] | None = None,
    counts: Floats | None = None,
) -> Floats:
    """Factors (k,) by which to multiply each slider's weights and to divide its shape.

    For weights and guesses (m, k) as shares of full values, and the strength (k,) of the shapes relative to the
    template's.
    each: assumed errors (k,) of the template's strengths, by default as doubted.
    given: which guesses (m, k) were given, by default all that are not 0; others are not looked at.
    counts: how much each weight (m, k) tells, from 0 to 1; by default fully.
    """
    if not weights.shape[1]:
        return np.ones(0)
    on = np.abs(weights) > _USED
    named = on & (guesses != 0) & (True if given is None else given)
    counts = np.where(on, 1.0 if counts is None else counts, 0.0)
    sizes, told = np.abs(weights), guesses * np.sign(weights)
    noise, spread = _noises(sizes, told, named)
    theirs = np.log(np.clip(np.where(grown > 0, grown, 1.0), 1 / _FAR, _FAR))
    logs = theirs[:, None] + doubt.furthest * np.linspace(-1, 1, _GRID)  # (k, grid)
    tried = np.linspace(-3, 3, _TRIED)
    used = counts.sum(axis=0)  # (k,)
    alike = float((used.sum() / (used.sum() + _MANY)) ** 2)
    usual, common = USUAL + _UNKNOWN * tried, doubt.together * _APART
    told_alone = (
        _guessed(logs, sizes, told, counts * named) / noise**2 + _within(logs, sizes) + alike * used[:, None] * logs
    )
    told_ours = told_alone + alike * _like_size(logs, sizes, counts, usual) / spread**2  # (u, k, grid)
    own = np.broadcast_to(doubt.each if each is None else each, theirs.shape)[:, None]
    beside = -0.5 * ((logs - theirs[:, None] + common[:, None, None]) / own) ** 2  # (c, k, grid)
    ours, others = _likely(told_ours), _likely(beside)  # (k, u, grid), (k, c, grid)
    whole = ours @ others.swapaxes(1, 2)  # (k, u, c)
    peaks = told_ours.max(axis=2)[:, None] + beside.max(axis=2)[None]  # (u, c, k)
    evidence = np.log(whole).sum(axis=0) + peaks.sum(axis=2) - 0.5 * (tried[:, None] ** 2 + _APART**2)
    belief = np.exp(evidence - evidence.max())
    density = (ours * ((belief / belief.sum() / whole) @ others)).sum(axis=1)  # (k, grid)
    # the mean factor, not that of its logarithm: poses are as far off by a shape too strong as by one too weak
    factors, typical = (density * np.exp(logs)).sum(axis=1), np.exp((density * logs).sum(axis=1))
    # few poses say little about shapes that are in none of them
    return np.asarray(np.where(used > 0, factors, typical**alike))


def _likely(logarithms: Floats) -> Floats:
    """Likelihoods (k, n, grid) of their logarithms (n, k, grid), relative to the largest of each; none is quite 0."""
    most = logarithms.max(axis=2, keepdims=True)
    return np.ascontiguousarray(np.exp(np.maximum(logarithms - most, _NEVER)).swapaxes(0, 1))


def _guessed(logs: Floats, weights: Floats, guesses: Floats, counts: Floats) -> Floats:
    """Half the negative squares (k, grid) of what is between guesses (m, k) and weights times each factor."""
    terms = weights**2, weights * guesses, guesses**2
    square, both, own = ((counts * one).sum(axis=0)[:, None] for one in terms)
    return np.asarray(-0.5 * (square * np.exp(2 * logs) - 2 * both * np.exp(logs) + own))


def _like_size(logs: Floats, weights: Floats, counts: Floats, usual: Floats) -> Floats:
    """The same (u, k, grid) between weights times each factor and what is usual (u,)."""
    square, both, own = ((counts * one).sum(axis=0)[:, None] for one in (weights**2, weights, np.ones_like(weights)))
    centres = usual[:, None, None]
    return np.asarray(-0.5 * (square * np.exp(2 * logs) - 2 * centres * both * np.exp(logs) + own * centres**2))


def _within(logs: Floats, weights: Floats) -> Floats:
    """What the bounds of weights (m, k) say of each factor (k, grid)."""
    beyond = np.maximum(weights.max(axis=0, initial=0.0)[:, None] * np.exp(logs) - 1, 0.0)
    return np.asarray(-0.5 * (beyond / _BEYOND) ** 2)


def _noises(weights: Floats, guesses: Floats, named: NDArray[np.bool_]) -> tuple[float, float]:
    """Standard deviations of given guesses (m, k) about the weights, and of the weights about their mean.

    The first from what is left when each slider's weights are scaled to fit its guesses, the second from how the
    guesses differ; both from what is assumed where there are few.
    """
    square = (named * weights**2).sum(axis=0)
    factor = np.divide((named * weights * guesses).sum(axis=0), square, out=np.ones(len(square)), where=square > 0)
    several = named.sum(axis=0) > 1
    left = (np.where(named, guesses - weights * factor, 0.0)[:, several] ** 2).sum()
    spare = int((named.sum(axis=0) - 1)[several].sum())
    noise = float(np.sqrt((left + _CONVINCED * _GUESS**2) / (spare + _CONVINCED)))
    values = guesses[named]
    apart = float(((values - values.mean()) ** 2).sum()) if len(values) else 0.0
    spread = (apart + _CONVINCED * (UNUSUAL**2 + noise**2)) / (len(values) + _CONVINCED) - noise**2
    return noise, float(np.sqrt(max(spread, _LEAST**2)))


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
