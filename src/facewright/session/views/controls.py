"""Head, neck and eyes as pages see them."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from facewright.arrays import Floats
from facewright.document import Document
from facewright.formats.file_joints import file_of
from facewright.rig.controls import CONTROLS, Control
from facewright.rig.head_motion import clip_controls
from facewright.rig.head_rig import HeadRig, JointRole
from facewright.session.context import Context
from facewright.session.views.view import Reply, resource, view
from facewright.workflow.head_rig import found_head_rig, joint_names, shown_head_rig

Triple = tuple[float, float, float]


class ControlInfo(Struct):
    """A control of head, neck or eyes; lengths have no range."""

    name: str
    group: str
    unit: str  # angle (radians), length (scene units) or share
    low: float | None
    high: float | None
    rest: float


class HeadInfo(Struct):
    """Where head and neck turn, how far eyes do (radians: to the side, up, down), and joints of the file by role."""

    head: Triple
    neck: Triple
    eye_limits: Triple
    joints: dict[JointRole, str]


@view("control_list", lambda context: ())
def control_list(context: Context) -> list[ControlInfo]:
    """All controls there are."""
    return [_info(control) for control in CONTROLS.values()]


def _info(control: Control) -> ControlInfo:
    low, high = (None, None) if control.unit == "length" else (control.low, control.high)
    return ControlInfo(control.name, control.group, control.unit, low, high, control.rest)


@view("controls", lambda context: _inputs(context.document.value))
def controls(context: Context) -> dict[str, float]:
    """The controls that are set, by name: by the document, or else by its clip at its time."""
    document = context.document.value
    clip = document.clip_named(document.clip) if document.clip else None
    return {**({} if clip is None else clip_controls(clip, document.time)), **document.controls}


def _inputs(document: Document) -> tuple[object, ...]:
    return (document.controls, document.clips, document.clip, str(document.time))


@view("head", lambda context: (context.document.value.rig, context.document.value.head, context.document.value.clips))
def head(context: Context) -> HeadInfo:
    """Where the head turns, or will turn once it is moved."""
    found = document_head_rig(context)
    return HeadInfo(_triple(found.head), _triple(found.neck), _triple(found.eye_limits), dict(found.joints))


def document_head_rig(context: Context) -> HeadRig:
    """Where the head of the document turns; where its file has its joints is found once."""
    document = context.document.value
    sources = (document.rig, file_of(document))
    kept = context.solvers.kept
    return shown_head_rig(document, lambda document: kept("head rig", sources, lambda: found_head_rig(document)))


def _triple(values: Floats) -> Triple:
    a, b, c = values.tolist()
    return a, b, c


@resource("joints")
def joints_of(context: Context) -> Reply:
    """The joints of the document's file that can stand for head, neck and eyes, as a JSON list."""
    return Reply(msgspec.json.encode(joint_names(context.document.value)), "application/json", keep=False)
