"""A take that was recorded live."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.rig.head_motion import has_head_motion
from facewright.session.context import Context
from facewright.session.edits.clips import free_name
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.time import choose_clip
from facewright.workflow.head_rig import with_head_rig


class AddLiveTake(DocumentEdit, frozen=True, kw_only=True):
    """A recorded take as one more clip, which becomes the current one."""

    from_page: ClassVar[bool] = False

    clip: Clip

    @property
    def label(self) -> str:
        return "Record take"

    def apply(self, document: Document, context: Context) -> Document:
        if has_head_motion(self.clip):
            document = with_head_rig(document)
        clip = replace(self.clip, name=free_name(document, self.clip.name))
        return choose_clip(replace(document, clips=(*document.clips, clip), time=0.0), clip.name)
