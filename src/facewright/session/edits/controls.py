"""Turning head, neck and eyes, and choosing what the eyes look at. They are keyed by the edits of keys, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
from msgspec import Meta

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.rig.controls import CONTROLS, within_range
from facewright.rig.head_rig import HeadRig, JointRole
from facewright.session.context import Context
from facewright.session.edits.active_layer import with_clip
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import NameOrNone, Number, some
from facewright.workflow.head_rig import choose_joint, with_head_rig

Degrees = Annotated[float, Meta(ge=0, le=90)]
_ROLES = {"head": "head", "neck": "neck", "leftEye": "left eye", "rightEye": "right eye"}


def set_controls(document: Document, values: Mapping[str, float]) -> Document:
    """Controls at new values, within their ranges; the others keep theirs. The first one finds where the head turns."""
    wanted = {name: within_range(name, value) for name, value in values.items()}
    if all(document.controls.get(name) == value for name, value in wanted.items()):
        return document
    found = with_head_rig(document)
    return replace(found, controls={**document.controls, **wanted})


def clear_controls(document: Document, names: Sequence[str]) -> Document:
    """Controls that are not set any more, neither now nor by the current clip: the pose has the eyes again."""
    for name in names:
        if name not in CONTROLS:
            raise UnknownName("control", name, CONTROLS)
    kept = {name: value for name, value in document.controls.items() if name not in names}
    cleared = document if len(kept) == len(document.controls) else replace(document, controls=kept)
    if not document.clip:
        return cleared
    clip = document.clip_named(document.clip)
    without = clip.with_each(lambda curves: {name: curve for name, curve in curves.items() if name not in names})
    return cleared if without is clip else with_clip(cleared, without)


class SetControls(DocumentEdit, frozen=True, kw_only=True):
    """Turn head, neck or eyes (radians), or let the eyes look at a place (scene units)."""

    values: dict[str, Number]

    @property
    def label(self) -> str:
        return f"Move {some(list(self.values))}"

    def apply(self, document: Document, context: Context) -> Document:
        return set_controls(document, self.values)


class ClearControls(DocumentEdit, frozen=True, kw_only=True):
    """Set controls no longer, neither now nor in the current clip."""

    names: list[str]

    @property
    def label(self) -> str:
        return f"Clear {some(self.names)}"

    def apply(self, document: Document, context: Context) -> Document:
        return clear_controls(document, self.names)


class ChooseJoint(DocumentEdit, frozen=True, kw_only=True):
    """Let a joint of the file, or none (""), stand for head, neck or an eye."""

    role: JointRole
    joint: NameOrNone

    @property
    def label(self) -> str:
        return f"Take {self.joint or 'no joint'} for the {_ROLES[self.role]}"

    def apply(self, document: Document, context: Context) -> Document:
        chosen = choose_joint(document, self.role, self.joint)
        same = document.head is not None and chosen.head is not None and document.head.joints == chosen.head.joints
        return document if same else chosen


class SetEyeLimits(DocumentEdit, frozen=True, kw_only=True):
    """How far eyes turn at most: to the side, up and down, in degrees."""

    side: Degrees
    up: Degrees
    down: Degrees

    def apply(self, document: Document, context: Context) -> Document:
        limits = np.radians([self.side, self.up, self.down])
        found = with_head_rig(document)
        head = found.head or HeadRig()
        if document.head is not None and np.allclose(document.head.eye_limits, limits, atol=1e-9, rtol=0):
            return document
        return replace(found, head=HeadRig(head.head, head.neck, limits, head.joints))
