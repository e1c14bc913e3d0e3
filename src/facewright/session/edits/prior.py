"""What a natural face goes by: a prior that was learned or opened, or the names of the sliders."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from facewright.document import Document
from facewright.rig.prior import Prior
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit


class UsePrior(DocumentEdit, frozen=True, kw_only=True):
    """Let natural faces go by a prior of a file."""

    from_page: ClassVar[bool] = False

    prior: Prior
    name: str  # of the file

    @property
    def label(self) -> str:
        return f"Use prior {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        self.prior.on(document.rig)  # raises where it knows none of the rig's sliders
        return replace(document, prior=self.prior)


class UseLearnedPrior(DocumentEdit, frozen=True, kw_only=True):
    """Let natural faces go by what was learned from the document's clips."""

    from_page: ClassVar[bool] = False

    prior: Prior

    @property
    def label(self) -> str:
        count = len(self.prior.sources)
        return f"Learn from {count} clips" if count > 1 else f"Learn from clip {' '.join(self.prior.sources)}"

    def apply(self, document: Document, context: Context) -> Document:
        return replace(document, prior=self.prior)


class ForgetPrior(DocumentEdit, frozen=True, kw_only=True):
    """Let natural faces go by the names of the sliders again."""

    def apply(self, document: Document, context: Context) -> Document:
        return document if document.prior is None else replace(document, prior=None)
