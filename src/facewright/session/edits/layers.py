"""Layers over the current clip."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from facewright.document import Document
from facewright.errors import BadValue
from facewright.motion.bake_layers import layer_index, merged_down
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.keys import with_keys
from facewright.motion.layer import Layer, LayerKind
from facewright.pose.attenuation_layer import attenuation_layer
from facewright.session.context import Context
from facewright.session.edits.active_layer import with_clip, with_layer
from facewright.session.edits.clips import create_clip
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.keys import NEW
from facewright.session.edits.time import resampled
from facewright.session.fields import Index, Name, NameOrNone, Number
from facewright.terms.selection import Selection

Share = Annotated[float, Meta(ge=0, le=1)]


def add_layer(document: Document, name: str, kind: LayerKind = "additive") -> Document:
    """One more layer on top of the current clip, which is made where there is none; it is then posed and keyed."""
    if not document.clip:
        document = create_clip(document, NEW)
    clip = _clip(document)
    _check_free(clip, name)
    return replace(with_clip(document, replace(clip, layers=(*clip.layers, Layer(name, kind)))), layer=name)


def hold_over_clip(document: Document, name: str) -> Document:
    """One more layer, in which the held points stay where the pose has them in every frame of the clip."""
    clip, held = _clip(document), document.held
    _check_free(clip, name)
    if not len(held):
        raise BadValue("no points are chosen to stay still; paint some with the tool Hold first")
    layer = attenuation_layer(
        document.rig,
        clip,
        Selection(held.coordinates),
        document.pose,
        held.alpha,
        locked=document.locked,
        prior=document.usable_prior,
        name=name,
    )
    if not layer.curves:
        raise BadValue(f"nothing in clip {clip.name!r} moves the points that are held, so there is nothing to change")
    return resampled(replace(with_clip(document, replace(clip, layers=(*clip.layers, layer))), layer=name))


def rename_layer(document: Document, name: str, new: str) -> Document:
    """A layer of another name."""
    if name == new:
        return document
    _check_free(_clip(document), new)
    renamed = with_layer(document, name, replace(_layer(document, name), name=new))
    return replace(renamed, layer=new if document.layer == name else document.layer)


def delete_layer(document: Document, name: str) -> Document:
    """The clip without a layer; if it was current, the clip itself is. What only the layer moved goes to rest."""
    clip, gone = _clip(document), _layer(document, name)
    resting = with_layer(document, name, replace(gone, muted=True, solo=False))
    left = replace(clip, layers=tuple(layer for layer in clip.layers if layer is not gone))
    return resampled(with_clip(resampled(resting), left))


def move_layer(document: Document, name: str, to: int) -> Document:
    """A layer at another place, 0 being the lowest."""
    clip, moved = _clip(document), _layer(document, name)
    rest = [layer for layer in clip.layers if layer is not moved]
    order = (*rest[:to], moved, *rest[to:])
    return document if order == clip.layers else resampled(with_clip(document, replace(clip, layers=order)))


def merge_layer(document: Document, name: str) -> Document:
    """A layer merged into what is below it, which is then current where one of the two was."""
    clip = _clip(document)
    at, bounds = layer_index(clip, name), zip(document.rig.sliders, document.rig.bounds.tolist(), strict=True)
    merged = merged_down(clip, name, {slider: (low, high) for slider, (low, high) in bounds})
    lower = clip.layers[at - 1].name if at else ""
    current = lower if document.layer == name else document.layer
    return replace(with_clip(document, merged), layer=current)


def set_layer_weight(document: Document, name: str, weight: float, time: float) -> Document:
    """A layer of another weight; where the weight is keyed, this is a key at a time."""
    old = _layer(document, name)
    new = with_keys(old.weight, [time], [weight]) if isinstance(old.weight, Curve) else float(weight)
    return _with(document, name, replace(old, weight=new))


def key_layer_weight(document: Document, name: str, time: float, context: Context) -> Document:
    """A key of a layer's weight as it is at a time; the first one makes it keyed."""
    old = _layer(document, name)
    before = old.weight if isinstance(old.weight, Curve) else None
    value = float(old.weights(np.asarray(time)))
    return _with(document, name, replace(old, weight=with_keys(before, [time], [value], context.preferences.tangent)))


def _with(document: Document, name: str, layer: Layer) -> Document:
    return resampled(with_layer(document, name, layer))


def _clip(document: Document) -> Clip:
    if not document.clip:
        raise BadValue("layers lie over a clip, and none is at hand; choose one, or set a key to make one")
    return document.clip_named(document.clip)


def _layer(document: Document, name: str) -> Layer:
    clip = _clip(document)
    return clip.layers[layer_index(clip, name)]


def _check_free(clip: Clip, name: str) -> None:
    if any(layer.name == name for layer in clip.layers):
        raise BadValue(f"clip {clip.name!r} has a layer {name!r} already; choose another name")


class AddLayer(DocumentEdit, frozen=True, kw_only=True):
    """A new layer on top of the current clip (made where there is none), which is then posed and keyed."""

    name: Name
    kind: LayerKind = "additive"

    @property
    def label(self) -> str:
        return f"New layer {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return add_layer(document, self.name, self.kind)


class HoldOverClip(DocumentEdit, frozen=True, kw_only=True):
    """A new layer on top of the current clip that keeps the held points where they are now, in every frame."""

    slow: ClassVar[str] = "holding points over the clip"

    name: Name

    @property
    def label(self) -> str:
        return f"Hold points over clip, layer {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return hold_over_clip(document, self.name)


class ChooseLayer(DocumentEdit, frozen=True, kw_only=True):
    """Pose and key a layer of the current clip, or the clip itself (""). It leaves no step."""

    undoable: ClassVar[bool] = False

    layer: NameOrNone

    def apply(self, document: Document, context: Context) -> Document:
        if self.layer:
            _layer(document, self.layer)
        return document if document.layer == self.layer else replace(document, layer=self.layer)


class RenameLayer(DocumentEdit, frozen=True, kw_only=True):
    """Give a layer of the current clip another name."""

    layer: Name
    name: Name

    @property
    def label(self) -> str:
        return f"Rename layer to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return rename_layer(document, self.layer, self.name)


class DeleteLayer(DocumentEdit, frozen=True, kw_only=True):
    """Delete a layer of the current clip."""

    layer: Name

    @property
    def label(self) -> str:
        return f"Delete layer {self.layer}"

    def apply(self, document: Document, context: Context) -> Document:
        return delete_layer(document, self.layer)


class MoveLayer(DocumentEdit, frozen=True, kw_only=True):
    """Put a layer of the current clip at another place, 0 being the lowest."""

    layer: Name
    to: Index

    @property
    def label(self) -> str:
        return f"Move layer {self.layer}"

    def apply(self, document: Document, context: Context) -> Document:
        return move_layer(document, self.layer, self.to)


class MergeLayer(DocumentEdit, frozen=True, kw_only=True):
    """Merge a layer into the one below it, or into the clip; the face stays as it is at every time."""

    layer: Name

    @property
    def label(self) -> str:
        return f"Merge layer {self.layer} down"

    def apply(self, document: Document, context: Context) -> Document:
        return merge_layer(document, self.layer)


class SetLayerKind(DocumentEdit, frozen=True, kw_only=True):
    """Let a layer be added to what is below it, or take its place."""

    layer: Name
    kind: LayerKind

    @property
    def label(self) -> str:
        return f"{'Add' if self.kind == 'additive' else 'Override with'} layer {self.layer}"

    def apply(self, document: Document, context: Context) -> Document:
        old = _layer(document, self.layer)
        return document if old.kind == self.kind else _with(document, self.layer, replace(old, kind=self.kind))


class SetLayerWeight(DocumentEdit, frozen=True, kw_only=True):
    """Set the weight of a layer; where it is keyed, by a key at a time."""

    layer: Name
    weight: Share
    time: Number

    @property
    def label(self) -> str:
        return f"Weight of {self.layer}"

    def apply(self, document: Document, context: Context) -> Document:
        return set_layer_weight(document, self.layer, self.weight, self.time)


class KeyLayerWeight(DocumentEdit, frozen=True, kw_only=True):
    """Key the weight of a layer as it is at a time."""

    layer: Name
    time: Number

    @property
    def label(self) -> str:
        return f"Key weight of {self.layer}"

    def apply(self, document: Document, context: Context) -> Document:
        return key_layer_weight(document, self.layer, self.time, context)


class MuteLayer(DocumentEdit, frozen=True, kw_only=True):
    """Leave a layer out, or play it again."""

    layer: Name
    muted: bool

    @property
    def label(self) -> str:
        return f"{'Mute' if self.muted else 'Unmute'} layer {self.layer}"

    def apply(self, document: Document, context: Context) -> Document:
        old = _layer(document, self.layer)
        return document if old.muted == self.muted else _with(document, self.layer, replace(old, muted=self.muted))


class SoloLayer(DocumentEdit, frozen=True, kw_only=True):
    """Play only this layer, and others with solo, over the clip."""

    layer: Name
    solo: bool

    @property
    def label(self) -> str:
        return f"{'Solo' if self.solo else 'End solo of'} layer {self.layer}"

    def apply(self, document: Document, context: Context) -> Document:
        old = _layer(document, self.layer)
        return document if old.solo == self.solo else _with(document, self.layer, replace(old, solo=self.solo))
