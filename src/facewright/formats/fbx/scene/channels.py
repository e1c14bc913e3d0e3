"""Blend shape channels: one or more targets of a mesh, and the weights at which each is fully on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.channels.channel import Channel, ChannelTarget
from facewright.formats.fbx.container.node import FbxNode
from facewright.formats.fbx.scene.objects import FbxObject, FbxScene
from facewright.formats.unique_names import unique

_PERCENT = 100.0
_LEAST, _MOST = 1e-6, 1e6  # weights at which a target can be on


def channels_of(scene: FbxScene, geometry: FbxObject, model: FbxObject, points: int) -> tuple[Channel, ...]:
    """The channels of a mesh of so many points, each with a name of its own."""
    found = [*_channels_of_7(scene, geometry, points), *_channels_of_6(scene, geometry, model, points)]
    if len(found) > limits.SHAPES:
        raise BadFile(f"mesh {model.name!r} has {len(found)} shapes; at most {limits.SHAPES} are read")
    names = unique(one.name or f"shape {number}" for number, one in enumerate(found))
    return tuple(Channel(name, one.id, one.targets, one.value) for name, one in zip(names, found, strict=True))


def _channels_of_7(scene: FbxScene, geometry: FbxObject, points: int) -> list[Channel]:
    found = []
    for deformer in scene.owned(geometry, "Deformer", "BlendShape"):
        for channel in scene.owned(deformer, "Deformer", "BlendShapeChannel"):
            shapes = scene.owned(channel, "Geometry", "Shape")
            percents = _full_weights(channel.node, len(shapes), channel.name)
            targets = [
                _target(scene, one.node, one.name.removeprefix(f"{deformer.name}."), percent, points)
                for one, percent in zip(shapes, percents, strict=True)
            ]
            if len(targets) == 1:
                targets = [_weighted(targets[0], channel.node.floats("FullWeights"))]
            if targets:
                name = channel.name.removeprefix(f"{deformer.name}.") or targets[-1].name
                found.append(Channel(name, channel.id, _sorted(targets, name), _value(channel)))
    return found


def _channels_of_6(scene: FbxScene, geometry: FbxObject, model: FbxObject, points: int) -> list[Channel]:
    """Shapes inside the node of a model; a property of the model has the percentage."""
    found = []
    for node in geometry.node.all("Shape") if geometry.id == model.id else ():
        name = node.text()
        target = _target(scene, node, name, _PERCENT, points)
        found.append(Channel(name, model.id, (target,), model.number(name, 0.0) / _PERCENT))
    return found


def _full_weights(node: FbxNode, count: int, name: str) -> list[float]:
    """The percentage at which each target is on; 100 where a single one has none, or one for each vertex."""
    stated: list[float] = node.floats("FullWeights").tolist()
    if len(stated) < count or (count == 1 and len(stated) != 1):
        stated = [_PERCENT * (i + 1) / count for i in range(count)]
    for percent in stated[:count]:
        if not _LEAST <= abs(percent) / _PERCENT <= _MOST:
            if count == 1:
                return [_PERCENT]  # some programs leave it 0
            raise BadFile(f"channel {name[:60]!r} has a target at {percent:g} %, where none can be")
    return stated[:count]


def _weighted(target: ChannelTarget, percents: Floats) -> ChannelTarget:
    """A target whose vertices have weights of their own: Blender writes those of a vertex group as `FullWeights`."""
    if len(percents) != len(target.rows) or len(percents) < 2 or (percents == _PERCENT).all():
        return target
    return replace(target, offsets=target.offsets * percents[:, None] / _PERCENT)


def _value(channel: FbxObject) -> float:
    child = channel.node.child("DeformPercent")
    return channel.number("DeformPercent", 0.0 if child is None else child.number()) / _PERCENT


def _sorted(targets: Sequence[ChannelTarget], name: str) -> tuple[ChannelTarget, ...]:
    ordered = sorted(targets, key=lambda target: target.at)
    for one, other in pairwise(ordered):
        if other.at - one.at < _LEAST:
            raise BadFile(f"channel {name[:60]!r} has two targets at {_PERCENT * one.at:g} %")
    return tuple(ordered)


def _target(scene: FbxScene, node: FbxNode, name: str, percent: float, points: int) -> ChannelTarget:
    rows, offsets = node.ints("Indexes"), node.floats("Vertices", 3)
    scene.budget.rows(len(rows), f"shape {name[:60]!r}")
    if len(rows) != len(offsets):
        raise BadFile(f"shape {name[:60]!r} has {len(rows)} indices and {len(offsets)} offsets")
    if len(rows) and not (rows.min() >= 0 and rows.max() < points):
        raise BadFile(f"shape {name[:60]!r} moves vertex {rows.max()}; its mesh has {points}")
    if len(rows) > 1 and (np.diff(rows) <= 0).any():
        rows, first = np.unique(rows[::-1], return_index=True)  # of an index that is there twice the last counts
        offsets = offsets[::-1][first]
    return ChannelTarget(name, percent / _PERCENT, rows, offsets)
