"""What glTF has no place for, in `extras` under our own name: sliders, in-betweens, combinations, exclusive pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from facewright.errors import BadFile
from facewright.formats.gltf.fields import Json
from facewright.formats.rig_json import PartEntry, RigEntry, ShapeEntry, SliderEntry, describe, plain, understand
from facewright.rig.names import group_of
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

KEY = "facewright"
HAD_TARGETS = "hadTargets"  # in the block of a mesh that has none any more, but is still a part of the face


def block_of(holder: Json) -> Json:
    """Our own block in the extras of something, empty where there is none."""
    extras = holder.get("extras")
    block = extras.get(KEY) if isinstance(extras, dict) else None
    return block if isinstance(block, dict) else {}


def set_block(holder: Json, block: Json) -> None:
    """Put our own block into the extras of something, or take it out where it is empty."""
    extras = holder.get("extras", {})
    if not isinstance(extras, dict):
        return  # extras may be anything; then there is no room for us
    others = {key: value for key, value in extras.items() if key != KEY}
    holder["extras"] = others | ({KEY: block} if block else {})
    if not holder["extras"]:
        del holder["extras"]


def default_entry(shapes: Sequence[str], parts: Sequence[Part]) -> RigEntry:
    """The rig of a file that says nothing more: one slider a shape."""
    return RigEntry(
        [SliderEntry(name, 0.0, 1.0, group_of(name)) for name in shapes],
        [ShapeEntry(name) for name in shapes],
        [PartEntry(part.name, part.start, part.stop) for part in parts],
    )


def stated_entry(json: Json, shapes: Sequence[str], parts: Sequence[Part]) -> RigEntry:
    """The rig as our block describes it, brought up to date with the shapes and parts that the file now has."""
    default = default_entry(shapes, parts)
    block = block_of(json)
    if not block:
        return default
    stated: RigEntry = understand(block)
    known = set(shapes)
    listed = [shape for shape in stated.shapes if shape.name in known]
    new = known - {shape.name for shape in listed}
    names = {slider.name for slider in stated.sliders}
    fits = parts_fit(stated.parts, default.parts)
    return msgspec.structs.replace(
        stated,
        sliders=stated.sliders
        + [slider for slider in default.sliders if slider.name in new and slider.name not in names],
        shapes=listed + [shape for shape in default.shapes if shape.name in new],
        parts=stated.parts if fits else default.parts,
        rules=stated.rules if fits else [],  # they name vertices
    )


def block_for(rig: Rig, pose: Any, extra: Mapping[str, Any], *, shapes: Sequence[str], parts: Sequence[Part]) -> Json:
    """What must be stated so that the file gives the same rig again; empty where its targets alone do.

    `shapes` and `parts` are those that a reader finds without it.
    """
    block = {} if describe(rig) == default_entry(shapes, parts) else plain(describe(rig, pose))
    return block | ({"extra": dict(extra)} if extra else {})


def stated_extra(json: Json) -> Json:
    extra = block_of(json).get("extra", {})
    return extra if isinstance(extra, dict) else {}


def wired(entry: RigEntry, moved: Mapping[str, Shape]) -> tuple[Shape, ...]:
    """The shapes in the entry's order, each with the sliders that drive it."""
    if len({shape.name for shape in entry.shapes}) != len(entry.shapes):
        raise BadFile("the facewright block names a shape twice")
    return tuple(
        Shape(shape.name, moved[shape.name].vertices, moved[shape.name].offsets, tuple(shape.sliders), shape.at)
        for shape in entry.shapes
    )


def parts_fit(stated: Sequence[Part | PartEntry], found: Sequence[Part | PartEntry]) -> bool:
    """Whether the stated parts only divide those that the file's meshes give."""
    ends = [part.stop for part in stated]
    follow = [part.start for part in stated] == [0, *ends[:-1]]
    return follow and bool(ends) and ends[-1] == found[-1].stop and {part.stop for part in found} <= set(ends)
