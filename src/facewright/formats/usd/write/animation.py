"""Clips as animations of a skeleton, and the motion of the head as operations of the prim above all meshes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.formats.channels.block import clip_block
from facewright.formats.channels.curves import channel_curves, written_curve
from facewright.formats.channels.written import WrittenChannel
from facewright.formats.usd.write.text import Prim, Property, array, quoted, quoted_list, tuple_of
from facewright.formats.write_options import Keys
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.head_motion import ANGLES, OFFSETS, has_head_motion

DEFAULT_RATE = 30.0
_PITCH_YAW_ROLL = (ANGLES[1], ANGLES[0], ANGLES[2])  # about x, y and z
_ROUNDED = 1e-9


@dataclass(frozen=True, eq=False)
class WrittenClip:
    """A clip as the tables that a file holds: straight lines between the times of all its curves."""

    clip: Clip
    is_bound: bool  # whether the skeleton plays it
    times: Floats  # (k,) seconds
    weights: Floats  # (k, channels)
    turned: tuple[Floats, Floats] | None  # times, and angles (k, 3) about x, y and z in degrees
    moved: tuple[Floats, Floats] | None  # times, and offsets (k, 3)


def written_clips(document: Document, channels: Sequence[WrittenChannel], keys: Keys) -> list[WrittenClip]:
    """The clips of a document. The current one is bound, else the first; it alone moves the head."""
    bound = document.clip or next((clip.name for clip in document.clips), "")
    return [_written(clip, document, channels, keys, clip.name == bound) for clip in document.clips]


def _written(
    clip: Clip, document: Document, channels: Sequence[WrittenChannel], keys: Keys, is_bound: bool
) -> WrittenClip:
    lines: Keys = "frames" if keys == "frames" else "straight"  # USD has no others
    straight = replace(clip, curves={name: written_curve(curve, clip, lines) for name, curve in clip.curves.items()})
    curves = channel_curves(straight, document.rig, channels, lines)
    times, weights = _table([curves.get(one.name) for one in channels])
    if not (is_bound and has_head_motion(clip)):
        return WrittenClip(clip, is_bound, times, weights, None, None)
    turned = [straight.curves.get(name) for name in _PITCH_YAW_ROLL]
    moved = [straight.curves.get(name) for name in OFFSETS]
    at, angles = _table(turned)
    return WrittenClip(clip, is_bound, times, weights, (at, np.degrees(angles)) if len(at) else None, _table(moved))


def _table(curves: Sequence[Curve | None]) -> tuple[Floats, Floats]:
    """All keys of some curves, and their values there; 0 for one that is not there."""
    keys = [curve.times for curve in curves if curve is not None]
    times = np.unique(np.concatenate(keys)) if keys else np.zeros(0)
    columns = [np.zeros(len(times)) if curve is None else curve(times) for curve in curves]
    return times, np.stack(columns, axis=1) if columns else np.zeros((len(times), 0))


def clip_prims(
    clips: Sequence[WrittenClip], channels: Sequence[WrittenChannel], names: Sequence[str], rate: float
) -> Iterator[Prim]:
    """An animation for each clip; the bound one has the pose as its value without a time. Without clips, the pose."""
    pose = array(np.array([one.value for one in channels], np.float64))
    order = Property("uniform token[] blendShapes", quoted_list(one.name for one in channels))
    if not clips:
        yield Prim("SkelAnimation", names[0], {}, [order, Property("float[] blendShapeWeights", pose)])
        return
    for one, name in zip(clips, names, strict=True):
        samples = [(_code(time, rate), array(row)) for time, row in zip(one.times, one.weights, strict=True)]
        weights = Property("float[] blendShapeWeights", pose if one.is_bound else "", samples=samples)
        yield Prim("SkelAnimation", name, {"displayName": quoted(one.clip.name)}, [order, weights])


def head_properties(clip: WrittenClip, rate: float) -> list[Property]:
    """How the head moves: rotations about z, x and y in this order, then a translation."""
    found = []
    for name, table in (("translate", clip.moved), ("rotateZXY", clip.turned)):
        if table is not None:
            samples = [(_code(time, rate), tuple_of(row)) for time, row in zip(*table, strict=True)]
            found.append(Property(f"double3 xformOp:{name}", "(0, 0, 0)", samples=samples))
    if not found:
        return []
    order = quoted_list(one.declaration.removeprefix("double3 ") for one in found)
    return [*found, Property("uniform token[] xformOpOrder", order)]


def rest_of_clip(
    one: WrittenClip, document: Document, channels: Sequence[WrittenChannel], rate: float
) -> dict[str, Any]:
    """What our block keeps of a clip: curves that are not straight, or whose keys are not those of all."""
    column = {channel.slider: n for n, channel in enumerate(channels) if channel.slider}
    tables = {name: (one.times, one.weights[:, column[name]]) for name in document.rig.sliders if name in column}
    for table, group in ((one.turned, _PITCH_YAW_ROLL), (one.moved, OFFSETS)):
        if table is not None:
            tables |= {name: (table[0], table[1][:, n]) for n, name in enumerate(group)}
    ordered = [*document.rig.sliders, *ANGLES, *OFFSETS]
    readable = [
        name for name in dict.fromkeys(ordered) if name in one.clip.curves and name in tables and tables[name][1].any()
    ]
    return clip_block(one.clip, readable, lambda name: _is_exact(one.clip.curves[name], tables[name][0]), rate)


def _is_exact(curve: Curve, times: Floats) -> bool:
    plain = curve.interpolation == "linear" and curve.outside == "hold"
    return plain and np.array_equal(curve.times, times)


def _code(seconds: float, rate: float) -> float:
    """The time code of a time; one that is a whole number but for rounding is that number."""
    code = float(seconds * rate)
    return float(round(code)) if abs(code - round(code)) < _ROUNDED * max(1.0, abs(code)) else code


def time_range(clip: Clip, rate: float) -> tuple[float, float]:
    """The first and the last time code of a clip."""
    return _code(clip.start, rate), _code(clip.end, rate)
