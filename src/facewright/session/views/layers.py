"""The layers of the current clip as pages see them."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from facewright.motion.curve import Curve
from facewright.motion.layer import LayerKind, played
from facewright.session.context import Context
from facewright.session.views.view import view


class LayerInfo(Struct):
    """A layer without its keys."""

    name: str
    kind: LayerKind
    weight: float  # now
    weight_times: list[float]  # of the keys of the weight; none where it is not keyed
    muted: bool
    solo: bool
    played: bool  # whether it counts
    sliders: int  # that have a curve
    keys: int


def _inputs(context: Context) -> tuple[Any, ...]:
    document = context.document.value
    keyed = document.clip and any(
        isinstance(layer.weight, Curve) for layer in document.clip_named(document.clip).layers
    )
    return document.clips, document.clip, str(document.time) if keyed else ""


@view("layers", _inputs)
def layers(context: Context) -> list[LayerInfo]:
    """The layers of the current clip, the lowest first."""
    document = context.document.value
    found = document.clip_named(document.clip).layers if document.clip else ()
    heard = played(found)
    return [
        LayerInfo(
            layer.name,
            layer.kind,
            float(layer.weights(np.asarray(document.time))),
            layer.weight.times.tolist() if isinstance(layer.weight, Curve) else [],
            layer.muted,
            layer.solo,
            layer in heard,
            len(layer.curves),
            sum(len(curve.times) for curve in layer.curves.values()),
        )
        for layer in found
    ]


@view("layered", lambda context: (*_inputs(context)[:2], _time_where_layered(context)))
def layered(context: Context) -> dict[str, float] | None:
    """What the current clip has now, by curve, with its layers; None where it has none, so that curves say it all."""
    document = context.document.value
    clip = document.clip_named(document.clip) if document.clip else None
    if clip is None or not clip.layers:
        return None
    bounds = dict(zip(document.rig.sliders, document.rig.bounds.tolist(), strict=True))
    limits = [bounds.get(name, (-1e9, 1e9)) for name in clip.moved]
    return dict(zip(clip.moved, clip.sample(clip.moved, [document.time], limits)[0].tolist(), strict=True))


def _time_where_layered(context: Context) -> str:
    document = context.document.value
    return str(document.time) if document.clip and document.clip_named(document.clip).layers else ""


@view("layer", lambda context: (context.document.value.layer,))
def current_layer(context: Context) -> str:
    """The layer that is posed and keyed, "" for the clip itself."""
    return context.document.value.layer
