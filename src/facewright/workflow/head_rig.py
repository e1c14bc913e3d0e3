"""Where the head of a document turns: by the joints of its file where it has some, else by its eyes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.formats.file_joints import FileJoints, file_joints
from facewright.motion.clip import Clip
from facewright.rig.controls import CONTROLS
from facewright.rig.head_motion import CURVES, OFFSETS, about, controls_of, has_head_motion
from facewright.rig.head_rig import ABOUT_ORIGIN, HeadRig, JointRole, find_head_rig


def found_head_rig(document: Document) -> HeadRig:
    """The pivots of head and neck, and the joints that stand for them."""
    joints = file_joints(document)
    return _with_joints(find_head_rig(document.rig), joints, {} if joints is None else joints.roles)


def shown_head_rig(document: Document, find: Callable[[Document], HeadRig] = found_head_rig) -> HeadRig:
    """The pivots as the document has them, or will have them once its head is moved. A head that its clips move without
    them turns about the origin, with all that the file has.
    """
    if document.head is None and any(controls_of(clip) for clip in document.clips):
        return ABOUT_ORIGIN
    return document.head or find(document)


def joint_names(document: Document) -> list[str]:
    """The joints of the document's file, which can be chosen for head, neck and eyes."""
    joints = file_joints(document)
    return [] if joints is None else joints.names


def choose_joint(document: Document, role: JointRole, joint: str) -> Document:
    """The document with another joint for a part of the head, "" for none; head and neck turn where the joint is."""
    names = joint_names(document)
    if joint and joint not in names:
        raise UnknownName("joint", joint, names)
    document = with_head_rig(document)
    before = document.head or HeadRig()
    joints = {**before.joints, role: joint}
    found = find_head_rig(document.rig)
    bare = HeadRig(found.head, found.neck, before.eye_limits)
    after = _with_joints(bare, file_joints(document), joints)
    return turned_about(document, after)


def with_head_rig(document: Document) -> Document:
    """The document with pivots of head and neck, found if it has none yet. Its clips move the head as before.

    Where that takes other keys than a clip has, the head goes on turning about the origin.
    """
    if document.head is not None or not all(_is_table(document, name) for name in _moving(document)):
        return document
    return turned_about(document, found_head_rig(document))


def with_moving_clip(document: Document, clip: Clip) -> Document:
    """The document with a recorded clip in the place of one of its name, as the current one.

    Head and eyes of the clip go to the joints of the file where it has some, not to all that the file shows. A clip
    that only turns the head does so about its pivot; offsets that were recorded are about the origin.
    """
    only_turns = has_head_motion(clip) and not any(name in clip.curves for name in OFFSETS)
    if only_turns or (any(name in CONTROLS for name in clip.curves) and _has_joints(document)):
        document = with_head_rig(document)
    own = clip if only_turns else about(clip, None, document.head)
    return replace(document, clips=(*(one for one in document.clips if one.name != clip.name), own), clip=clip.name)


def _has_joints(document: Document) -> bool:
    joints = file_joints(document)
    return joints is not None and bool(joints.roles)


def turned_about(document: Document, head: HeadRig) -> Document:
    """The document with other pivots, and curves about them that move the head as before."""
    clips = tuple(about(clip, document.head, head) for clip in document.clips)
    same = all(one is other for one, other in zip(clips, document.clips, strict=True))
    return replace(document, head=head, clips=document.clips if same else clips)


def _moving(document: Document) -> list[str]:
    return [clip.name for clip in document.clips if has_head_motion(clip)]


def _is_table(document: Document, name: str) -> bool:
    """Whether the curves of the head in a clip have keys at the same times, with straight lines between them."""
    curves = [curve for key, curve in document.clip_named(name).curves.items() if key in CURVES]
    same = all(np.array_equal(curve.times, curves[0].times) for curve in curves)
    return same and all(curve.interpolation == "linear" and curve.outside == "hold" for curve in curves)


def _with_joints(head: HeadRig, file: FileJoints | None, joints: dict[JointRole, str]) -> HeadRig:
    """The pivots at the joints of head and neck; plain nodes may be anywhere, and leave them where they were."""
    places = {} if file is None else file.places([name for name in joints.values() if name])
    at = {role: places[name] for role, name in joints.items() if name in places}
    pivot = at.get("head", head.head)
    return HeadRig(pivot, at.get("neck", head.neck), head.eye_limits, joints)
