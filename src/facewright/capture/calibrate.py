"""Calibration of one actor: an offset and a gain for each slider, from a recording of rest and full range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.options import suggests_options
from facewright.rig.rig import Rig

_MOVES = 0.1  # of a slider's range: one that covers less in the recording has the gain 1
_MOST = 4.0  # a gain is at most this, and at least its inverse
_FULL = 0.995  # quantile of the values that counts as the end of the range, so that a single outlier does not


@dataclass(frozen=True, eq=False)
class Calibration:
    """value -> (value - offset) * gain, within the slider's bounds."""

    offsets: Mapping[str, float] = field(default_factory=dict)
    gains: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, clip: Clip, rig: Rig) -> Clip:
        """The clip, calibrated; curves that are no slider of the rig stay as they are."""
        bounds = dict(zip(rig.sliders, rig.bounds.tolist(), strict=True))
        curves = {
            name: self._applied(curve, name, *bounds[name]) if name in bounds else curve
            for name, curve in clip.curves.items()
        }
        return replace(clip, curves=curves)

    def _applied(self, curve: Curve, name: str, low: float, high: float) -> Curve:
        offset, gain = self.offsets.get(name, 0.0), self.gains.get(name, 1.0)
        values = np.clip((curve.values - offset) * gain, low, high)
        slopes = None if curve.slopes is None else curve.slopes * gain
        return replace(curve, values=values, slopes=slopes)


@suggests_options
def calibrate(clip: Clip, rig: Rig, *, neutral: tuple[float, float] | None = None, full: bool = False) -> Calibration:
    """Offsets, and with `full` gains, from a recording of an actor.

    neutral: when the face is at rest, from and to in seconds; by default the tenth of the frames with the least motion.
    full: the recording shows each slider's whole range, which gains map to its upper bound.
    """
    names = [name for name in rig.sliders if name in clip.curves]
    if not names:
        raise BadValue(f"clip {clip.name!r} moves no slider of this rig; retarget it first")
    times = clip.times()
    values = clip.sample(names, times)
    rest = _rest(times, values, neutral)
    offsets = dict(zip(names, np.median(values[rest], axis=0).tolist(), strict=True))
    if not full:
        return Calibration(offsets)
    reach = np.quantile(values, _FULL, axis=0) - np.array(list(offsets.values()))
    high = np.array([rig.bounds[rig.slider_index(name), 1] for name in names])
    gains = np.where(reach > _MOVES * high, np.clip(high / np.where(reach > 0, reach, 1.0), 1 / _MOST, _MOST), 1.0)
    return Calibration(offsets, dict(zip(names, gains.tolist(), strict=True)))


def _rest(times: Floats, values: Floats, neutral: tuple[float, float] | None) -> np.ndarray:
    """Which frames (frames,) show the face at rest."""
    if neutral is not None:
        chosen = (times >= neutral[0]) & (times <= neutral[1])
        if not chosen.any():
            raise BadValue(f"no frame lies between {neutral[0]} and {neutral[1]} s; the clip goes to {times[-1]:g} s")
        return np.asarray(chosen)
    total = np.abs(values).sum(axis=1)
    return np.asarray(total <= np.quantile(total, 0.1))
