"""A layer over a clip: curves of its own that are added to those below, or that take their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.motion.curve import Curve
from facewright.motion.spline import slopes_at

LayerKind = Literal["additive", "override"]


@dataclass(frozen=True, eq=False)
class Layer:
    """Curves over those of a clip. Only sliders that have a curve here are changed.

    additive: the curve times the weight is added. override: the value goes towards the curve by the weight, and is the
    curve at weight 1.
    """

    name: str
    kind: LayerKind = "additive"
    curves: Mapping[str, Curve] = field(default_factory=dict)  # slider name to curve
    weight: float | Curve = 1.0  # from 0 to 1; a curve where it is keyed
    muted: bool = False  # it is not played
    solo: bool = False  # only layers with this are played, where there are some

    def __post_init__(self) -> None:
        if not self.name:
            raise BadValue("a layer needs a name")
        if self.kind not in get_args(LayerKind):
            raise UnknownName("kind of layer", str(self.kind), get_args(LayerKind))
        given = self.weight.values if isinstance(self.weight, Curve) else np.array([self.weight], np.float64)
        if not ((given >= 0) & (given <= 1)).all():
            raise BadValue(f"layer {self.name!r}: the weight is a number from 0 to 1, not {given[0]:g}")
        object.__setattr__(self, "curves", MappingProxyType(dict(self.curves)))

    def __repr__(self) -> str:
        return f"Layer({self.name!r}, {self.kind}, {len(self.curves)} curves)"

    def weights(self, times: Floats) -> Floats:
        """The weight at each time; tangents do not bring it below 0 or above 1."""
        if isinstance(self.weight, Curve):
            return np.clip(self.weight(times), 0.0, 1.0)
        return np.full(np.shape(times), float(self.weight))

    def over(self, below: Floats, curve: Floats, weights: Floats) -> Floats:
        """Values at some times from those below, those of the layer's curve, and the weights."""
        if self.kind == "additive":
            return below + weights * curve
        return np.asarray((1 - weights) * below + weights * curve)


def played(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The layers that count: those that are not muted, and of them those with solo alone, where there are some."""
    heard = tuple(layer for layer in layers if not layer.muted)
    return tuple(layer for layer in heard if layer.solo) or heard


def hull(curve: Curve) -> tuple[float, float]:
    """A range that the curve does not leave: that of the Bezier points of its segments."""
    if curve.outside == "offset" and len(curve.times) > 1 and curve.values[0] != curve.values[-1]:
        return -np.inf, np.inf
    low, high = float(curve.values.min()), float(curve.values.max())
    if curve.interpolation != "cubic" or len(curve.times) == 1:
        return low, high
    thirds = np.diff(curve.times)[:, None] / 3 * np.array([1.0, -1.0])
    slopes = slopes_at(curve, curve.times)
    points = np.stack([curve.values[:-1], curve.values[1:]], axis=1) + thirds * np.stack(
        [slopes[:-1, 1], slopes[1:, 0]], axis=1
    )
    return min(low, float(points.min())), max(high, float(points.max()))
