"""Keying by itself: a step that changes the pose keys the sliders that it changed."""

from __future__ import annotations

import numpy as np

from facewright.document import Document
from facewright.errors import BadValue
from facewright.session.context import Context, finishes
from facewright.session.edits.keys import key_changes


@finishes
def key_new_pose(context: Context, before: Document, after: Document) -> Document:
    """The document after a step, with a key of what the step posed, where that is wanted.

    A step that changes clips, time or rig is about something else.
    """
    if not context.preferences.auto_key or not _is_posed(before, after):
        return after
    try:
        return key_changes(after, after.time, context.preferences.tangent)
    except BadValue as problem:
        context.say(f"The pose has no key: {problem}")
        return after


def _is_posed(before: Document, after: Document) -> bool:
    if after.clips is not before.clips or after.rig is not before.rig or after.time != before.time:
        return False
    return (
        after.local is not before.local
        or not np.array_equal(after.pose, before.pose)
        or dict(after.controls) != dict(before.controls)
    )
