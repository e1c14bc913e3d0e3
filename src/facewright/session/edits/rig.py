"""Shapes of the rig: named, doubled, dropped, ordered, scaled, pruned. What names them in the document follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from facewright.document import Document
from facewright.rig import edit
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name, NameOrNone, Number
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.rename import rename_sliders
from facewright.workflow.shape_edits import drop_in_document

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
        return drop_in_document(document, self.shape, with_uses=self.uses)


class MoveShape(DocumentEdit, frozen=True, kw_only=True):
    """Move a shape in the order of shapes."""

    shape: Name
    before: NameOrNone = ""  # the shape that it comes in front of; "": the end

    @property
    def label(self) -> str:
        return f"Move {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = edit.move_shape(document.rig, self.shape, before=self.before or None)
        return with_edited_rig(document, rig)


class ScaleShape(DocumentEdit, frozen=True, kw_only=True):
    """Make a shape stronger or weaker."""

    shape: Name
    factor: Number  # other than 0

    @property
    def label(self) -> str:
        return f"Strength of {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        if self.factor == 1:
            return document
        return with_edited_rig(document, edit.scale_shape(document.rig, self.shape, self.factor))


class PruneShape(DocumentEdit, frozen=True, kw_only=True):
    """Drop the offsets of a shape that are not longer than a share of the face's size."""

    shape: NameOrNone = ""  # "": all shapes
    tolerance: Annotated[float, Meta(ge=0, le=1)]

    @property
    def label(self) -> str:
        return f"Prune {self.shape or 'all shapes'}"

    def apply(self, document: Document, context: Context) -> Document:
        chosen = [self.shape] if self.shape else None
        pruned = edit.prune(document.rig, tolerance=self.tolerance, shapes=chosen)
        if not pruned.dropped:
            context.say("No offset is that small; all stay as they are.")
            return document
        of = f"of {self.shape}" if self.shape else "of all shapes"
        context.say(f"{pruned.dropped} offsets {of} dropped.")
        return with_edited_rig(document, pruned.rig)
