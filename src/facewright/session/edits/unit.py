"""The unit of the document."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from facewright.document import Document
from facewright.rig.unit import WORDS
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit

Unit = Literal["", "m", "cm", "mm", "in", "dm", "ft"]


class SetUnit(DocumentEdit, frozen=True, kw_only=True):
    """State the unit of all lengths in the document; "" is one that is not known. The numbers stay."""

    unit: Unit

    @property
    def label(self) -> str:
        return f"Unit: {WORDS.get(self.unit, 'not known')}"

    def apply(self, document: Document, context: Context) -> Document:
        return document if self.unit == document.unit else replace(document, unit=self.unit)
