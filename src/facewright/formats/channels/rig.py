"""The rig of a file whose meshes have channels: those of one name are one slider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.block import ordered_shapes, stated_entry
from facewright.formats.channels.block import default_channels_entry
from facewright.formats.channels.channel import Channel, shape_names
from facewright.formats.unique_names import unique
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

_SAME_KNOT = 1e-6


class ChannelPart(Protocol):
    """A mesh of a file that becomes a part of the rig."""

    @property
    def name(self) -> str: ...
    @property
    def channels(self) -> tuple[Channel, ...]: ...
    @property
    def polygons(self) -> Polygons: ...
    @property
    def uvs(self) -> Uvs | None: ...
    @property
    def points(self) -> Floats:
        """Positions (p, 3) in the rig's space."""
        ...

    def turned(self, vectors: Floats, rows: Ints) -> Floats:
        """Vectors (k, 3) of some points in the rig's axes."""
        ...


@dataclass(frozen=True, eq=False)
class ChannelSlider:
    """A slider of a file: the channels of its name in all parts, and the values at which one of them has a target."""

    name: str
    channels: tuple[tuple[int, Channel], ...]  # part and channel
    knots: tuple[float, ...]  # increasing, without 0
    shapes: tuple[str, ...]  # name of the shape at each knot


@dataclass(frozen=True, eq=False)
class ChannelRig:
    """The rig of a file, its pose, and the sliders that come from channels."""

    rig: Rig
    pose: Floats  # (n,)
    sliders: tuple[ChannelSlider, ...]


def channel_rig(parts: Sequence[ChannelPart], block: dict[str, Any]) -> ChannelRig:
    """The rig of the parts of a file with our block, which is empty in files of other programs."""
    points = [part.points for part in parts]
    stops = np.cumsum([len(own) for own in points]).tolist()
    ranges = [Part(part.name, start, stop) for part, start, stop in zip(parts, [0, *stops], stops, strict=False)]
    sliders = _sliders(parts, block.get("channels"))
    listed = [(one.name, list(zip(one.shapes, one.knots, strict=True))) for one in sliders]
    entry = stated_entry(block, default_channels_entry(listed, ranges))
    polygons, uvs = _faces(parts, ranges)
    shapes = {shape.name: shape for one in sliders for shape in _shapes(one, parts, ranges)}
    rig = Rig(np.concatenate(points), polygons, ordered_shapes(entry, shapes), uvs=uvs, **entry.rig_fields())
    pose = {one.name: one.channels[0][1].value for one in sliders if one.name in rig.sliders}
    known = {name: value for name, value in entry.pose.items() if name in rig.sliders and name not in pose}
    return ChannelRig(rig, rig.weights(pose | known), tuple(sliders))


def _sliders(parts: Sequence[ChannelPart], stated: Any) -> list[ChannelSlider]:
    """The sliders of all parts: channels of one name are one slider."""
    channels: dict[str, list[tuple[int, Channel]]] = {}
    for number, part in enumerate(parts):
        for channel in part.channels:
            channels.setdefault(channel.name, []).append((number, channel))
    known = stated if isinstance(stated, dict) else {}
    found = []
    for name, listed in channels.items():
        targets = sorted({target.at: target.name for _, one in listed for target in one.targets}.items())
        kept = [pair for n, pair in enumerate(targets) if n == 0 or pair[0] - targets[n - 1][0] > _SAME_KNOT]
        names = known.get(name)
        if not (isinstance(names, list) and len(names) == len(kept) and all(isinstance(one, str) for one in names)):
            names = shape_names(name, [(text, at) for at, text in kept])
        found.append(ChannelSlider(name, tuple(listed), tuple(at for at, _ in kept), tuple(names)))
    distinct = iter(unique(name for one in found for name in one.shapes))
    return [replace(one, shapes=tuple(next(distinct) for _ in one.shapes)) for one in found]


def _shapes(slider: ChannelSlider, parts: Sequence[ChannelPart], ranges: Sequence[Part]) -> list[Shape]:
    """A shape for each value of a slider at which a part has a target; other parts are between two of theirs."""
    found = []
    for name, knot in zip(slider.shapes, slider.knots, strict=True):
        rows: list[Ints] = []
        offsets: list[Floats] = []
        for number, channel in slider.channels:
            moved, by = _offsets(channel, knot)
            if len(moved):
                rows.append(moved + ranges[number].start)
                offsets.append(parts[number].turned(by, moved))
        if len(rows) == 1:
            found.append(Shape(name, rows[0], offsets[0]))
        else:
            empty = np.zeros(0, np.int64), np.zeros((0, 3))
            found.append(Shape(name, *((np.concatenate(rows), np.concatenate(offsets)) if rows else empty)))
    return found


def _offsets(channel: Channel, value: float) -> tuple[Ints, Floats]:
    """The points that a channel moves at a value, and by how much."""
    near = next((target for target in channel.targets if abs(target.at - value) <= _SAME_KNOT), None)
    if near is not None:
        return near.rows, near.offsets
    shares = channel.at(value)
    rows = np.unique(np.concatenate([channel.targets[n].rows for n in shares] or [np.zeros(0, np.int64)]))
    offsets = np.zeros((len(rows), 3))
    for n, share in shares.items():
        offsets[np.searchsorted(rows, channel.targets[n].rows)] += share * channel.targets[n].offsets
    return rows, offsets


def _faces(parts: Sequence[ChannelPart], ranges: Sequence[Part]) -> tuple[Polygons, Uvs | None]:
    polygons = Polygons(
        np.concatenate([part.polygons.corners + at.start for part, at in zip(parts, ranges, strict=True)]),
        np.concatenate([part.polygons.counts for part in parts]),
    )
    if not any(part.uvs for part in parts):
        return polygons, None
    coordinates, corners, start = [], [], 0
    for part in parts:
        uvs = part.uvs
        none = np.full(len(part.polygons.corners), -1)
        corners.append(none if uvs is None else np.where(uvs.corners >= 0, uvs.corners + start, -1))
        coordinates += [] if uvs is None else [uvs.coordinates]
        start += 0 if uvs is None else len(uvs.coordinates)
    return polygons, Uvs(np.concatenate(coordinates), np.concatenate(corners))
