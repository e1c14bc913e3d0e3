"""The curves that keys are set and edited in: those of the current clip, or of its current layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.layer import Layer
from facewright.motion.layer_keys import below, key_value

LAYER_WEIGHT = "(layer weight)"  # the name under which the keys of a layer's weight are edited


def active_clip(document: Document) -> Clip:
    """The current clip; where one of its layers is current, a clip of that layer's curves, with those of its weight."""
    clip, layer = document.clip_named(document.clip), document.current_layer
    return clip if layer is None else Clip(clip.name, _curves(layer), clip.rate)


def with_active_curves(document: Document, curves: Mapping[str, Curve | None]) -> Document:
    """The document with other curves, or without some (None), in the current clip or its current layer."""
    clip, layer = document.clip_named(document.clip), document.current_layer
    now = {**active_clip(document).curves, **curves}
    kept = {name: curve for name, curve in now.items() if curve is not None}
    if layer is None:
        return with_clip(document, replace(clip, curves=kept))
    weight: float | Curve = float(layer.weights(np.asarray(document.time)))
    if isinstance(layer.weight, Curve) or LAYER_WEIGHT in kept:
        weight = kept.pop(LAYER_WEIGHT, weight)
    return with_layer(document, layer.name, replace(layer, curves=kept, weight=weight))


def with_layer(document: Document, name: str, layer: Layer) -> Document:
    """The document with a layer of its current clip in the place of the one of that name."""
    clip = document.clip_named(document.clip)
    layers = tuple(layer if one.name == name else one for one in clip.layers)
    return with_clip(document, replace(clip, layers=layers))


def with_clip(document: Document, clip: Clip) -> Document:
    """The document with a clip in the place of the one of its name."""
    old = document.clip_named(clip.name)
    return replace(document, clips=tuple(clip if other is old else other for other in document.clips))


def active_value(document: Document, name: str, time: float, wanted: float) -> float:
    """The value of a key in the current clip or layer at which all layers together give the wanted value."""
    clip = document.clip_named(document.clip)
    return key_value(clip, document.layer, name, time, wanted) if clip.layers else wanted


def resting_values(document: Document, name: str, times: Floats, rest: float) -> Floats:
    """Values of keys in the current clip or layer that leave a slider as it is at some times.

    rest: its value in a clip that has no curve for it.
    """
    layer = document.current_layer
    if layer is None:
        return np.full(len(times), rest)
    if layer.kind == "additive":
        return np.zeros(len(times))
    return below(document.clip_named(document.clip), layer.name, name, times)


def active_bounds(document: Document, low: float, high: float) -> tuple[float, float]:
    """The values that keys of a slider with these bounds have in the current clip or layer."""
    layer = document.current_layer
    return (low, high) if layer is None or layer.kind == "override" else (low - high, high - low)


def touched(document: Document, edited: Sequence[str]) -> tuple[str, ...]:
    """The curves whose values change with those of some names in the current clip or layer."""
    layer = document.current_layer
    if layer is None or LAYER_WEIGHT not in edited:
        return tuple(edited)
    return (*edited, *layer.curves)


def _curves(layer: Layer) -> dict[str, Curve]:
    weight = {LAYER_WEIGHT: layer.weight} if isinstance(layer.weight, Curve) else {}
    return {**weight, **layer.curves}
