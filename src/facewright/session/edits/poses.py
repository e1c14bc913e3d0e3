"""The library of poses: keep the pose, apply one, and change what is kept."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.schema.library_pose import pose_from_text
from facewright.rig.library_pose import LibraryPose, mirrored_side
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.pose import set_weights, within
from facewright.session.fields import Label, Number, Region
from facewright.workflow.drag.region_values import WHOLE, region_named, values_in

PoseName = Annotated[str, Meta(min_length=1, max_length=200)]
Tags = Annotated[list[Label], Meta(max_length=50)]
Blend = Annotated[float, Meta(ge=-1, le=2)]
Text = Annotated[str, Meta(max_length=1 << 20)]
_LISTED = 6  # names in a notice


def keep_pose(document: Document, pose: LibraryPose) -> Document:
    """The document with a pose in its library, in place of the one of its name."""
    return replace(document, poses=tuple({**{one.name: one for one in document.poses}, pose.name: pose}.values()))


def present_pose(
    document: Document, name: str, sliders: Collection[str] | None = None, region: str = WHOLE
) -> LibraryPose:
    """The pose of the face or of a region under a name: of all sliders, or of some."""
    return LibraryPose.of(name, document.rig, values_in(document, region_named(document, region)), sliders)


def apply_pose(
    document: Document,
    pose: LibraryPose,
    context: Context,
    *,
    blend: float = 1.0,
    sliders: Collection[str] | None = None,
    region: str = WHOLE,
    mirrored: bool = False,
    additive: bool = False,
) -> Document:
    """The document with a pose applied: `LibraryPose.on`, to the face or a region. Locked sliders stay."""
    rig = document.rig
    if not set(pose.weights) - set(pose.unknown(rig)):
        raise BadValue(f"pose {pose.name!r} names no slider of this face")
    start = values_in(document, region_named(document, region))
    free = [name for name in rig.sliders if name not in document.locked and (sliders is None or name in sliders)]
    wanted = pose.on(rig, start, blend=blend, sliders=set(free), mirrored=mirrored, additive=additive)
    moved = np.flatnonzero(wanted != start)
    weights = {rig.sliders[i]: float(wanted[i]) for i in moved}
    return set_weights(document, weights, context.solvers, region)


def _say_unknown(pose: LibraryPose, document: Document, context: Context) -> None:
    left = pose.unknown(document.rig)
    if left:
        shown = ", ".join(left[:_LISTED]) + (" ..." if len(left) > _LISTED else "")
        context.say(f"{len(left)} of {len(pose.weights)} sliders of {pose.name} are not on this face: {shown}")


class KeepPose(DocumentEdit, frozen=True, kw_only=True):
    """Keep a pose in the library of the document, in place of the one of its name: the present pose of all sliders or
    some, of the face or of a region, or given weights.
    """

    name: PoseName
    tags: Tags | None = None
    sliders: list[str] | None = None
    region: Region = WHOLE
    weights: dict[str, Number] | None = None

    @property
    def label(self) -> str:
        return f"Keep pose {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        if self.weights is None:
            pose = present_pose(document, self.name, self.sliders, self.region)
        else:
            pose = LibraryPose(self.name, self.weights)
        return keep_pose(document, replace(pose, tags=tuple(self.tags or ())))


class ApplyPose(DocumentEdit, frozen=True, kw_only=True):
    """Bring the face, some sliders or a region to a pose, in part (`blend`), mirrored, or added to what is there."""

    name: PoseName
    weights: dict[str, Number]
    blend: Blend = 1.0
    sliders: list[str] | None = None
    region: Region = WHOLE
    mirrored: bool = False
    additive: bool = False

    @property
    def label(self) -> str:
        return f"{'Add' if self.additive else 'Apply'} pose {self.name}{within(self.region)}"

    def apply(self, document: Document, context: Context) -> Document:
        pose = LibraryPose(self.name, self.weights)
        changed = apply_pose(
            document,
            pose,
            context,
            blend=self.blend,
            sliders=self.sliders,
            region=self.region,
            mirrored=self.mirrored,
            additive=self.additive,
        )
        if context.document.gesture is None:
            _say_unknown(pose, document, context)
        return changed


class PastePose(DocumentEdit, frozen=True, kw_only=True):
    """Apply a pose that was copied as text, here or in another window."""

    text: Text
    sliders: list[str] | None = None
    region: Region = WHOLE
    mirrored: bool = False

    def apply(self, document: Document, context: Context) -> Document:
        pose = pose_from_text(self.text)
        changed = apply_pose(document, pose, context, sliders=self.sliders, region=self.region, mirrored=self.mirrored)
        _say_unknown(pose, document, context)
        return changed


class RenamePose(DocumentEdit, frozen=True, kw_only=True):
    """Give a pose of the library another name."""

    pose: PoseName
    name: PoseName

    @property
    def label(self) -> str:
        return f"Rename pose to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        old = document.pose_named(self.pose)
        if self.name != self.pose and any(one.name == self.name for one in document.poses):
            raise BadValue(f"there is a pose {self.name!r} already; choose another name")
        renamed = replace(old, name=self.name)
        return replace(document, poses=tuple(renamed if one is old else one for one in document.poses))


class TagPose(DocumentEdit, frozen=True, kw_only=True):
    """Give a pose of the library other tags."""

    pose: PoseName
    tags: Tags

    @property
    def label(self) -> str:
        return f"Tags of pose {self.pose}"

    def apply(self, document: Document, context: Context) -> Document:
        return keep_pose(document, replace(document.pose_named(self.pose), tags=tuple(self.tags)))


class DeletePose(DocumentEdit, frozen=True, kw_only=True):
    """Delete a pose of the library."""

    pose: PoseName

    @property
    def label(self) -> str:
        return f"Delete pose {self.pose}"

    def apply(self, document: Document, context: Context) -> Document:
        gone = document.pose_named(self.pose)
        return replace(document, poses=tuple(one for one in document.poses if one is not gone))


class MirrorSide(DocumentEdit, frozen=True, kw_only=True):
    """Copy the pose of one side of the face, its own left or right, to the other; sliders that are locked stay."""

    side: Literal["left", "right"]
    region: Region = WHOLE

    @property
    def label(self) -> str:
        return f"Mirror the {self.side} side"

    def apply(self, document: Document, context: Context) -> Document:
        rig, start = document.rig, values_in(document, region_named(document, self.region))
        wanted = mirrored_side(rig, start, self.side)
        moved = [i for i in np.flatnonzero(wanted != start) if rig.sliders[i] not in document.locked]
        return set_weights(document, {rig.sliders[i]: float(wanted[i]) for i in moved}, context.solvers, self.region)
