"""Views of the camera that are kept under a name."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.reference.bookmark import CameraBookmark
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Label, Number, Point

_Distance = Annotated[float, Meta(gt=0, le=1e6)]
_FieldOfView = Annotated[float, Meta(ge=1, le=120)]


class SetBookmark(DocumentEdit, frozen=True, kw_only=True):
    """Keep a view of the camera under a name, in place of the one that has it."""

    name: Annotated[Label, Meta(min_length=1)]
    yaw: Number
    pitch: Number
    distance: _Distance
    target: Point
    field_of_view: _FieldOfView
    orthographic: bool = False

    @property
    def label(self) -> str:
        return f"Keep view {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        made = CameraBookmark(**{name: getattr(self, name) for name in self.__struct_fields__})
        others = {bookmark.name: bookmark for bookmark in document.bookmarks}
        return replace(document, bookmarks=tuple({**others, self.name: made}.values()))


class RenameBookmark(DocumentEdit, frozen=True, kw_only=True):
    """Give a view another name."""

    name: Label
    to: Annotated[Label, Meta(min_length=1)]

    @property
    def label(self) -> str:
        return f"Rename view {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        _check(document, self.name)
        if self.name == self.to:
            return document
        return replace(
            document,
            bookmarks=tuple(replace(one, name=self.to) if one.name == self.name else one for one in document.bookmarks),
        )


class RemoveBookmark(DocumentEdit, frozen=True, kw_only=True):
    """Forget a view."""

    name: Label

    @property
    def label(self) -> str:
        return f"Remove view {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        _check(document, self.name)
        return replace(document, bookmarks=tuple(one for one in document.bookmarks if one.name != self.name))


def _check(document: Document, name: str) -> None:
    known = [bookmark.name for bookmark in document.bookmarks]
    if name not in known:
        raise UnknownName("view", name, known)
