"""In-betweens and combinations as a rigger checks them: which shapes they are, their curves, the poses to look at."""

from __future__ import annotations

from enum import Enum
from itertools import product

import numpy as np

from facewright.arrays import Floats
from facewright.rig.combine import Combine, factor_values
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_MOST = 500  # poses that somebody would look at


class CorrectiveKind(Enum):
    """What a shape is that does not follow one slider in proportion."""

    IN_BETWEEN = "in-between"
    COMBINATION = "combination"
    END = "end"  # the target at the end of a slider that has in-betweens


def corrective_kinds(rig: Rig) -> dict[str, CorrectiveKind]:
    """The shapes that do not follow one slider in proportion, and what they are."""
    targets: dict[str, list[float]] = {}
    for shape in rig.shapes:
        if not shape.additive:
            targets.setdefault(shape.sliders[0], []).append(shape.at[0])
    return {
        rig.shapes[i].name: _kind(rig.shapes[i], targets.get(rig.shapes[i].sliders[0], []))
        for i in Combine(rig).bent.tolist()
    }


def _kind(shape: Shape, targets: list[float]) -> CorrectiveKind:
    if shape.is_combination:
        return CorrectiveKind.COMBINATION
    at = shape.at[0]
    is_last = not any(other * at > 0 and abs(other) > abs(at) for other in targets)
    return CorrectiveKind.END if is_last and not shape.additive else CorrectiveKind.IN_BETWEEN


def factor_curve(rig: Rig, shape: Shape, place: int) -> Floats:
    """What a factor of a shape is worth: its bends within the slider's bounds, as slider values and values (k, 2).

    It is straight between them.
    """
    factor = shape.factors[place]
    bounds = rig.bounds[rig.slider_index(factor.slider)]
    if shape.additive:
        bends = {0.0, factor.at, *(factor.span or ())}
    else:
        own = [other for other in rig.shapes if not other.additive and other.sliders == shape.sliders]
        bends = {0.0, *(other.at[0] for other in own)}
    x = np.array(sorted({*bounds.tolist(), *(value for value in bends if bounds[0] < value < bounds[1])}))
    if shape.additive:
        return np.stack([x, factor_values(factor, bounds, x)], axis=1)
    values = Combine.of(own, (factor.slider,), bounds[None])(x[:, None])
    return np.stack([x, values[:, [other.name for other in own].index(shape.name)]], axis=1)


def corrective_corners(rig: Rig, shape: Shape) -> Floats:
    """The poses (c, f) in which to check a shape, as values of its sliders; all others are 0.

    Every mix of the values where its factors are full, bend or end, and of 0. The first is where the shape is fully
    on; the pose in which all are 0 is left out. Where these are more than 500, bends and ends are left out; where that
    is not enough, only those with all full, all but one, and one alone are given.
    """
    each = [_values_to_check(rig, shape, place) for place in range(len(shape.factors))]
    if _is_too_many(each):
        each = [[values[0], 0.0] for values in each]
    if not _is_too_many(each):
        return np.array([mix for mix in product(*each) if any(mix)]).reshape(-1, len(each))
    full, one = np.array([values[0] for values in each]), np.eye(len(each), dtype=bool)
    return np.concatenate([full[None], np.where(one, 0.0, full), np.where(one, full, 0.0)])[:_MOST]


def _is_too_many(each: list[list[float]]) -> bool:
    return float(np.prod([float(len(values)) for values in each])) > _MOST + 1


def _values_to_check(rig: Rig, shape: Shape, place: int) -> list[float]:
    """Values of one slider: where the factor is full, then its other bends and ends by size, then 0."""
    at = shape.at[place]
    low, high = rig.bounds[rig.slider_index(shape.sliders[place])].tolist()
    full = min(max(at, low), high)
    others = []
    for value, worth in factor_curve(rig, shape, place).tolist():
        is_far_side = value * at < 0 and worth == 0
        if value not in (0.0, full) and not is_far_side:
            others.append(value)
    return [value for value in (full, *sorted(others, key=abs, reverse=True)) if value != 0] + [0.0]
