"""An FBX file as a document."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import FacewrightError, FacewrightWarning
from facewright.formats import limits
from facewright.formats.block import ordered_shapes, stated_entry, with_work
from facewright.formats.fbx.block import ClipBlock, block_in, default_fbx_entry
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.file import parse_file
from facewright.formats.fbx.scene.animation import FbxMotion, frame_rate, motions
from facewright.formats.fbx.scene.channels import Channel, shape_names
from facewright.formats.fbx.scene.head import head_motion
from facewright.formats.fbx.scene.materials import read_materials, texture_files
from facewright.formats.fbx.scene.objects import FbxScene, Id
from facewright.formats.fbx.scene.parts import FbxPart, source_parts
from facewright.formats.files import Source, read_up_to
from facewright.formats.unique_names import unique
from facewright.mesh.polygons import Polygons, Uvs
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.take import METRES
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

UNIT = "fbx_unit"  # key of `Document.extra`: centimetres in one unit of the file, where that has no name
_SAME_KNOT = 1e-6


def read(source: Source) -> Document:
    """The document in an FBX file, in the unit of the file, with y up and the face along z."""
    data = read_up_to(source, limits.GLB)
    budget = ReadBudget(len(data))
    with np.errstate(all="ignore"):  # numbers that are too large are refused by the rig
        return _document(
            FbxScene(*parse_file(data, budget), budget), source.parent if isinstance(source, Path) else None
        )


def files_of(path: Path) -> tuple[Path, ...]:
    """An FBX file and the images that it refers to; the file alone where it cannot be read."""
    try:
        data = read_up_to(path, limits.GLB)
        budget = ReadBudget(len(data))
        return path, *texture_files(FbxScene(*parse_file(data, budget), budget), path.parent)
    except (FacewrightError, OSError):
        return (path,)


@dataclass(frozen=True, eq=False)
class _Slider:
    """A slider of the file: the channels of its name in all parts, and the values at which one of them has a target."""

    name: str
    channels: tuple[tuple[int, Channel], ...]  # part and channel
    knots: tuple[float, ...]  # increasing, without 0
    shapes: tuple[str, ...]  # name of the shape at each knot


def _document(scene: FbxScene, folder: Path | None) -> Document:
    parts = source_parts(scene)
    ranges = _ranges(parts)
    block = block_in(scene)
    sliders = _sliders(parts, block.get("channels"))
    listed = [(one.name, list(zip(one.shapes, one.knots, strict=True))) for one in sliders]
    entry = stated_entry(block, default_fbx_entry(listed, ranges))
    polygons, uvs = _faces(parts, ranges)
    shapes = {shape.name: shape for one in sliders for shape in _shapes(one, parts, ranges)}
    neutral = np.concatenate([part.points for part in parts])
    rig = Rig(neutral, polygons, ordered_shapes(entry, shapes), uvs=uvs, **entry.rig_fields())
    pose = {one.name: _rest(one) for one in sliders if one.name in rig.sliders}
    known = {name: value for name, value in entry.pose.items() if name in rig.sliders and name not in pose}
    unit = scene.settings.number("UnitScaleFactor", 1.0)
    named = next((name for name, metres in METRES.items() if abs(100 * metres - unit) < 1e-6 * unit), "")
    extra = {} if named else {UNIT: unit}
    document = Document(rig, _clips(scene, parts, sliders, rig, block), rig.weights(pose | known))
    document = with_work(document, block)
    materials = read_materials(scene, parts, folder)
    return replace(document, materials=materials, extra={**document.extra, **extra}, unit=named)


def _ranges(parts: Sequence[FbxPart]) -> tuple[Part, ...]:
    stops = np.cumsum([len(part.mesh.points) for part in parts]).tolist()
    return tuple(Part(part.name, start, stop) for part, start, stop in zip(parts, [0, *stops], stops, strict=False))


def _sliders(parts: Sequence[FbxPart], stated: Any) -> list[_Slider]:
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
        found.append(_Slider(name, tuple(listed), tuple(at for at, _ in kept), tuple(names)))
    distinct = iter(unique(name for one in found for name in one.shapes))
    return [replace(one, shapes=tuple(next(distinct) for _ in one.shapes)) for one in found]


def _shapes(slider: _Slider, parts: Sequence[FbxPart], ranges: Sequence[Part]) -> list[Shape]:
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


def _faces(parts: Sequence[FbxPart], ranges: Sequence[Part]) -> tuple[Polygons, Uvs | None]:
    polygons = Polygons(
        np.concatenate([part.mesh.polygons.corners + at.start for part, at in zip(parts, ranges, strict=True)]),
        np.concatenate([part.mesh.polygons.counts for part in parts]),
    )
    layers = [part.mesh.uvs for part in parts]
    if not any(layers):
        return polygons, None
    coordinates, corners, start = [], [], 0
    for part, uvs in zip(parts, layers, strict=True):
        none = np.full(len(part.mesh.polygons.corners), -1)
        corners.append(none if uvs is None else np.where(uvs.corners >= 0, uvs.corners + start, -1))
        coordinates += [] if uvs is None else [uvs.coordinates]
        start += 0 if uvs is None else len(uvs.coordinates)
    return polygons, Uvs(np.concatenate(coordinates), np.concatenate(corners))


def _rest(slider: _Slider) -> float:
    return slider.channels[0][1].value


def _clips(
    scene: FbxScene, parts: Sequence[FbxPart], sliders: Sequence[_Slider], rig: Rig, block: dict[str, Any]
) -> tuple[Clip, ...]:
    owners = {
        (channel.id, "" if scene.version >= 7000 else channel.name): one.name
        for one in reversed(sliders)
        for _, channel in reversed(one.channels)
    }
    rate = frame_rate(scene)
    stated = _stated_clips(block)
    found = []
    listed = motions(scene)
    names = unique(motion.name or f"clip {number}" for number, motion in enumerate(listed))
    for name, motion in zip(names, listed, strict=True):
        clip = _clip(name, motion, owners, rig, rate)
        head = head_motion(scene, motion, parts, rate, rig.size)
        clip = replace(clip, curves={**clip.curves, **head})
        if name in stated:
            clip = stated[name].completed(clip)
        if clip.curves or name in stated:
            found.append(clip)
    return tuple(found)


def _clip(name: str, motion: FbxMotion, owners: Mapping[tuple[Id, str], str], rig: Rig, rate: float) -> Clip:
    """The curves of sliders; of parts with different curves the first wins, and shapes of several sliders follow."""
    own: dict[str, Curve] = {}
    for key, keys in motion.channels.items():
        slider = owners.get(key, "")
        if slider in rig.sliders and slider not in own:
            curve = keys.curve(0.01)
            if curve is not None:
                own[slider] = curve
    return Clip(name, {slider: own[slider] for slider in rig.sliders if slider in own}, rate)


def _stated_clips(block: dict[str, Any]) -> dict[str, ClipBlock]:
    try:
        return msgspec.convert(block.get("clips", {}), dict[str, ClipBlock])
    except msgspec.ValidationError as problem:
        warnings.warn(f"what the file keeps of clips is left out: {problem}", FacewrightWarning, stacklevel=2)
        return {}
