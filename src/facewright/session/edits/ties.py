"""Sliders that go no further than another."""

from __future__ import annotations

from dataclasses import replace

from facewright.document import Document
from facewright.rig import edit
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name


def tie_sliders(document: Document, slider: str, to: str) -> Document:
    """The document with a slider that solvers move no further than another, in shares of their full values."""
    rig = edit.add_tie(document.rig, slider, to)
    return document if rig is document.rig else replace(document, rig=rig)


class TieSliders(DocumentEdit, frozen=True, kw_only=True):
    """Let solvers move a slider no further than another."""

    slider: Name
    to: Name

    @property
    def label(self) -> str:
        return f"Tie {self.slider} to {self.to}"

    def apply(self, document: Document, context: Context) -> Document:
        return tie_sliders(document, self.slider, self.to)


class UntieSliders(DocumentEdit, frozen=True, kw_only=True):
    """Let solvers move a slider regardless of the one that it was tied to."""

    slider: Name
    to: Name

    @property
    def label(self) -> str:
        return f"Untie {self.slider} from {self.to}"

    def apply(self, document: Document, context: Context) -> Document:
        return replace(document, rig=edit.remove_tie(document.rig, self.slider, self.to))
