"""Clips as wholes: made, named, loaded, taken away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from facewright.document import Document
from facewright.errors import BadValue
from facewright.motion.bake_layers import baked_clip
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.regions.local_pose import AT, local_name
from facewright.rig.controls import CONTROLS, HEAD_OFFSETS
from facewright.rig.head_motion import about, has_head_motion
from facewright.rig.names import match_names
from facewright.rig.retarget import MappedName, Retargeted, retarget
from facewright.session.context import Context
from facewright.session.edits.active_layer import with_clip
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.time import choose_clip
from facewright.session.fields import Name, Rate
from facewright.session.name_map import NameMap
from facewright.workflow.head_rig import with_head_rig
from facewright.workflow.take.retarget import check_mapped

_LISTED = 8  # names of curves in a notice


def create_clip(document: Document, name: str, rate: float = 30.0, copy_of: str | None = None) -> Document:
    """One more clip, empty or with the curves and layers of another, which is then at hand."""
    _check_free(document, name)
    clip = Clip(name, {}, rate) if copy_of is None else replace(document.clip_named(copy_of), name=name)
    return replace(document, clips=(*document.clips, clip), clip=name)


def rename_clip(document: Document, name: str, new: str) -> Document:
    if name == new:
        return document
    _check_free(document, new)
    old = document.clip_named(name)
    renamed = tuple(replace(old, name=new) if clip is old else clip for clip in document.clips)
    captured = None if document.captured is None else document.captured.of_clip(name, new)
    scanned = None if document.scanned is None else document.scanned.of_clip(name, new)
    at_hand = new if document.clip == name else document.clip
    return replace(document, clips=renamed, clip=at_hand, captured=captured, scanned=scanned)


def delete_clip(document: Document, name: str) -> Document:
    """Without a clip; if it was at hand, none is."""
    gone = document.clip_named(name)
    rest = tuple(clip for clip in document.clips if clip is not gone)
    return replace(document, clips=rest, clip="" if document.clip == name else document.clip)


def set_rate(document: Document, name: str, rate: float) -> Document:
    """Another number of frames a second; keys stay at their times."""
    return with_clip(document, replace(document.clip_named(name), rate=rate))


def load_clips(document: Document, clips: Sequence[Clip], names: Sequence[MappedName] = ()) -> Document:
    """More clips, their curves on the sliders of the same meaning, or that a map names; the first is then at hand."""
    if not clips:
        raise BadValue("the file has no clips")
    clips = [baked_clip(clip) for clip in clips]
    found = [retarget(clip, document.rig, names=_about(clip, names)) for clip in clips]
    check_mapped(clips, found, document.rig)
    if any(_turns_head(one.clip) for one in found):
        document = with_head_rig(document)
    for clip, one in zip(clips, found, strict=True):
        own = _with_others(one, clip)
        own = own if _turns_head(own) else about(own, None, document.head)
        document = replace(document, clips=(*document.clips, replace(own, name=free_name(document, clip.name))))
    return choose_clip(document, document.clips[-len(clips)].name)


def _turns_head(clip: Clip) -> bool:
    """Whether a clip turns the head, and does not shift it: its angles are about any pivot, not about the origin."""
    return has_head_motion(clip) and not any(name in clip.curves for name in HEAD_OFFSETS)


def _about(clip: Clip, names: Sequence[MappedName]) -> Sequence[MappedName]:
    """A map of names, unless it is about other recordings."""
    return names if any(row.source in clip.curves for row in names) else ()


def for_sliders(clip: Clip, sliders: Iterable[str]) -> Clip:
    """A clip whose curves have the names of the sliders that mean the same; curves for none of them keep theirs."""
    sliders = tuple(sliders)
    new = {**match_names(clip.moved, sliders).pairs, **_of_regions(clip, sliders)}

    def renamed(curves: Mapping[str, Curve]) -> Mapping[str, Curve]:
        kept = {name: curve for name, curve in curves.items() if name not in new and name not in new.values()}
        return {new[name]: curve for name, curve in curves.items() if name in new} | kept

    return clip.with_each(renamed)


def _of_regions(clip: Clip, sliders: tuple[str, ...]) -> dict[str, str]:
    """New names for curves of regions, such as `jawOpen @ mouth`."""
    parted = {name: name.partition(AT) for name in clip.moved if AT in name and name not in sliders}
    new = match_names({slider for slider, _, _ in parted.values()}, sliders).pairs
    return {name: local_name(new[slider], region) for name, (slider, _, region) in parted.items() if slider in new}


def _with_others(found: Retargeted, clip: Clip) -> Clip:
    """The retargeted clip with the curves of its source that mean nothing to the rig."""
    return replace(found.clip, curves={**found.clip.curves, **{name: clip.curves[name] for name in found.left}})


def unmatched(clip: Clip, sliders: Iterable[str]) -> list[str]:
    """Curves of a clip that move none of the sliders, and neither head nor eyes."""
    return sorted(set(clip.moved) - {*sliders, *CONTROLS})


def say_unmatched(document: Document, context: Context) -> None:
    """Tell the person which curves of the current clip move nothing."""
    clip = document.clip_named(document.clip) if document.clip else Clip("", {})
    left = unmatched(clip, document.rig.sliders)
    if left:
        shown = ", ".join(left[:_LISTED]) + (" ..." if len(left) > _LISTED else "")
        moving = len(set(clip.moved) & set(document.rig.sliders))
        context.say(f"{moving} curves of {clip.name} move this face, {len(left)} fit no slider of it: {shown}")


def free_name(document: Document, name: str) -> str:
    """The name, or with a number behind it where it is taken."""
    name, taken = name or "clip", {clip.name for clip in document.clips}
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    return next(free for free in (name, *numbered) if free not in taken)


def _check_free(document: Document, name: str) -> None:
    if not name or any(clip.name == name for clip in document.clips):
        raise BadValue(f"there is a clip {name!r} already; choose another name" if name else "a clip needs a name")


class CreateClip(DocumentEdit, frozen=True, kw_only=True):
    """A new clip, empty or a copy of another, which becomes the current one."""

    name: Name
    rate: Rate = 30.0
    copy_of: str | None = None

    @property
    def label(self) -> str:
        return f"New clip {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return create_clip(document, self.name, self.rate, self.copy_of)


class RenameClip(DocumentEdit, frozen=True, kw_only=True):
    """Give a clip another name."""

    clip: str
    name: Name

    @property
    def label(self) -> str:
        return f"Rename clip to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return rename_clip(document, self.clip, self.name)


class DeleteClip(DocumentEdit, frozen=True, kw_only=True):
    """Delete a clip."""

    clip: str

    @property
    def label(self) -> str:
        return f"Delete clip {self.clip}"

    def apply(self, document: Document, context: Context) -> Document:
        return delete_clip(document, self.clip)


class SetRate(DocumentEdit, frozen=True, kw_only=True):
    """Frames a second that a clip is played and sampled at; its keys stay at their times."""

    clip: str
    rate: Rate

    @property
    def label(self) -> str:
        return f"{self.rate:g} frames a second"

    def apply(self, document: Document, context: Context) -> Document:
        return set_rate(document, self.clip, self.rate)


class LoadClips(DocumentEdit, frozen=True, kw_only=True):
    """Clips of a file, on the sliders of the same meaning."""

    from_page: ClassVar[bool] = False

    clips: tuple[Clip, ...]
    name: str  # of the file

    @property
    def label(self) -> str:
        return f"Load clips of {self.name}" if len(self.clips) != 1 else f"Load clip {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        loaded = load_clips(document, self.clips, context.task(NameMap).rows)
        say_unmatched(loaded, context)
        return loaded
