"""The shape keys that a rig becomes: one for each slider, and driven ones for correctives. Knows no Blender.

A key's value is its slider's. An in-between is what it adds to the straight line of its slider, so that the key of the
slider stays what an artist knows, and the driver of the in-between is a hat.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from facewright.errors import BadValue
from facewright.rig.combine import Combine, factor_ends
from facewright.rig.correctives import corrective_corners
from facewright.rig.edit.in_betweens import additive_in_betweens
from facewright.rig.rig import Rig
from facewright.rig.shape import Factor, Shape

from . import expression

_FURTHEST = 10.0  # that Blender lets a key's value go
_LONGEST = 63  # bytes of a name


@dataclass(frozen=True, eq=False)
class PlannedKey:
    """One shape key."""

    shape: Shape  # its name and offsets
    low: float
    high: float
    factors: tuple[Factor, ...] = ()  # whose product drives it; none: it is a slider

    @property
    def name(self) -> str:
        return self.shape.name

    @property
    def expression(self) -> str:
        return expression.product(self.factors, self.variables)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the sliders that drive it, as its expression writes them."""
        return expression.variable_names([factor.slider for factor in self.factors])


def key_plan(rig: Rig) -> tuple[PlannedKey, ...]:
    """The keys of a rig: its sliders in their order, then its correctives."""
    straight = additive_in_betweens(rig)
    bounds = dict(zip(straight.sliders, straight.bounds, strict=True))
    own: dict[str, Shape] = {}
    driven: list[tuple[Shape, tuple[Factor, ...], Shape]] = []
    for shape in straight.shapes:
        scaled, factors = _driving(shape, bounds)
        if factors == (Factor(shape.name, 1.0, None),):
            own[shape.name] = scaled
        else:
            driven.append((scaled, factors, shape))
    sliders = [_slider(name, own.get(name), bounds[name]) for name in straight.sliders]
    taken = {key.name for key in sliders} | {shape.name for shape, _, _ in driven}
    correctives = [_corrective(straight, *one, set(straight.sliders), taken) for one in driven]
    plan = (*sliders, *correctives)
    for key in plan:
        _check(key)
    return plan


def _driving(shape: Shape, bounds: Mapping[str, np.ndarray]) -> tuple[Shape, tuple[Factor, ...]]:
    """A shape and its factors. The only target of its slider goes in proportion, so that its offsets are scaled."""
    if not shape.additive:
        (slider,), (at,) = shape.sliders, shape.at
        return replace(shape, offsets=shape.offsets / at), (Factor(slider, 1.0, None),)
    return shape, tuple(one._replace(span=factor_ends(one, bounds[one.slider])) for one in shape.factors)


def _slider(name: str, shape: Shape | None, bounds: np.ndarray) -> PlannedKey:
    return PlannedKey(shape or Shape(name, [], np.zeros((0, 3))), float(bounds[0]), float(bounds[1]))


def _corrective(
    rig: Rig, scaled: Shape, factors: tuple[Factor, ...], shape: Shape, sliders: set[str], taken: set[str]
) -> PlannedKey:
    name = shape.name
    while name in sliders:  # the key of that name is the slider
        name = f"{name} at {shape.at[0]:g}"
        name = name if name not in taken else f"{name}'"
    low, high = _range(rig, shape)
    return PlannedKey(replace(scaled, name=name, sliders=shape.sliders, at=shape.at), low, high, factors)


def _range(rig: Rig, shape: Shape) -> tuple[float, float]:
    """The lowest and highest value of a shape within the bounds of its sliders; Blender cuts off what is beyond."""
    column = [rig.slider_index(name) for name in shape.sliders]
    corners = np.concatenate([corrective_corners(rig, shape), rig.bounds[column].T])
    poses = np.zeros((len(corners), len(rig.sliders)))
    poses[:, column] = corners
    values = Combine(rig)(poses)[:, rig.shape_names.index(shape.name)]
    sizes = np.abs(rig.bounds[column]).max(axis=1)
    most = float(np.prod(np.maximum(sizes, 1.0)))  # of a product whose factors are straight
    signed = (rig.bounds[column] < 0).any()
    return min(0.0, float(values.min()), -most if signed else 0.0), max(1.0, float(values.max()), most)


def _check(key: PlannedKey) -> None:
    if len(key.name.encode()) > _LONGEST:
        raise BadValue(f"the name of shape {key.name!r} is longer than the {_LONGEST} bytes that Blender keeps")
    if key.low < -_FURTHEST or key.high > _FURTHEST:
        raise BadValue(
            f"shape {key.name!r} goes from {key.low:g} to {key.high:g}; values of shape keys go from"
            f" -{_FURTHEST:g} to {_FURTHEST:g}"
        )
    if key.factors:
        try:
            _ = key.expression
        except BadValue as problem:
            raise BadValue(f"shape {key.name!r}: {problem}") from None
