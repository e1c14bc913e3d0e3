"""Our block in files with channels: what their targets and keys do not hold of a document."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.formats.block import block_for
from facewright.formats.channels.channel import shape_names
from facewright.formats.channels.written import WrittenChannel, WrittenMesh
from facewright.formats.rig_meshes import moved_pins
from facewright.formats.schema.clip import CurveEntry
from facewright.formats.schema.json import plain
from facewright.formats.schema.rig import PartEntry, RigEntry, ShapeEntry, SliderEntry
from facewright.motion.clip import Clip
from facewright.rig.names import group_of
from facewright.rig.rig import Part


class ClipBlock(msgspec.Struct):
    """What an animation stack does not hold of a clip."""

    rate: float
    order: list[str] = []  # of the curves
    curves: list[CurveEntry] = []  # of what no channel of the file moves, or not in all that a curve has

    def completed(self, clip: Clip) -> Clip:
        """A clip as it was before it was written."""
        curves = {**clip.curves, **{one.slider: one.value() for one in self.curves}}
        ordered = [name for name in self.order if name in curves]
        rate = self.rate if 0 < self.rate <= 10_000 else clip.rate
        return replace(clip, curves={name: curves[name] for name in dict.fromkeys([*ordered, *curves])}, rate=rate)


def stated_clips(block: dict[str, Any]) -> dict[str, ClipBlock]:
    """What the block states of clips, by their names."""
    try:
        return msgspec.convert(block.get("clips", {}), dict[str, ClipBlock])
    except msgspec.ValidationError as problem:
        warnings.warn(f"what the file keeps of clips is left out: {problem}", FacewrightWarning, stacklevel=2)
        return {}


def channels_block(
    document: Document, pieces: Sequence[WrittenMesh], kept: Callable[[float], float] = float
) -> dict[str, Any]:
    """Our block of a document without its clips; empty where the channels suffice.

    kept: the value at which a reader finds a target that is written at one.
    """
    ordered: dict[str, WrittenChannel] = {one.name: one for piece in pieces for one in piece.channels}
    names = [(one.name, shape_names(one.name, [(s.name, at) for s, at in zip(one.shapes, one.at, strict=True)]))
             for one in ordered.values()]  # fmt: skip
    found = [(name, list(zip(shapes, map(kept, ordered[name].at), strict=True))) for name, shapes in names]
    default = default_channels_entry(found, [piece.part for piece in pieces])
    pins = moved_pins(document, np.concatenate([piece.order for piece in pieces]))
    block: dict[str, Any] = block_for(replace(document, pins=pins), default)
    if "shapes" in block:
        block["channels"] = {name: [shape.name for shape in one.shapes] for name, one in ordered.items()}
    return block


def clip_block(clip: Clip, readable: Sequence[str], exact: Callable[[str], bool], rate: float) -> dict[str, Any]:
    """What a file does not hold of a clip; empty where it holds all.

    readable: the curves that a reader finds, in its order; exact: whether their keys say all of one; rate: what a
    reader takes for the clip's.
    """
    rest = [
        CurveEntry.of(name, curve) for name, curve in clip.curves.items() if name not in readable or not exact(name)
    ]
    if clip.rate == rate and list(clip.curves) == list(readable) and not rest and clip.curves:
        return {}
    return plain(ClipBlock(float(clip.rate), list(clip.curves), rest))


def default_channels_entry(
    sliders: Sequence[tuple[str, Sequence[tuple[str, float]]]], parts: Sequence[Part]
) -> RigEntry:
    """The rig of a file without a block: sliders with the names and values of their shapes."""
    return RigEntry(
        [SliderEntry(name, *_bounds([at for _, at in shapes]), group_of(name)) for name, shapes in sliders],
        [ShapeEntry(shape, [] if shape == name else [name], at) for name, shapes in sliders for shape, at in shapes],
        [PartEntry(part.name, part.start, part.stop) for part in parts],
    )


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    """From 0 to 1, or to the outermost targets where these are further or on the other side."""
    low, high = min(values), max(values)
    return min(low, 0.0), max(high, 1.0) if high > 0 else 0.0
