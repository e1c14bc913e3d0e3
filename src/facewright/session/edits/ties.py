"""Sliders that go no further than another."""

from __future__ import annotations

from dataclasses import replace

from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig.ties import ties_of
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name


def tie_sliders(document: Document, slider: str, to: str) -> Document:
    """The document with a slider that solvers move no further than another, in shares of their full values."""
    ties = ties_of(document.rig)
    if (slider, to) in ties:
        return document
    return replace(document, rig=replace(document.rig, ties=(*ties, (slider, to))))


def untie_sliders(document: Document, slider: str, to: str) -> Document:
    """The document with a slider that solvers move regardless of the one that it was tied to."""
    ties = ties_of(document.rig)
    if (slider, to) not in ties:
        known = ", ".join(f"{one} to {other}" for one, other in ties) or "none"
        raise BadValue(f"{slider} is not tied to {to}; the ties of this face are {known}")
    return replace(document, rig=replace(document.rig, ties=tuple(pair for pair in ties if pair != (slider, to))))


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
        return untie_sliders(document, self.slider, self.to)
