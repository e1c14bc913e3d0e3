"""Named curves that play together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue
from facewright.motion.curve import Curve

_MOST_FRAMES = 10_000_000  # more than a day at 100 a second, which is a mistaken time of a key


@dataclass(frozen=True, eq=False)
class Clip:
    """An animation: one curve for each slider that it moves."""

    name: str
    curves: Mapping[str, Curve] = field(default_factory=dict)  # slider name to curve
    rate: float = 30.0  # frames per second for playing and sampling

    def __post_init__(self) -> None:
        if not (np.isfinite(self.rate) and self.rate > 0):
            raise BadValue(f"clip {self.name!r}: the rate is a positive number of frames a second, not {self.rate}")
        object.__setattr__(self, "curves", MappingProxyType(dict(self.curves)))

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
        return (
            f"Clip({self.name!r}, {len(self.curves)} curves, {self.start:g} to {self.end:g} s, {self.rate:g} a second)"
        )

    @property
    def start(self) -> float:
        """The time of the first key in seconds."""
        return min((float(curve.times[0]) for curve in self.curves.values()), default=0.0)

    @property
    def end(self) -> float:
        """The time of the last key in seconds."""
        return max((float(curve.times[-1]) for curve in self.curves.values()), default=0.0)

    def times(self) -> Floats:
        """Times (frames,) from the first to the last key at the clip's rate."""
        frames = int(np.floor((self.end - self.start) * self.rate + 1e-6)) + 1
        if frames > _MOST_FRAMES:
            raise BadValue(
                f"clip {self.name!r} is {self.end - self.start:.3g} s long, {frames:.3g} frames at {self.rate:g} a "
                f"second; at most {_MOST_FRAMES:,} are played"
            )
        return np.asarray(self.start + np.arange(frames) / self.rate)

    def sample(self, sliders: Sequence[str], times: ArrayLike | None = None) -> Floats:
        """Values (frames, sliders) at the times, 0 for a slider without a curve."""
        at = self.times() if times is None else np.atleast_1d(np.asarray(times, np.float64))
        table = np.zeros((len(at), len(sliders)))
        for column, slider in enumerate(sliders):
            if slider in self.curves:
                table[:, column] = self.curves[slider](at)
        return table


def _first_twice(names: Sequence[str]) -> str:
    return next(name for i, name in enumerate(names) if name in names[:i])
