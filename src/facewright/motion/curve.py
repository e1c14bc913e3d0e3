"""One value over time: keys and the interpolation between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints, floats, frozen
from facewright.errors import BadValue, UnknownName
from facewright.motion.tangents import STEP, Tangent, tangent_codes, tangent_slopes

Interpolation = Literal["step", "linear", "cubic"]
Outside = Literal["hold", "cycle", "offset"]


@dataclass(frozen=True, eq=False)
class Curve:
    """Keys of one value.

    interpolation: "cubic" is the Hermite spline of glTF, with slopes in value per second, one arriving at each key and
    one leaving it. Without slopes they are flat, so that motion eases in and out. tangents: kinds of the keys of a
    cubic curve, by which all slopes but those of free and broken keys are found (`facewright.motion.tangents`).
    outside: before the first and after the last key the value is held, or the keys repeat ("cycle"), or they repeat
    from the value that was reached ("offset").
    """

    times: Floats  # (k,) seconds, strictly increasing
    values: Floats  # (k,)
    interpolation: Interpolation = "linear"
    slopes: Floats | None = None  # (k, 2) arriving, leaving; cubic only
    tangents: Ints | None = None  # (k,) places in TANGENTS; cubic only; None: the slopes are as given
    outside: Outside = "hold"

    if TYPE_CHECKING:  # lists and names are accepted too; they are checked and copied

        def __init__(
            self,
            times: ArrayLike,
            values: ArrayLike,
            interpolation: Interpolation = "linear",
            slopes: ArrayLike | None = None,
            tangents: Sequence[Tangent] | ArrayLike | None = None,
            outside: Outside = "hold",
        ) -> None: ...

    def __post_init__(self) -> None:
        for what, name, known in (("interpolation",) * 2 + (Interpolation,), ("outside",) * 2 + (Outside,)):
            if (given := getattr(self, name)) not in get_args(known):
                raise UnknownName(what, str(given), get_args(known))
        times = floats("key times", self.times, (None,))
        values = floats("key values", self.values, (len(times),))
        if len(times) == 0:
            raise BadValue("a curve needs at least one key")
        if (times[1:] <= times[:-1]).any():
            at = int((np.diff(times) <= 0).argmax())
            raise BadValue(f"key times must increase, but key {at + 1} at {times[at + 1]} s follows {times[at]} s")
        slopes, codes = self._checked_slopes(times, values)
        for name, value in (("times", times), ("values", values), ("slopes", slopes), ("tangents", codes)):
            object.__setattr__(self, name, value)

    def _checked_slopes(self, times: Floats, values: Floats) -> tuple[Floats | None, Ints | None]:
        if self.interpolation != "cubic":
            for name, given in (("slopes", self.slopes), ("tangents", self.tangents)):
                if given is not None:
                    raise BadValue(f"only cubic curves have {name}; this one is {self.interpolation}")
            return None, None
        slopes = floats(
            "key slopes", np.zeros((len(times), 2)) if self.slopes is None else self.slopes, (len(times), 2)
        )
        if self.tangents is None:
            return slopes, None
        codes = tangent_codes(self.tangents, len(times))
        return frozen(tangent_slopes(times, values, codes, slopes)), codes

    def __call__(self, times: ArrayLike) -> Floats:
        """The curve's value at each time, same shape as `times`."""
        at = np.asarray(times, np.float64)
        if self.outside == "hold" or len(self.times) == 1:
            return self._inside(at)
        first, last = self.times[0], self.times[-1]
        turns = np.where(
            at > last, np.ceil((at - last) / (last - first)), np.minimum((at - first) // (last - first), 0)
        )
        value = self._inside(np.clip(at - turns * (last - first), first, last))
        return value if self.outside == "cycle" else np.asarray(value + turns * (self.values[-1] - self.values[0]))

    def _inside(self, at: Floats) -> Floats:
        if self.interpolation == "linear" or len(self.times) == 1:
            return np.asarray(np.interp(at, self.times, self.values))
        left = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.times) - 1)
        if self.interpolation == "step":
            return np.asarray(self.values[left])
        curved = self._hermite(np.clip(at, self.times[0], self.times[-1]), np.minimum(left, len(self.times) - 2))
        if self.tangents is None or not (self.tangents == STEP).any():
            return curved
        return np.asarray(np.where(self.tangents[left] == STEP, self.values[left], curved))

    def _hermite(self, at: Floats, left: NDArray[np.intp]) -> Floats:
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

    def scaled(self, factor: float) -> Curve:
        """The curve with all its values multiplied."""
        slopes = None if self.slopes is None else self.slopes * factor
        return self if factor == 1 else replace(self, values=self.values * factor, slopes=slopes)

    def __repr__(self) -> str:
        return f"Curve({len(self.times)} keys, {self.times[0]:g} to {self.times[-1]:g} s, {self.interpolation})"
