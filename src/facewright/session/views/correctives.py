"""In-betweens and combinations as the workbench lists and draws them."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from facewright.rig.combine import factor_ends
from facewright.rig.correctives import corrective_corners, corrective_kinds, factor_curve
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.session.context import Context
from facewright.session.views.view import view


class FactorInfo(Struct):
    """A slider that drives a shape: where it is full, where it falls to 0, and its curve, straight between points."""

    slider: str
    at: float
    low: float | None  # None: it does not fall on this side
    high: float | None
    own: bool  # whether the ends were given, and are not those that follow from the slider
    straight: bool  # it is the slider's value itself
    curve: list[tuple[float, float]]  # slider values, increasing, and what the factor is worth


class CorrectiveInfo(Struct):
    """An in-between, a combination, or the end target of a slider that has in-betweens."""

    name: str
    kind: str  # in-between, combination or end
    index: int  # of the shape
    additive: bool
    factors: list[FactorInfo]
    corners: list[list[float]]  # poses to check, as values of the factors' sliders


def _driving(context: Context) -> tuple[Any, ...]:
    """All that the list is made from, as plain values: a brush that changes offsets does not make it anew."""
    rig = context.document.value.rig
    shapes = tuple((shape.name, shape.factors, shape.additive) for shape in rig.shapes)
    return shapes, rig.sliders, tuple(rig.bounds.ravel().tolist())


@view("correctives", _driving)
def correctives(context: Context) -> list[CorrectiveInfo]:
    """The in-betweens and combinations of the document's rig."""
    rig = context.document.value.rig
    index = {name: i for i, name in enumerate(rig.shape_names)}
    return [
        CorrectiveInfo(
            name=name,
            kind=kind.value,
            index=index[name],
            additive=rig.shapes[index[name]].additive,
            factors=_factors(rig, rig.shapes[index[name]]),
            corners=corrective_corners(rig, rig.shapes[index[name]]).tolist(),
        )
        for name, kind in corrective_kinds(rig).items()
    ]


def _factors(rig: Rig, shape: Shape) -> list[FactorInfo]:
    found = []
    for place, factor in enumerate(shape.factors):
        curve = [(x, y) for x, y in factor_curve(rig, shape, place).tolist()]
        ends = _neighbours(curve, factor.at)
        if shape.additive:
            ends = factor_ends(factor, rig.bounds[rig.slider_index(factor.slider)])
        low, high = (None, None) if ends is None else map(_finite, ends)
        found.append(FactorInfo(factor.slider, factor.at, low, high, factor.span is not None, ends is None, curve))
    return found


def _finite(end: float) -> float | None:
    return end if np.isfinite(end) else None


def _neighbours(curve: list[tuple[float, float]], at: float) -> tuple[float, float] | None:
    """Where a target falls to 0 on both sides of its value."""
    below = [x for x, _ in curve if x < at]
    above = [x for x, _ in curve if x > at]
    return max(below, default=-np.inf), min(above, default=np.inf)
