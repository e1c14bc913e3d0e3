"""One value over time: keys and the interpolation between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue, UnknownName

Interpolation = Literal["step", "linear", "cubic"]


@dataclass(frozen=True, eq=False)
class Curve:
    """Keys of one value. Before the first and after the last key the value is constant.

    interpolation: "cubic" is the Hermite spline of glTF, with slopes in value per second, one arriving at each key and
    one
    leaving it. Without slopes they are flat, so that motion eases in and out.
    """

    times: Floats  # (k,) seconds, strictly increasing
    values: Floats  # (k,)
    interpolation: Interpolation = "linear"
    slopes: Floats | None = None  # (k, 2) arriving, leaving; cubic only

    if TYPE_CHECKING:  # lists are accepted too; they are checked and copied

        def __init__(
            self,
            times: ArrayLike,
            values: ArrayLike,
            interpolation: Interpolation = "linear",
            slopes: ArrayLike | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        if self.interpolation not in get_args(Interpolation):
            raise UnknownName("interpolation", str(self.interpolation), get_args(Interpolation))
        times = floats("key times", self.times, (None,))
        values = floats("key values", self.values, (len(times),))
        if len(times) == 0:
            raise BadValue("a curve needs at least one key")
        if (times[1:] <= times[:-1]).any():
            at = int((np.diff(times) <= 0).argmax())
            raise BadValue(f"key times must increase, but key {at + 1} at {times[at + 1]} s follows {times[at]} s")
        slopes = None
        if self.interpolation == "cubic":
            given = np.zeros((len(times), 2)) if self.slopes is None else self.slopes
            slopes = floats("key slopes", given, (len(times), 2))
        elif self.slopes is not None:
            raise BadValue(f"only cubic curves have slopes; this one is {self.interpolation}")
        for name, value in (("times", times), ("values", values), ("slopes", slopes)):
            object.__setattr__(self, name, value)

    def __call__(self, times: ArrayLike) -> Floats:
        """The curve's value at each time, same shape as `times`."""
        at = np.asarray(times, np.float64)
        if self.interpolation == "linear" or len(self.times) == 1:
            return np.asarray(np.interp(at, self.times, self.values))
        left = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.times) - 1)
        if self.interpolation == "step":
            return np.asarray(self.values[left])
        return self._hermite(np.clip(at, self.times[0], self.times[-1]), np.minimum(left, len(self.times) - 2))

    def _hermite(self, at: Floats, left: np.ndarray) -> Floats:
        assert self.slopes is not None
        span = self.times[left + 1] - self.times[left]
        u = (at - self.times[left]) / span
        leave, arrive = self.slopes[left, 1] * span, self.slopes[left + 1, 0] * span
        start, end = self.values[left], self.values[left + 1]
        return np.asarray(
            start
            + u * leave
            + u**2 * (3 * (end - start) - 2 * leave - arrive)
            + u**3 * (2 * (start - end) + leave + arrive)
        )

    def __repr__(self) -> str:
        return f"Curve({len(self.times)} keys, {self.times[0]:g} to {self.times[-1]:g} s, {self.interpolation})"
