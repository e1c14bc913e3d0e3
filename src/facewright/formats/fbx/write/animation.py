"""Clips as animation stacks: keys of channels, and of the model that moves with the head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from facewright.document import Document
from facewright.formats.channels.curves import channel_curves, written_curve
from facewright.formats.channels.written import WrittenChannel
from facewright.formats.fbx.scene.keys import BREAK, CONSTANT, CUBIC, LINEAR, TICKS, USER, USUAL_WEIGHTS
from facewright.formats.fbx.write.encode import Element, Long, element
from facewright.formats.fbx.write.objects import WrittenObjects
from facewright.formats.fbx.write.properties import properties
from facewright.formats.write_options import Keys
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.tangents import BROKEN, STEP
from facewright.rig.head_motion import ANGLES, OFFSETS, has_head_motion

_FLAGS = {"step": CONSTANT, "linear": LINEAR, "cubic": CUBIC | USER | BREAK}
_LATEST = 2**62 / TICKS  # seconds


def add_clips(
    objects: WrittenObjects,
    document: Document,
    channels: Sequence[WrittenChannel],
    ids: Mapping[str, Sequence[int]],
    head: int,
    keys: Keys,
) -> None:
    """Add a stack for each clip. `ids` are those of each channel by name; `head` is the model of the head, or 0."""
    for given in document.clips:
        curves = {name: written_curve(curve, given, keys) for name, curve in given.curves.items()}
        clip = replace(given, curves=curves)
        layer = _add_stack(objects, clip)
        for name, curve in channel_curves(clip, document.rig, channels, keys).items():
            for number in ids.get(name, ()):
                _add_curves(objects, layer, number, "DeformPercent", {"DeformPercent": _times(curve, 100.0)})
        if head and has_head_motion(clip):
            _add_head(objects, layer, clip, head)


def _add_stack(objects: WrittenObjects, clip: Clip) -> int:
    start, stop = _ticks(clip.start), _ticks(clip.end)
    span = (("LocalStart", start), ("LocalStop", stop), ("ReferenceStart", start), ("ReferenceStop", stop))
    listed = [(name, "KTime", Long(time)) for name, time in span]
    stack = objects.add("AnimationStack", clip.name, "", lambda: [properties(*listed)], label="AnimStack", block=True)
    layer = objects.add("AnimationLayer", "BaseLayer", "", list, label="AnimLayer", block=True)
    objects.connect(layer, stack)
    return layer


def _add_head(objects: WrittenObjects, layer: int, clip: Clip, head: int) -> None:
    turned = {
        axis: _times(clip.curves[name], 180 / np.pi)
        for axis, name in zip("YXZ", ANGLES, strict=True)
        if name in clip.curves
    }
    moved = {axis: clip.curves[name] for axis, name in zip("XYZ", OFFSETS, strict=True) if name in clip.curves}
    for property, curves in (("Lcl Rotation", turned), ("Lcl Translation", moved)):
        if curves:
            _add_curves(objects, layer, head, property, curves)


def _add_curves(objects: WrittenObjects, layer: int, owner: int, property: str, curves: Mapping[str, Curve]) -> None:
    """Add the curves of a property, by the names of its numbers."""
    name = property if property == "DeformPercent" else {"Lcl Rotation": "R", "Lcl Translation": "T"}[property]
    numbers = [*curves] if property == "DeformPercent" else ["X", "Y", "Z"]
    first = {axis: float(curves[axis].values[0]) if axis in curves else 0.0 for axis in numbers}
    node = objects.add(
        "AnimationCurveNode",
        name,
        "",
        lambda: [properties(*((f"d|{axis}", "Number", value) for axis, value in first.items()))],
        label="AnimCurveNode",
    )
    objects.connect(node, layer)
    objects.connect(node, owner, property)
    for axis, curve in curves.items():
        number = objects.add("AnimationCurve", "", "", partial(_keys, curve), label="AnimCurve")
        objects.connect(number, node, f"d|{axis}")


def _keys(curve: Curve) -> list[Element]:
    count = len(curve.times)
    flags = np.array([_FLAGS[curve.interpolation]], np.int32)
    data, counts = np.zeros((1, 4), np.float32), np.array([count], np.int32)
    if curve.slopes is not None:
        held = np.zeros(count, bool) if curve.tangents is None else curve.tangents == STEP
        flags, counts = np.where(held, CONSTANT, flags).astype(np.int32), np.ones(count, np.int32)
        data = np.zeros((count, 4), np.float32)
        data[:, 0] = curve.slopes[:, 1]
        data[:-1, 1] = curve.slopes[1:, 0]
    data[:, 2] = np.array([USUAL_WEIGHTS], np.uint32).view(np.float32)
    return [
        element("Default", float(curve.values[0])),
        element("KeyVer", 4009),
        element("KeyTime", np.array([_ticks(time) for time in curve.times.tolist()], np.int64)),
        element("KeyValueFloat", curve.values.astype(np.float32)),
        element("KeyAttrFlags", flags),
        element("KeyAttrDataFloat", data),
        element("KeyAttrRefCount", counts),
    ]


def _ticks(seconds: float) -> int:
    return round(min(max(seconds, -_LATEST), _LATEST) * TICKS)


def _times(curve: Curve, factor: float) -> Curve:
    """A curve with its values multiplied, and its slopes as they are."""
    if curve.slopes is None:
        return replace(curve, values=factor * curve.values)
    held = np.zeros(len(curve.times), bool) if curve.tangents is None else curve.tangents == STEP
    codes = np.where(held, STEP, BROKEN) if held.any() else None
    return Curve(curve.times, factor * curve.values, "cubic", factor * curve.slopes, codes)
