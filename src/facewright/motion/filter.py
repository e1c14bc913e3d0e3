"""Smoothing filters for sampled values: causal for live values, or zero-phase for whole recordings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, numbers
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.options import suggests_options


@suggests_options
def one_euro(
    values: ArrayLike, rate: float, *, cutoff: float = 1.5, eagerness: float = 6.0, speed_cutoff: float = 1.0
) -> Floats:
    """The One Euro filter (Casiez 2012) of values (frames, ...). It uses past values only, so that it works live.

    cutoff (Hz): for values that do not move. eagerness: raises the cutoff by so many Hz for each unit per second of
    speed,
    so that fast motion lags little. speed_cutoff (Hz): smooths that speed.
    """
    _positive(rate=rate, cutoff=cutoff, speed_cutoff=speed_cutoff)
    given = _finite(values)
    if not (np.isfinite(eagerness) and eagerness >= 0):
        raise BadValue(f"eagerness is a number from 0 up, not {eagerness}")
    smooth = given.copy()
    speed = np.zeros(given.shape[1:])
    for frame in range(1, len(given)):
        raw = (given[frame] - smooth[frame - 1]) * rate
        speed = speed + _share(speed_cutoff, rate) * (raw - speed)
        share = _share(cutoff + eagerness * np.abs(speed), rate)
        smooth[frame] = smooth[frame - 1] + share * (given[frame] - smooth[frame - 1])
    return smooth


@suggests_options
def zero_phase(values: ArrayLike, rate: float, *, cutoff: float = 6.0) -> Floats:
    """Values (frames, ...) without frequencies above cutoff (Hz): Butterworth, order 2, forwards and backwards, no
    delay.
    """
    _positive(rate=rate, cutoff=cutoff)
    given = _finite(values)
    if cutoff >= rate / 2 or len(given) < 2:  # the samples hold no higher frequencies
        return given
    from scipy.signal import butter, sosfiltfilt

    sections = butter(2, cutoff, fs=rate, output="sos")
    return np.asarray(sosfiltfilt(sections, given, axis=0, padtype="odd", padlen=min(len(given) - 1, round(rate))))


@suggests_options
def smooth_clip(
    clip: Clip, filter: Callable[[Floats, float], Floats], *, curves: tuple[str, ...] | None = None
) -> Clip:
    """The clip with some curves (by default all) sampled at its rate and filtered; each stays within its own range."""
    times = clip.times()
    chosen = tuple(clip.curves) if curves is None else curves
    if not chosen or not len(times):
        return clip
    before = replace(clip, layers=()).sample(chosen, times)
    after = np.clip(filter(before, clip.rate), before.min(axis=0), before.max(axis=0))
    new = {name: Curve(times, column) for name, column in zip(chosen, after.T, strict=True)}
    return replace(clip, curves={**clip.curves, **new})


def _share(cutoff: Floats | float, rate: float) -> Floats:
    """The share of a new value that a first-order low-pass takes in one frame."""
    turn = 2 * np.pi * np.asarray(cutoff) / rate
    return np.asarray(turn / (turn + 1))


def _finite(values: ArrayLike) -> Floats:
    given = numbers("values", values)
    if given.ndim == 0 or not np.isfinite(given).all():
        raise BadValue("values to smooth are an array of finite numbers, the frames first")
    return given


def _positive(**numbers: float) -> None:
    for name, value in numbers.items():
        if not (np.isfinite(value) and value > 0):
            raise BadValue(f"{name.replace('_', ' ')} is a positive number, not {value}")
