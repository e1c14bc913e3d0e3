"""Renaming the sliders of a document."""

from __future__ import annotations

from collections.abc import Mapping

from facewright.document import Document
from facewright.rig import edit
from facewright.workflow.edited_rig import with_edited_rig


def rename_sliders(document: Document, new: Mapping[str, str]) -> Document:
    """The document with sliders and shapes renamed, old name to new, also in its clips, locks, textures and prior."""
    rig = edit.rename(document.rig, new)
    return with_edited_rig(document, rig, became={old: (name,) for old, name in new.items()}, shapes=new)
