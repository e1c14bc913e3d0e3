"""Our block in files of other programs: sliders, in-betweens, combinations, rules, pins, regions and the prior.

glTF has it in `extras`, FBX in a property of the scene.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from facewright.document import Document
from facewright.errors import BadFile, FacewrightError, FacewrightWarning
from facewright.formats.schema.json import entry_from, plain
from facewright.formats.schema.prior import PriorEntry, prior_from
from facewright.formats.schema.regions import RegionsEntry, describe_local, local_from, regions_from
from facewright.formats.schema.rig import PartEntry, RigEntry, ShapeEntry, SliderEntry
from facewright.formats.schema.work import WorkEntry
from facewright.rig.names import group_of
from facewright.rig.rig import Part
from facewright.rig.shape import Shape

Json = dict[str, Any]


def default_entry(shapes: Sequence[str], parts: Sequence[Part]) -> RigEntry:
    """The rig of a file of plain targets without a block: one slider for each shape."""
    return RigEntry(
        [SliderEntry(name, 0.0, 1.0, group_of(name)) for name in shapes],
        [ShapeEntry(name) for name in shapes],
        [PartEntry(part.name, part.start, part.stop) for part in parts],
    )


def stated_entry(block: Json, default: RigEntry) -> RigEntry:
    """The rig that our block describes, with the shapes and parts that the file has now: those of `default`."""
    if not block:
        return default
    stated = entry_from(block, RigEntry)
    known = {shape.name for shape in default.shapes}
    listed = [shape for shape in stated.shapes if shape.name in known]
    new = known - {shape.name for shape in listed}
    names = {slider.name for slider in stated.sliders}
    fits = divides_parts(stated.parts, default.parts)
    return msgspec.structs.replace(
        stated,
        sliders=stated.sliders
        + [slider for slider in default.sliders if slider.name in new and slider.name not in names],
        shapes=listed + [shape for shape in default.shapes if shape.name in new],
        parts=stated.parts if fits else default.parts,
        rules=stated.rules if fits else [],  # they refer to vertices
    )


def block_for(document: Document, default: RigEntry) -> Json:
    """The block with which the file gives the same document again; empty where its targets suffice.

    `default` is the rig that a reader finds without the block.
    """
    rig = document.rig
    block = {} if RigEntry.of(rig) == default else plain(RigEntry.of(rig, document.pose))
    more = {
        "work": _work(document),
        "regions": {} if document.regions is None else plain(RegionsEntry.of(document.regions)),
        "prior": {} if document.prior is None else plain(PriorEntry.of(document.prior)),
        "local": describe_local(document.regions, rig.sliders, document.local),
        "extra": dict(document.extra),
    }
    return block | {key: value for key, value in more.items() if value}


def _work(document: Document) -> Json:
    """The small fields of a document; empty where they are those of a file without a block.

    The method of drags is always said: a block of an older version, without it, means another than no block.
    """
    work = plain(WorkEntry.of(replace(document, unit="")))  # files say the unit elsewhere
    return {} if work == plain(WorkEntry.of(Document(document.rig))) else {**work, "drag_method": document.drag_method}


def with_work(document: Document, block: Json) -> Document:
    """The document with the pins, regions and other values of our block."""
    extra = block.get("extra", {})
    document = _with_regions(replace(document, extra=extra if isinstance(extra, dict) else {}), block)
    document = _with_prior(document, block)
    if not block.get("work"):
        return document
    try:
        return replace(document, **entry_from(block["work"], WorkEntry).fields())
    except FacewrightError as problem:
        warnings.warn(f"pins and held points are left out: {problem}", FacewrightWarning, stacklevel=2)
        return document


def _with_regions(document: Document, block: Json) -> Document:
    if not block.get("regions"):
        return document
    try:
        regions = regions_from(block["regions"])
        values = msgspec.convert(block.get("local", {}), dict[str, dict[str, float]])
        return replace(document, regions=regions, local=local_from(regions, document.rig, values))
    except (FacewrightError, msgspec.ValidationError) as problem:
        warnings.warn(f"regions are left out: {problem}", FacewrightWarning, stacklevel=2)
        return document


def _with_prior(document: Document, block: Json) -> Document:
    if not block.get("prior"):
        return document
    try:
        return replace(document, prior=prior_from(block["prior"]))
    except FacewrightError as problem:
        warnings.warn(f"the prior is left out: {problem}", FacewrightWarning, stacklevel=2)
        return document


def ordered_shapes(entry: RigEntry, moved: Mapping[str, Shape]) -> tuple[Shape, ...]:
    """The shapes in the entry's order, each with the sliders that drive it."""
    if len({shape.name for shape in entry.shapes}) != len(entry.shapes):
        raise BadFile("the facewright block names a shape twice")
    return tuple(
        Shape(shape.name, moved[shape.name].vertices, moved[shape.name].offsets, **shape.driving())
        for shape in entry.shapes
    )


def divides_parts(stated: Sequence[Part | PartEntry], found: Sequence[Part | PartEntry]) -> bool:
    """Whether the stated parts are the parts of the file's meshes, or divide them."""
    ends = [part.stop for part in stated]
    follow = [part.start for part in stated] == [0, *ends[:-1]]
    return follow and bool(ends) and ends[-1] == found[-1].stop and {part.stop for part in found} <= set(ends)
