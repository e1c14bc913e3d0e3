"""The keys of a curve as columns, each with its tangent: what the edits of keys work on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints, floats
from facewright.errors import BadValue
from facewright.motion.curve import Curve, Outside
from facewright.motion.tangents import LINEAR, STEP, inferred_codes, tangent_slopes

SAME_TIME = 1e-6  # seconds: keys nearer than this are the same


@dataclass(frozen=True, eq=False)
class KeyTable:
    """k keys, in the order of their times."""

    times: Floats  # (k,)
    values: Floats  # (k,)
    slopes: Floats  # (k, 2)
    codes: Ints  # (k,) kinds of tangents
    outside: Outside = "hold"

    @classmethod
    def of(cls, curve: Curve) -> KeyTable:
        """The keys of a curve; those without tangents have the ones that give the same curve."""
        times, values, keys = curve.times, curve.values, len(curve.times)
        if curve.slopes is not None:
            codes = inferred_codes(curve.slopes) if curve.tangents is None else curve.tangents
            return cls(times, values, curve.slopes, codes, curve.outside)
        codes = np.full(keys, LINEAR if curve.interpolation == "linear" else STEP)
        return cls(times, values, tangent_slopes(times, values, codes, np.zeros((keys, 2))), codes, curve.outside)

    def where(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> KeyTable:
        """Some of the keys."""
        return replace(
            self,
            times=self.times[which],
            values=self.values[which],
            slopes=self.slopes[which],
            codes=self.codes[which],
        )

    def with_landed(self, landed: KeyTable) -> KeyTable:
        """These keys and others, which replace those at the same times."""
        kept = self.where(~near(self.times, landed.times))
        order = np.argsort(np.concatenate([kept.times, landed.times]), kind="stable")
        times, values, slopes, codes = (
            np.concatenate([getattr(kept, name), getattr(landed, name)])[order]
            for name in ("times", "values", "slopes", "codes")
        )
        return KeyTable(times, values, slopes, codes, self.outside)

    def chosen(self, times: ArrayLike) -> NDArray[np.bool_]:
        """Which keys (k,) are at these times; a time without a key is refused."""
        named = np.unique(floats("key times", times, (None,)))
        missing = named[~near(named, self.times)]
        if len(missing):
            raise BadValue(f"there is no key at {missing[0]:g} s; this curve has keys from {self.times[0]:g} s on")
        return near(self.times, named)

    def curve(self) -> Curve | None:
        """The curve with these keys, straight or stepped where all are; None where there is no key."""
        if not len(self.times):
            return None
        for code, way in ((LINEAR, "linear"), (STEP, "step")):
            if (self.codes == code).all():
                return Curve(self.times, self.values, way, outside=self.outside)  # type: ignore[arg-type]
        return Curve(self.times, self.values, "cubic", self.slopes, self.codes, self.outside)

    def curve_of_some(self) -> Curve:
        """The curve with these keys, of which there is at least one."""
        found = self.curve()
        assert found is not None
        return found


def near(times: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which of the times are also among the others (increasing)."""
    if not len(others):
        return np.zeros(len(times), bool)
    right = np.clip(np.searchsorted(others, times), 0, len(others) - 1)
    left = np.maximum(right - 1, 0)
    return np.asarray(np.minimum(np.abs(others[left] - times), np.abs(others[right] - times)) <= SAME_TIME)
