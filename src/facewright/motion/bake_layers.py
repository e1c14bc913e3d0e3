"""Layers as plain curves: baking a clip, and merging a layer into what is below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.fit import cubic_keys
from facewright.motion.layer import Layer, hull, played
from facewright.motion.spline import slopes_at, unrolled, without_steps
from facewright.motion.two_ends import above_0

Bounds = Mapping[str, tuple[float, float]]  # slider -> least and largest value


def baked_clip(clip: Clip, bounds: Bounds | None = None) -> Clip:
    """The clip without layers that has the same values, within the bounds as `Clip.sample` keeps them.

    Curves that no layer changes stay as they are. Where weights are constant the keys are those of all curves, and the
    result is exact; where they are keyed it is a cubic spline that is off by 2e-5 at most. A step beside a curve that
    is none becomes a ramp of a millisecond.
    """
    if not clip.layers:
        return clip
    layers = played(clip.layers)
    curves = dict(clip.curves)
    for name in dict.fromkeys(name for layer in layers for name in layer.curves):
        mixed = mixed_curve(clip, name, layers)
        limits = None if bounds is None or name not in bounds else clip.limits(name, *bounds[name])
        curves[name] = mixed if limits is None else clipped_curve(mixed, *limits)
    return replace(clip, curves=curves, layers=())


def merged_down(clip: Clip, name: str, bounds: Bounds | None = None) -> Clip:
    """The clip with a layer merged into what is below it: another layer, or the clip itself. Its values stay.

    Two additive layers become an additive one. Any other two become one that overrides, with the values that the clip
    has up to there, so that what is below does not show through any more.
    """
    at = layer_index(clip, name)
    for layer in clip.layers[max(at - 1, 0) : at + 1]:
        if layer not in played(clip.layers):
            raise BadValue(f"layer {layer.name!r} is not played, so that it cannot be merged; unmute it, or end solo")
    above = {slider for layer in clip.layers[at + 1 :] for slider in layer.curves}
    if at == 0:
        ends = None if bounds is None else {one: both for one, both in bounds.items() if one not in above}
        return replace(baked_clip(replace(clip, layers=clip.layers[:1]), ends), layers=clip.layers[1:])
    lower, upper = clip.layers[at - 1 : at + 1]
    names = dict.fromkeys([*lower.curves, *upper.curves])
    kind, under, parts = lower.kind, clip, played(clip.layers[: at + 1])
    if lower.kind == upper.kind == "additive":
        under, parts = replace(clip, curves={}), (lower, upper)
    else:
        kind = "override"
    curves = {slider: mixed_curve(under, slider, parts) for slider in names}
    merged = Layer(lower.name, kind, curves, solo=lower.solo or upper.solo)
    return replace(clip, layers=(*clip.layers[: at - 1], merged, *clip.layers[at + 1 :]))


def layer_index(clip: Clip, name: str) -> int:
    """The place of a layer, 0 for the lowest; an unknown name raises `UnknownName`."""
    for i, layer in enumerate(clip.layers):
        if layer.name == name:
            return i
    raise UnknownName(f"layer of clip {clip.name!r}", name, (layer.name for layer in clip.layers))


def mixed_curve(clip: Clip, name: str, layers: Sequence[Layer]) -> Curve:
    """The curve of a name with some layers over the clip's own."""
    over = [layer for layer in layers if name in layer.curves]
    own = clip.curves.get(name)
    curves = [curve for curve in (own, *(layer.curves[name] for layer in over)) if curve is not None]
    keyed = [layer.weight for layer in over if isinstance(layer.weight, Curve)]
    if not keyed and all(curve.interpolation == "step" for curve in curves):
        plain = [unrolled(curve, clip.start, clip.end) for curve in curves]
        times = _union(plain)
        return Curve(times, _values(_shares(own is not None, over), plain, times), "step")
    plain = [without_steps(unrolled(curve, clip.start, clip.end)) for curve in curves]
    if keyed:
        return _fitted(own is not None, over, plain, clip)
    times, shares = _union(plain), _shares(own is not None, over)
    values = _values(shares, plain, times)
    if all(curve.interpolation == "linear" for curve in plain):
        return Curve(times, values)
    slopes = sum((share * slopes_at(curve, times) for share, curve in zip(shares, plain, strict=True)), 0.0)
    return Curve(times, values, "cubic", slopes)


def clipped_curve(curve: Curve, low: float, high: float) -> Curve:
    """The curve kept within two values, with keys where it meets them; the very same where it is within."""
    least, most = hull(curve)
    if most > high:
        curve = _moved(above_0(_moved(curve, -1.0, high)), -1.0, high)
    if least < low:
        curve = _moved(above_0(_moved(curve, 1.0, -low)), 1.0, low)
    return curve


def _shares(has_own: bool, over: Sequence[Layer]) -> list[float]:
    """The factor of each curve, the clip's own first, where all weights are constant."""
    shares = [1.0] if has_own else []
    for layer in over:
        assert not isinstance(layer.weight, Curve)
        kept = 1.0 if layer.kind == "additive" else 1 - layer.weight
        shares = [*(kept * share for share in shares), float(layer.weight)]
    return shares


def _values(shares: Sequence[float], curves: Sequence[Curve], times: Floats) -> Floats:
    return np.asarray(
        sum((share * curve(times) for share, curve in zip(shares, curves, strict=True)), np.zeros(len(times)))
    )


def _fitted(has_own: bool, over: Sequence[Layer], curves: Sequence[Curve], clip: Clip) -> Curve:
    """A cubic spline through the product of curves and weights that change."""
    weights = [
        without_steps(unrolled(layer.weight, clip.start, clip.end)) if isinstance(layer.weight, Curve) else layer.weight
        for layer in over
    ]
    even = [replace(layer, weight=weight) for layer, weight in zip(over, weights, strict=True)]

    def values(times: Floats) -> Floats:
        found = curves[0](times) if has_own else np.zeros(len(times))
        for layer, curve in zip(even, curves[has_own:], strict=True):
            found = layer.over(found, curve(times), layer.weights(times))
        return found[:, None]

    every = _union([*curves, *(weight for weight in weights if isinstance(weight, Curve))])
    if len(every) == 1:
        return Curve(every, values(every)[:, 0])
    times, rows = cubic_keys(values, every)
    return Curve(times, rows[:, 1, 0], "cubic", rows[:, [0, 2], 0])


def _union(curves: Sequence[Curve]) -> Floats:
    """The times of all keys, without those that are as good as the same as one before."""
    times = np.unique(np.concatenate([curve.times for curve in curves]))
    return np.asarray(times[np.concatenate([[True], np.diff(times) > 1e-9])])


def _moved(curve: Curve, factor: float, by: float) -> Curve:
    """The curve times a factor, and moved by a value."""
    slopes = None if curve.slopes is None else factor * curve.slopes
    return replace(curve, values=factor * curve.values + by, slopes=slopes, tangents=None)
