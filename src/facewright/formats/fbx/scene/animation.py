"""Animation stacks, or takes of version 6, as curves of channels and of models."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

from facewright.errors import FacewrightWarning
from facewright.formats.fbx.container.node import FbxNode
from facewright.formats.fbx.scene.keys import FbxKeys, keys_of, keys_of_text
from facewright.formats.fbx.scene.objects import FbxObject, FbxScene, Id

RATES = (30.0, 120.0, 100.0, 60.0, 50.0, 48.0, 30.0, 30.0, 29.97, 29.97, 25.0, 24.0, 1000.0, 23.976, 0.0, 96.0, 72.0,
          59.94, 119.88)  # fmt: skip  # frames a second by TimeMode; 14 is a rate of its own
CUSTOM = 14
_PLACES = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}  # of version 6
PERCENT = "DeformPercent"


@dataclass(frozen=True, eq=False)
class FbxMotion:
    """One animation: the keys of channels, and of the places of models, each by axis."""

    name: str
    channels: dict[tuple[Id, str], FbxKeys] = field(default_factory=dict)  # object and channel name ("" in version 7)
    models: dict[Id, dict[str, dict[str, FbxKeys]]] = field(default_factory=dict)  # by model, property, axis


def frame_rate(scene: FbxScene) -> float:
    """Frames a second."""
    mode = int(scene.settings.number("TimeMode", -1.0))
    rate = RATES[mode] if 0 <= mode < len(RATES) else _stated_rate(scene.root)
    if mode == CUSTOM:
        rate = scene.settings.number("CustomFrameRate", 0.0)
    return rate if 1.0 <= rate <= 10_000.0 else 30.0


def _stated_rate(root: FbxNode) -> float:
    """The rate that files of version 6 state as a text."""
    node: FbxNode | None = root
    for name in ("Version5", "Settings", "FrameRate"):
        node = None if node is None else node.child(name)
    try:
        return 0.0 if node is None else float(node.text() or node.number())
    except ValueError:
        return 0.0


def motions(scene: FbxScene) -> list[FbxMotion]:
    """All animations of a file, in its order."""
    found = [_motion(scene, stack) for stack in scene.of_kind("AnimationStack")]
    return found or [_take(scene, take) for take in _takes(scene.root)]


def _motion(scene: FbxScene, stack: FbxObject) -> FbxMotion:
    motion = FbxMotion(stack.name)
    doubled = False
    for layer in scene.owned(stack, "AnimationLayer"):
        for node in scene.owned(layer, "AnimationCurveNode"):
            for link in [*scene.owners(node, "Deformer"), *scene.owners(node, "Model")]:
                doubled |= _add(scene, motion, node, link.other, link.property)
    if doubled:
        warnings.warn(
            f"animation {stack.name[:60]!r} has layers upon each other; of what several animate, the first is read",
            FacewrightWarning,
            stacklevel=2,
        )
    return motion


def _add(scene: FbxScene, motion: FbxMotion, node: FbxObject, owner: FbxObject, property: str) -> bool:
    """Read the curves of a property of an object; returns whether it had curves already."""
    curves = {link.property.removeprefix("d|"): link.other for link in scene.links(node, "AnimationCurve")}
    if not curves:
        return False
    if property == PERCENT and owner.sort == "BlendShapeChannel":
        if (owner.id, "") in motion.channels:
            return True
        motion.channels[owner.id, ""] = _keys(scene, next(iter(curves.values())))
    elif property in _PLACES.values():
        places = motion.models.setdefault(owner.id, {})
        if property in places:
            return True
        places[property] = {axis: _keys(scene, curve) for axis, curve in curves.items() if axis in ("X", "Y", "Z")}
    return False


def _keys(scene: FbxScene, curve: FbxObject) -> FbxKeys:
    keys = keys_of(curve.node)
    scene.budget.rows(32 + len(keys.times), "an animation")
    return keys


def _takes(root: FbxNode) -> Iterator[FbxNode]:
    listed = root.child("Takes")
    return iter(()) if listed is None else listed.all("Take")


def _take(scene: FbxScene, take: FbxNode) -> FbxMotion:
    motion = FbxMotion(take.text())
    for node in take.all("Model"):
        model = next((one for one in scene.of_kind("Model") if f"Model::{one.name}" == _plain(node.text())), None)
        if model is None:
            continue
        for channel in node.all("Channel"):
            if channel.text() == "Transform":
                motion.models[model.id] = _places(scene, channel)
            elif channel.child("Key") is not None:
                motion.channels[model.id, channel.text()] = _keys_of_text(scene, channel)
    return motion


def _plain(name: str) -> str:
    """A name of version 6, also of a binary file, with its class first."""
    text, mark, kind = name.partition("\0\1")
    return f"{kind}::{text}" if mark else name


def _places(scene: FbxScene, channel: FbxNode) -> dict[str, dict[str, FbxKeys]]:
    found: dict[str, dict[str, FbxKeys]] = {}
    for place in channel.all("Channel"):
        if place.text() in _PLACES:
            axes = {axis.text(): _keys_of_text(scene, axis) for axis in place.all("Channel")}
            found[_PLACES[place.text()]] = {axis: keys for axis, keys in axes.items() if axis in ("X", "Y", "Z")}
    return found


def _keys_of_text(scene: FbxScene, channel: FbxNode) -> FbxKeys:
    keys = keys_of_text(channel)
    scene.budget.rows(32 + len(keys.times), "an animation")
    return keys
