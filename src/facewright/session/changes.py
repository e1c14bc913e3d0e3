"""What is different between two documents of one rig, as plain values: what the journal keeps of each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.schema.captured import CapturedEntry
from facewright.formats.schema.regions import RegionsEntry, describe_local, local_from
from facewright.formats.schema.work import WorkEntry
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve, Interpolation
from facewright.motion.take import Take
from facewright.session.texture_changes import TexturesChange, changed_textures, describe_change

_WORK = ("pins", "held", "locked", "clip", "time")


class CurveChange(msgspec.Struct, omit_defaults=True):
    """A curve; without times, it is that of the same name in the clip `kept_from` of the document before."""

    kept_from: str | None = None
    times: list[float] = []
    values: list[float] = []
    interpolation: Interpolation = "linear"
    slopes: list[tuple[float, float]] | None = None


class ClipChange(msgspec.Struct):
    """A clip as it is afterwards."""

    name: str
    rate: float
    curves: dict[str, CurveChange]


class Changes(msgspec.Struct, omit_defaults=True):
    """What is not given is as before."""

    pose: list[float] | None = None
    work: WorkEntry | None = None
    clips: list[ClipChange] | None = None
    regions: list[RegionsEntry] | None = None  # one, or none any more
    local: dict[str, dict[str, float]] | None = None  # what regions add to the pose, by region and slider
    glue: CapturedEntry | None = None  # of the take
    textures: TexturesChange | None = None


def same_base(before: Document, after: Document) -> bool:
    """Whether the difference can be told as Changes: rig, take and what came along in the file are the very same."""
    same_take = take_of(before) is take_of(after)
    same_rest = (
        before.attachments == after.attachments and before.extra == after.extra and before.materials is after.materials
    )
    return before.rig is after.rig and same_take and same_rest


def take_of(document: Document) -> Take | None:
    return None if document.captured is None else document.captured.take


def changes(before: Document, after: Document) -> Changes:
    """What to do to one document to get the other."""
    worked = any(getattr(before, name) is not getattr(after, name) for name in _WORK)
    return Changes(
        None if np.array_equal(after.pose, before.pose) else after.pose.tolist(),
        WorkEntry.of(after) if worked else None,
        None if after.clips is before.clips else _clip_changes(before.clips, after.clips),
        None if after.regions is before.regions else _regions(after),
        describe_local(after.regions, after.rig.sliders, after.local) if _is_posed_otherwise(before, after) else None,
        None if after.captured is before.captured or after.captured is None else CapturedEntry.of(after.captured),
        None if after.textures is before.textures else describe_change(before.textures, after.textures),
    )


def changed(document: Document, by: Changes) -> Document:
    """The document with the changes made."""
    fields: dict[str, Any] = {} if by.work is None else by.work.fields()
    if by.pose is not None:
        fields["pose"] = np.array(by.pose, np.float64)
    regions = document.regions
    if by.regions is not None:
        regions = fields["regions"] = by.regions[0].value() if by.regions else None
    if by.local is not None:
        fields["local"] = None if regions is None else local_from(regions, document.rig, by.local)
    if by.glue is not None and document.captured is not None:
        fields["captured"] = by.glue.value(document.captured.take)
    if by.textures is not None:
        fields["textures"] = changed_textures(document.textures, by.textures)
    if by.clips is not None:
        known = {clip.name: clip.curves for clip in document.clips}
        fields["clips"] = tuple(_clip(change, known) for change in by.clips)
    return replace(document, **fields) if fields else document


def _regions(document: Document) -> list[RegionsEntry]:
    return [] if document.regions is None else [RegionsEntry.of(document.regions)]


def _is_posed_otherwise(before: Document, after: Document) -> bool:
    return after.local is not before.local or after.regions is not before.regions


def _clip_changes(before: tuple[Clip, ...], after: tuple[Clip, ...]) -> list[ClipChange]:
    homes = {id(curve): (clip.name, name) for clip in before for name, curve in clip.curves.items()}
    return [ClipChange(clip.name, clip.rate, _curve_changes(clip, homes)) for clip in after]


def _curve_changes(clip: Clip, homes: Mapping[int, tuple[str, str]]) -> dict[str, CurveChange]:
    return {name: _curve_change(name, curve, homes) for name, curve in clip.curves.items()}


def _curve_change(name: str, curve: Curve, homes: Mapping[int, tuple[str, str]]) -> CurveChange:
    home = homes.get(id(curve))
    if home is not None and home[1] == name:
        return CurveChange(home[0])
    slopes = None if curve.slopes is None else curve.slopes.tolist()
    return CurveChange(None, curve.times.tolist(), curve.values.tolist(), curve.interpolation, slopes)


def _clip(change: ClipChange, known: Mapping[str, Mapping[str, Curve]]) -> Clip:
    return Clip(change.name, {name: _curve(name, one, known) for name, one in change.curves.items()}, change.rate)


def _curve(name: str, change: CurveChange, known: Mapping[str, Mapping[str, Curve]]) -> Curve:
    if change.kept_from is None:
        slopes = None if change.slopes is None else np.array(change.slopes, np.float64).reshape(-1, 2)
        return Curve(np.array(change.times), np.array(change.values), change.interpolation, slopes)
    if name not in known.get(change.kept_from, {}):
        raise BadFile(f"the journal keeps a curve {name!r} of clip {change.kept_from!r}, which is not there")
    return known[change.kept_from][name]
