"""Our block in an FBX file: a text among the properties of the scene, which other programs do not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from facewright.errors import BadFile
from facewright.formats.fbx.scene.objects import FbxScene, properties_of
from facewright.formats.schema.clip import CurveEntry
from facewright.formats.schema.json import decode
from facewright.formats.schema.rig import PartEntry, RigEntry, ShapeEntry, SliderEntry
from facewright.motion.clip import Clip
from facewright.rig.names import group_of
from facewright.rig.rig import Part

KEY = "Original|Facewright"


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


def block_in(scene: FbxScene) -> dict[str, Any]:
    """Our block; empty where there is none."""
    header = scene.root.child("FBXHeaderExtension")
    info = None if header is None else header.child("SceneInfo")
    values = () if info is None else properties_of(info).get(KEY, ())
    if not values or not isinstance(values[0], str):
        return {}
    try:
        return decode(values[0].encode("utf-8", "surrogatepass"))
    except BadFile as problem:
        raise BadFile(f"{KEY}: {problem}") from problem


def default_fbx_entry(sliders: Sequence[tuple[str, Sequence[tuple[str, float]]]], parts: Sequence[Part]) -> RigEntry:
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
