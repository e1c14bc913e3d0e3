"""Another face under the same work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document, HeldPoints
from facewright.rig.captured import Captured
from facewright.rig.controls import LENGTHS
from facewright.rig.head_motion import has_head_motion, scaled_head_motion
from facewright.rig.head_rig import HeadRig, find_head_rig
from facewright.rig.library_pose import LibraryPose
from facewright.rig.names import match_names
from facewright.rig.rig import Rig
from facewright.rig.scanned import Scanned
from facewright.rig.slider_sets import set_on, sets_on
from facewright.rig.unit import lengths_between
from facewright.session.context import Context
from facewright.session.edits.clips import for_sliders, free_name, say_unmatched
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.takes import glued_again


def change_face(document: Document, other: Document) -> Document:
    """The other document's face with our pose, locks and clips, by the sliders' names.

    Its own clips come after ours. The head moves as far as before, in the other face's unit. Pins, held points and
    regions stay where the two have the same polygons.
    """
    rig = other.rig
    new = match_names(document.rig.sliders, rig.sliders).pairs
    values = dict(zip(document.rig.sliders, document.pose.tolist(), strict=True))
    pose = rig.weights({there: values[here] for here, there in new.items()})
    same = has_same_polygons(document.rig, rig)
    longer = lengths_between(document.rig, document.unit, rig, other.unit)
    changed = replace(
        other,
        pose=np.clip(pose, rig.bounds[:, 0], rig.bounds[:, 1]),
        clips=tuple(scaled_head_motion(for_sliders(clip, rig.sliders), longer) for clip in document.clips),
        pins=document.pins if same else (),
        held=document.held if same else HeldPoints(),
        locked=tuple(new[name] for name in document.locked if name in new),
        drag_sliders=set_on(rig, document.drag_sliders, new),
        drag_method=document.drag_method,
        take_sliders=set_on(rig, document.take_sliders, new),
        slider_sets={**other.slider_sets, **sets_on(document.slider_sets, new)},
        clip=document.clip,
        time=document.time,
        captured=_captured(document, rig, same=same),
        scanned=_scanned(document, other),
        regions=document.regions if same and document.regions is not None else other.regions,
        local=_local(document, rig, new) if same else None,
        prior=other.prior if document.prior is None else document.prior,
        sound=document.sound or other.sound,
        plane=document.plane or other.plane,
        bookmarks=document.bookmarks or other.bookmarks,
        controls={name: v * longer if name in LENGTHS else v for name, v in document.controls.items()},
        head=_head(document, other),
        poses=_poses(document, other, new),
    )
    for clip in other.clips:
        changed = replace(changed, clips=(*changed.clips, replace(clip, name=free_name(changed, clip.name))))
    return changed


def _poses(document: Document, other: Document, new: Mapping[str, str]) -> tuple[LibraryPose, ...]:
    """Our poses on the other face's sliders, then those of its own whose names are free."""
    ours = {
        pose.name: replace(pose, weights={new.get(name, name): value for name, value in pose.weights.items()})
        for pose in document.poses
    }
    return tuple({**{pose.name: pose for pose in other.poses}, **ours}.values())


def _captured(document: Document, rig: Rig, *, same: bool) -> Captured | None:
    """The take, glued to the other face; pairs made by hand stay where the two have the same polygons."""
    captured = document.captured
    if captured is None:
        return None
    return glued_again(rig, captured if same else replace(captured, pairs={}))


def _scanned(document: Document, other: Document) -> Scanned | None:
    """The sequence; where the head of another face is in it is not known yet."""
    if document.scanned is None:
        return other.scanned
    return replace(document.scanned, place=None, tracked=None)


def _head(document: Document, other: Document) -> HeadRig | None:
    """Where the other face's head turns: about the origin, if clips of ours move the head about it."""
    if document.head is None and any(has_head_motion(clip) for clip in document.clips):
        return None
    return other.head if other.head is not None or document.head is None else find_head_rig(other.rig)


def _local(document: Document, rig: Rig, new: Mapping[str, str]) -> Floats | None:
    """What regions add, on the sliders of another rig."""
    if document.local is None:
        return None
    local = np.zeros((len(document.local), len(rig.sliders)))
    for here, there in new.items():
        local[:, rig.slider_index(there)] = document.local[:, document.rig.slider_index(here)]
    return local


def has_same_polygons(one: Rig, other: Rig) -> bool:
    """Whether vertices and triangles of two rigs can be named alike."""
    a, b = one.polygons, other.polygons
    return (
        one.vertex_count == other.vertex_count
        and np.array_equal(a.counts, b.counts)
        and np.array_equal(a.corners, b.corners)
    )


class ChangeFace(DocumentEdit, frozen=True, kw_only=True):
    """Another face for the pose and clips that are there."""

    from_page: ClassVar[bool] = False

    other: Document
    name: str

    @property
    def label(self) -> str:
        return f"Change face to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        changed = change_face(document, self.other)
        say_unmatched(changed, context)
        return changed
