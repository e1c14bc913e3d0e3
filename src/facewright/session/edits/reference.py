"""Sound and picture of reference: brought, placed, taken away."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from facewright.document import Document
from facewright.errors import BadValue
from facewright.reference.media_file import MediaFile
from facewright.reference.plane import Placement, ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.files import Arrival, role

Share = Annotated[float, Meta(ge=0, le=1)]
Offset = Annotated[float, Meta(ge=-1e6, le=1e6)]  # seconds


class SetSound(DocumentEdit, frozen=True, kw_only=True):
    """A sound in place of the one that there is, whose offset and volume it has."""

    from_page: ClassVar[bool] = False

    sound: ReferenceSound

    @property
    def label(self) -> str:
        return f"Sound {self.sound.file.name}"

    def apply(self, document: Document, context: Context) -> Document:
        if document.sound is not None:
            _say_if_other(context, document.sound.file, self.sound.file)
        return replace(document, sound=self.sound.instead_of(document.sound))


class PlaceSound(DocumentEdit, frozen=True, kw_only=True):
    """When the sound begins and how loud it is; what is not given stays."""

    offset: Offset | None = None  # seconds of the timeline
    volume: Share | None = None
    muted: bool | None = None

    @property
    def label(self) -> str:
        if self.muted is not None:
            return "Mute sound" if self.muted else "Hear sound"
        return "Move sound" if self.offset is not None else "Volume of sound"

    def apply(self, document: Document, context: Context) -> Document:
        if document.sound is None:
            raise BadValue("there is no sound; choose a file for it first")
        changed = replace(document.sound, **_given(self))
        return document if changed == document.sound else replace(document, sound=changed)


class RemoveSound(DocumentEdit, frozen=True, kw_only=True):
    """No sound any more."""

    def apply(self, document: Document, context: Context) -> Document:
        return document if document.sound is None else replace(document, sound=None)


class SetPlane(DocumentEdit, frozen=True, kw_only=True):
    """A picture or video in place of the one that there is, at whose place it is."""

    from_page: ClassVar[bool] = False

    plane: ReferencePlane

    @property
    def label(self) -> str:
        return f"Reference {self.plane.file.name}"

    def apply(self, document: Document, context: Context) -> Document:
        if document.plane is not None:
            _say_if_other(context, document.plane.file, self.plane.file)
        return replace(document, plane=self.plane.instead_of(document.plane))


class PlacePlane(DocumentEdit, frozen=True, kw_only=True):
    """Where the picture or video is, how large, how opaque, and when it begins; what is not given stays."""

    placement: Placement | None = None
    x: Annotated[float, Meta(ge=-100, le=100)] | None = None
    y: Annotated[float, Meta(ge=-100, le=100)] | None = None
    scale: Annotated[float, Meta(ge=0.01, le=100)] | None = None
    opacity: Share | None = None
    offset: Offset | None = None  # seconds of the timeline

    @property
    def label(self) -> str:
        return "Place reference picture"

    def apply(self, document: Document, context: Context) -> Document:
        if document.plane is None:
            raise BadValue("there is no reference picture; choose a file for it first")
        changed = replace(document.plane, **_given(self))
        return document if changed == document.plane else replace(document, plane=changed)


class RemovePlane(DocumentEdit, frozen=True, kw_only=True):
    """No reference picture any more."""

    @property
    def label(self) -> str:
        return "Remove reference picture"

    def apply(self, document: Document, context: Context) -> Document:
        return document if document.plane is None else replace(document, plane=None)


def _say_if_other(context: Context, missing: MediaFile, found: MediaFile) -> None:
    """Say where a file that was missed is not the one that was chosen for it."""
    if missing.is_missing and missing.digest != found.digest:
        context.say(f"{found.name} is another file than the {missing.name} that was missing; it takes its place.")


def _given(edit: DocumentEdit) -> dict[str, Any]:
    values = {name: getattr(edit, name) for name in edit.__struct_fields__}
    return {name: value for name, value in values.items() if value is not None}


@role("sound", "sound")
def sound_of_file(context: Context, file: Arrival) -> DocumentEdit:
    """A file as the sound."""
    assert isinstance(file.content, ReferenceSound)
    return SetSound(sound=file.content)


@role("plane", "plane")
def plane_of_file(context: Context, file: Arrival) -> DocumentEdit:
    """A file as the reference picture."""
    assert isinstance(file.content, ReferencePlane)
    return SetPlane(plane=file.content)
