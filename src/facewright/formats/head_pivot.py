"""Head motion for formats that know of no pivot."""

from __future__ import annotations

from dataclasses import replace

from facewright.document import Document
from facewright.rig.head_motion import about


def about_origin(document: Document) -> Document:
    """The document with a head that turns about the origin, with its neck, and moves as before."""
    if document.head is None:
        return document
    return replace(document, clips=tuple(about(clip, document.head, None) for clip in document.clips), head=None)
