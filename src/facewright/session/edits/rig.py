"""Shapes of the rig: named, doubled, dropped. All that names them in the document is changed with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.rename import rename_sliders
from facewright.workflow.shape_uses import UsesOfShapes

if TYPE_CHECKING:
    from facewright.session.context import Context


class RenameShape(DocumentEdit, frozen=True, kw_only=True):
    """Rename a shape, and its slider if that has the same name."""

    shape: Name
    name: Name

    @property
    def label(self) -> str:
        return f"Rename {self.shape} to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        document.rig.shape(self.shape)
        return document if self.shape == self.name else rename_sliders(document, {self.shape: self.name})


class DuplicateShape(DocumentEdit, frozen=True, kw_only=True):
    """Add a copy of a shape with a slider of its own."""

    shape: Name

    @property
    def label(self) -> str:
        return f"Duplicate {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        return with_edited_rig(document, edit.duplicate_shape(document.rig, self.shape))


class DeleteShape(DocumentEdit, frozen=True, kw_only=True):
    """Drop a shape, and its slider if it drives nothing else; with `uses` also combinations that need that slider."""

    shape: Name
    uses: bool = False  # what depends on it may go, too

    @property
    def label(self) -> str:
        return f"Delete {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        uses = UsesOfShapes(document)(document.rig.shape(self.shape))
        if uses.any and not self.uses:
            raise BadValue(f"{self.shape} is in use: {uses}; delete it together with what uses it, or free it first")
        rig = edit.drop_shape(document.rig, self.shape, cascade=True)
        return with_edited_rig(document, rig)
