"""What a key of a clip or of one of its layers has to be, so that the clip has a given value."""

from __future__ import annotations

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.motion.bake_layers import layer_index
from facewright.motion.clip import Clip
from facewright.motion.layer import played

_LEAST = 1e-3  # share of a key that arrives in the clip's value; below it a key would have to be very large


def key_value(clip: Clip, layer: str, slider: str, time: float, wanted: float) -> float:
    """The value of a key of a slider in a layer, or in the clip itself (""), at which the clip has the wanted value.

    With a layer x of weight w over a value b, the clip has b + w x or (1 - w) b + w x, and layers above do the same to
    that: the value is r + g x, and x = (wanted - r) / g.
    """
    target = clip.layers[layer_index(clip, layer)] if layer else None
    heard = played(clip.layers)
    if target is not None and target not in heard:
        raise BadValue(f"layer {layer!r} is not played, so that no key in it is seen; unmute it, or end solo")
    rest = float(clip.curves[slider](time)) if slider in clip.curves and target is not None else 0.0
    gain = float(target is None)
    for one in heard:
        weight = float(one.weights(time))  # type: ignore[arg-type]  # a single time
        if one is target:
            rest, gain = (rest if one.kind == "additive" else (1 - weight) * rest), weight
        elif slider in one.curves:
            own = float(one.curves[slider](time))
            rest = rest + weight * own if one.kind == "additive" else (1 - weight) * rest + weight * own
            gain = gain if one.kind == "additive" else (1 - weight) * gain
    if gain < _LEAST:
        what = f"layer {layer!r}" if layer else f"clip {clip.name!r} itself"
        raise BadValue(
            f"a key of {slider} in {what} would not be seen at {time:g} s: its weight is 0 there, or a layer above "
            "overrides it; choose another layer, or change the weights"
        )
    return (wanted - rest) / gain


def below(clip: Clip, layer: str, slider: str, times: Floats) -> Floats:
    """The values that a clip has without a layer and those above it."""
    under = clip.layers[: layer_index(clip, layer)]
    solo = any(one.solo for one in played(clip.layers))
    heard = tuple(one for one in played(under) if one.solo or not solo)
    return Clip(clip.name, clip.curves, clip.rate, heard).sample([slider], times)[:, 0]
