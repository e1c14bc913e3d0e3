"""Going through a clip."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from facewright.document import Document
from facewright.errors import BadValue
from facewright.regions.local_pose import local_curves
from facewright.rig.controls import CONTROLS
from facewright.rig.head_motion import clip_controls
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Number
from facewright.workflow.drag.region_values import local_of, with_local


def go_to_time(document: Document, time: float) -> Document:
    """The document at a time of its clip: sliders and regions with a curve take its values, the others keep theirs."""
    if not np.isfinite(time):
        raise BadValue(f"the time must be a number of seconds, not {time}")
    return _at(document, float(time)) if document.clip else replace(document, time=float(time))


def choose_clip(document: Document, name: str) -> Document:
    """The document with another clip at hand, at the same time; "" is none."""
    if name:
        document.clip_named(name)
    return go_to_time(replace(document, clip=name), document.time)


def resampled(document: Document, names: Collection[str] | None = None) -> Document:
    """The document with the values that its clip now has at its time; all curves, or some."""
    if not document.clip:
        return document
    return _at(document, document.time, names)


def _at(document: Document, time: float, names: Collection[str] | None = None) -> Document:
    clip, pose, rig = document.clip_named(document.clip), document.pose.copy(), document.rig
    moved = set(clip.moved) if names is None else set(clip.moved).intersection(names)
    chosen = [i for i, name in enumerate(rig.sliders) if name in moved]
    pose[chosen] = clip.sample([rig.sliders[i] for i in chosen], [time], rig.bounds[chosen])[0]
    return _regions_at(replace(document, pose=pose, time=time, controls=_controls_at(document, time, names)), names)


def _controls_at(document: Document, time: float, names: Collection[str] | None) -> Mapping[str, float]:
    """The controls of head, neck and eyes at a time of the clip; those without a curve keep their values."""
    clip = document.clip_named(document.clip)
    moved = clip_controls(clip, time) if names is None or not CONTROLS.keys().isdisjoint(names) else {}
    now = {name: value for name, value in moved.items() if names is None or name in names}
    return {**document.controls, **now} if now else document.controls


def _regions_at(document: Document, names: Collection[str] | None) -> Document:
    clip = document.clip_named(document.clip)
    found = [
        (node, slider, clip.sample([name], [document.time])[0, 0])
        for name, node, slider in local_curves(clip, document.rig, document.regions)
        if names is None or name in names
    ]
    if not found:
        return document
    local = local_of(document)
    for node, slider, value in found:
        local[node, slider] = value
    return with_local(document, local)


class Scrub(DocumentEdit, frozen=True, kw_only=True):
    """Go to a time: sliders with a curve in the current clip take its values. It leaves no step."""

    undoable: ClassVar[bool] = False
    streams: ClassVar[bool] = True

    time: Number

    def apply(self, document: Document, context: Context) -> Document:
        return go_to_time(document, self.time)


class ChooseClip(DocumentEdit, frozen=True, kw_only=True):
    """Make a clip (or none: "") the current one. It leaves no step."""

    undoable: ClassVar[bool] = False

    clip: str

    def apply(self, document: Document, context: Context) -> Document:
        return choose_clip(document, self.clip)
