"""A depth or scan sequence of a face without markers: brought, tracked, taken away."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from facewright.document import Document
from facewright.motion.depth import ScanSequence
from facewright.rig.head_motion import about
from facewright.rig.scanned import Scanned
from facewright.session.context import Context
from facewright.session.edits.clips import free_name
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.time import choose_clip
from facewright.session.fields import Index, Rate
from facewright.workflow.track.scan import TrackedScan, scanned_of


class LoadScan(DocumentEdit, frozen=True, kw_only=True):
    """A depth or scan sequence over the face, in place of the last one."""

    from_page: ClassVar[bool] = False

    scanned: Scanned

    @property
    def label(self) -> str:
        return f"Load sequence {self.scanned.sequence.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return replace(document, scanned=self.scanned)


class ChangeScan(DocumentEdit, frozen=True, kw_only=True):
    """Say what the files do not: frames a second, and frames in which the face is at rest. What is not given stays."""

    rate: Rate | None = None
    rest: Annotated[list[Index], Meta(max_length=1000)] | None = None

    @property
    def label(self) -> str:
        return "Change rest frames" if self.rate is None else f"Sequence at {self.rate:g} frames a second"

    def apply(self, document: Document, context: Context) -> Document:
        scanned = scanned_of(document)
        if self.rest is not None and tuple(sorted(set(self.rest))) != scanned.rest:
            scanned = replace(scanned, rest=tuple(self.rest))
        if self.rate is not None and self.rate != scanned.sequence.rate:
            of = scanned.sequence
            timed = ScanSequence(of.frames, np.arange(len(of)) / self.rate, of.name, of.notes)
            scanned = replace(scanned, sequence=timed, tracked=None)  # its clip has the old times
        return document if scanned is document.scanned else replace(document, scanned=scanned)


class RemoveScan(DocumentEdit, frozen=True, kw_only=True):
    """The face without its sequence; clips stay."""

    @property
    def label(self) -> str:
        return "Remove sequence"

    def apply(self, document: Document, context: Context) -> Document:
        return document if document.scanned is None else replace(document, scanned=None)


class AddTrackedScan(DocumentEdit, frozen=True, kw_only=True):
    """The clip that was tracked in a sequence, and the person's own face where one was made."""

    from_page: ClassVar[bool] = False

    found: TrackedScan
    sequence: ScanSequence

    @property
    def label(self) -> str:
        return f"Track {self.found.name}"

    def apply(self, document: Document, context: Context) -> Document:
        scanned = document.scanned
        if self.found.rig is not None:
            document = replace(document, rig=self.found.rig)
        clip = replace(about(self.found.clip, None, document.head), name=free_name(document, self.found.name))
        if scanned is not None and scanned.sequence.frames is self.sequence.frames:
            scanned = replace(scanned, tracked=self.found.tracked(clip.name))
        return choose_clip(replace(document, clips=(*document.clips, clip), scanned=scanned), clip.name)
