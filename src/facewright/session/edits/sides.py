"""Shapes and the two sides of the face: mirrored, flipped, made symmetric, split into halves, merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.rig.edit.mirror import Mirrored
from facewright.rig.edit.sides import SideOfShape
from facewright.rig.spelling import mirror_name
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name, NameOrNone
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.shape_edits import merge_in_document, split_in_document

if TYPE_CHECKING:
    from facewright.session.context import Context

Falloff = Annotated[float, Meta(ge=0, le=1)]  # of the face's size


class MirrorShape(DocumentEdit, frozen=True, kw_only=True):
    """Give the shape of the other side the mirror image of a shape; it is added where there is none."""

    slow: ClassVar[str] = "finding the other side"

    shape: Name
    to: NameOrNone = ""  # the shape of the other side, where the name has no side

    @property
    def label(self) -> str:
        return f"Mirror {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        document.rig.shape(self.shape)
        if not self.to and mirror_name(self.shape) is None:
            raise BadValue(
                f"{self.shape} has no side in its name, such as Left or _R, and so no other side; flip it, make it "
                "symmetric, or rename it"
            )
        sides = context.solvers.symmetry(document.rig)
        return _with_mirrored(
            document, context, edit.mirror_shape(document.rig, self.shape, to=self.to or None, across=sides)
        )


class FlipShape(DocumentEdit, frozen=True, kw_only=True):
    """Turn a shape to the other side of the face, under its own name."""

    slow: ClassVar[str] = "finding the other side"

    shape: Name

    @property
    def label(self) -> str:
        return f"Flip {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        sides = context.solvers.symmetry(document.rig)
        return _with_mirrored(document, context, edit.flip_shape(document.rig, self.shape, across=sides))


class SymmetriseShape(DocumentEdit, frozen=True, kw_only=True):
    """Make a shape the same on both sides: by their mean, or by one of them."""

    slow: ClassVar[str] = "finding the other side"

    shape: Name
    side: SideOfShape = "both"

    @property
    def label(self) -> str:
        return f"Symmetrise {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        sides = context.solvers.symmetry(document.rig)
        found = edit.symmetrise_shape(document.rig, self.shape, side=self.side, across=sides)
        return _with_mirrored(document, context, found)


class SplitShape(DocumentEdit, frozen=True, kw_only=True):
    """Split a shape and its slider into one for each side of the face."""

    shape: Name
    falloff: Falloff = 0.1

    @property
    def label(self) -> str:
        return f"Split {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        return split_in_document(document, self.shape, falloff=self.falloff)


class MergeShapes(DocumentEdit, frozen=True, kw_only=True):
    """Make one shape and slider of two, such as of two sides."""

    shape: Name
    other: Name
    name: NameOrNone = ""  # "": what both names have in common, or the first name

    @property
    def label(self) -> str:
        return f"Merge {self.shape} and {self.other}"

    def apply(self, document: Document, context: Context) -> Document:
        return merge_in_document(document, self.shape, self.other, name=self.name or None)


def _with_mirrored(document: Document, context: Context, found: Mirrored) -> Document:
    """The document with the changed rig; what has no partner on the other side is said."""
    if found.lost:
        context.say(f"{found.lost} of the {found.moved} vertices of {found.name} have no partner on the other side.")
    return with_edited_rig(document, found.rig)
