"""Named curves that play together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue
from facewright.motion.curve import Curve
from facewright.motion.layer import Layer, hull, played

_MOST_FRAMES = 10_000_000  # more than a day at 100 a second, which is a mistaken time of a key
T = TypeVar("T", "Clip", Layer)


@dataclass(frozen=True, eq=False)
class Clip:
    """An animation: one curve for each slider that it moves, and layers over them, the lowest first."""

    name: str
    curves: Mapping[str, Curve] = field(default_factory=dict)  # slider name to curve
    rate: float = 30.0  # frames per second for playing and sampling
    layers: tuple[Layer, ...] = ()

    def __post_init__(self) -> None:
        if not (np.isfinite(self.rate) and self.rate > 0):
            raise BadValue(f"clip {self.name!r}: the rate is a positive number of frames a second, not {self.rate}")
        object.__setattr__(self, "curves", MappingProxyType(dict(self.curves)))
        object.__setattr__(self, "layers", tuple(self.layers))
        names = [layer.name for layer in self.layers]
        if len(set(names)) != len(names):
            raise BadValue(f"clip {self.name!r} has two layers named {_first_twice(names)!r}; each needs its own name")

    @classmethod
    def from_table(cls, name: str, sliders: Sequence[str], times: ArrayLike, values: ArrayLike) -> Clip:
        """A clip with a key for every slider (s of them) at every time: values (frames, s)."""
        at = floats("times", times, (None,))
        table = floats("values", values, (len(at), len(sliders)))
        if len(set(sliders)) != len(sliders):
            raise BadValue(f"clip {name!r}: slider {_first_twice(sliders)!r} is there twice")
        if (np.diff(at) <= 0).any():
            raise BadValue(f"clip {name!r}: the times must increase from row to row")
        step = float(np.median(np.diff(at))) if len(at) > 1 else 1 / 30
        curves = {slider: Curve(at, table[:, i]) for i, slider in enumerate(sliders)} if len(at) else {}
        return cls(name, curves, 1 / step)

    def __repr__(self) -> str:
        layers = f", {len(self.layers)} layers" if self.layers else ""
        return (
            f"Clip({self.name!r}, {len(self.curves)} curves{layers}, {self.start:g} to {self.end:g} s, "
            f"{self.rate:g} a second)"
        )

    @property
    def moved(self) -> tuple[str, ...]:
        """The names that have a curve, in the clip itself or in one of its layers."""
        return tuple(dict.fromkeys([*self.curves, *(name for layer in self.layers for name in layer.curves)]))

    @property
    def start(self) -> float:
        """The time of the first key in seconds."""
        return min((float(curve.times[0]) for curve in self._every()), default=0.0)

    @property
    def end(self) -> float:
        """The time of the last key in seconds."""
        return max((float(curve.times[-1]) for curve in self._every()), default=0.0)

    def _every(self) -> Iterator[Curve]:
        """The curves of the clip and of its layers, without those of weights."""
        yield from self.curves.values()
        for layer in self.layers:
            yield from layer.curves.values()

    def with_each(self, change: Callable[[Mapping[str, Curve]], Mapping[str, Curve]]) -> Clip:
        """The clip with a change of its curves, and of those of each layer; the very same where nothing changes."""
        layers = [_changed(layer, change) for layer in self.layers]
        other = _changed(self, change)
        same = all(now is before for now, before in zip(layers, self.layers, strict=True))
        return other if same else replace(other, layers=tuple(layers))

    def times(self) -> Floats:
        """Times (frames,) from the first to the last key at the clip's rate."""
        frames = int(np.floor((self.end - self.start) * self.rate + 1e-6)) + 1
        if frames > _MOST_FRAMES:
            raise BadValue(
                f"clip {self.name!r} is {self.end - self.start:.3g} s long, {frames:.3g} frames at {self.rate:g} a "
                f"second; at most {_MOST_FRAMES:,} are played"
            )
        return np.asarray(self.start + np.arange(frames) / self.rate)

    def sample(self, sliders: Sequence[str], times: ArrayLike | None = None, bounds: ArrayLike | None = None) -> Floats:
        """Values (frames, sliders) at the times, with the layers; 0 for a slider without a curve.

        bounds (sliders, 2): what layers make of a slider stays within these; it goes further only where the clip, or a
        layer that overrides, does so by itself.
        """
        at = self.times() if times is None else np.atleast_1d(np.asarray(times, np.float64))
        table = np.zeros((len(at), len(sliders)))
        layers = [(layer, layer.weights(at)) for layer in played(self.layers)]
        limits = None if bounds is None else floats("bounds", bounds, (len(sliders), 2))
        for column, slider in enumerate(sliders):
            if slider in self.curves:
                table[:, column] = self.curves[slider](at)
            over = [(layer, weights) for layer, weights in layers if slider in layer.curves]
            for layer, weights in over:
                table[:, column] = layer.over(table[:, column], layer.curves[slider](at), weights)
            if over and limits is not None:
                table[:, column] = np.clip(table[:, column], *self.limits(slider, *limits[column]))
        return table

    def limits(self, slider: str, low: float, high: float) -> tuple[float, float]:
        """The bounds of a slider, made wider by what the clip and layers that override do by themselves."""
        own = [self.curves[slider]] if slider in self.curves else []
        over = [layer for layer in played(self.layers) if layer.kind == "override"]
        own += [layer.curves[slider] for layer in over if slider in layer.curves]
        hulls = [hull(curve) for curve in own]
        return min([low, *(least for least, _ in hulls)]), max([high, *(most for _, most in hulls)])


def _changed(thing: T, change: Callable[[Mapping[str, Curve]], Mapping[str, Curve]]) -> T:
    curves = change(thing.curves)
    same = tuple(curves) == tuple(thing.curves) and all(curves[name] is thing.curves[name] for name in curves)
    return thing if same else replace(thing, curves=curves)


def _first_twice(names: Sequence[str]) -> str:
    return next(name for i, name in enumerate(names) if name in names[:i])
