"""A part of a clip, and a clip with a key on every frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.spline import divided, unrolled, without_steps


def cut_clip(clip: Clip, start: float | None = None, end: float | None = None) -> Clip:
    """What a clip does from one time to another, in seconds, both by default its own; the first becomes 0.

    A clip without keys, and one with neither time given, stays as it is.
    """
    if not clip.moved or (start is None and end is None):
        return clip
    first, last = clip.start if start is None else start, clip.end if end is None else end
    if first >= clip.end or last <= clip.start:
        own, asked = f"from {clip.start:g} to {clip.end:g} s", f"from {first:g} to {last:g} s"
        raise BadValue(f"clip {clip.name!r} goes {own}; nothing of it is {asked}")
    first, last = max(first, clip.start), min(last, clip.end)
    layers = tuple(
        replace(layer, weight=_cut(layer.weight, clip, first, last)) if isinstance(layer.weight, Curve) else layer
        for layer in clip.layers
    )
    return replace(clip, layers=layers).with_each(
        lambda curves: {name: _cut(curve, clip, first, last) for name, curve in curves.items()}
    )


def sampled_clip(clip: Clip, rate: float = 0.0) -> Clip:
    """The clip with straight lines between keys on every frame, layers baked; rate: frames a second, 0 for its own."""
    at_rate = replace(clip, rate=rate or clip.rate)
    times = at_rate.times()
    values = at_rate.sample(at_rate.moved, times)
    curves = {name: Curve(times, column) for name, column in zip(at_rate.moved, values.T, strict=True)}
    return replace(at_rate, curves=curves, layers=())


def _cut(curve: Curve, clip: Clip, start: float, end: float) -> Curve:
    curve = unrolled(curve, clip.start, clip.end)
    if curve.interpolation == "cubic":
        curve = without_steps(curve)  # steps among cubic segments become short ramps
    inside = curve.times[(curve.times > start) & (curve.times < end)]
    times = np.concatenate([[start], inside, [end]])
    slopes = divided(curve, times).slopes if curve.interpolation == "cubic" else None
    return Curve(times - start, curve(times), curve.interpolation, slopes)
