"""Sliders of the rig: bounds, groups, order, negative ends, exclusive pairs, and sets of them. Ties are in `ties`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.rig import edit
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name, Number, some
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.rename import rename_sliders
from facewright.workflow.two_ends import join_in_document, part_in_document

if TYPE_CHECKING:
    from facewright.session.context import Context

Pair = tuple[Name, Name]


class RenameSlider(DocumentEdit, frozen=True, kw_only=True):
    """Rename a slider, and the shape of the same name if there is one."""

    slider: Name
    name: Name

    @property
    def label(self) -> str:
        return f"Rename {self.slider} to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        document.rig.slider_index(self.slider)
        return document if self.slider == self.name else rename_sliders(document, {self.slider: self.name})


class SetBounds(DocumentEdit, frozen=True, kw_only=True):
    """Give sliders another range; the pose is brought into it, clips keep their curves."""

    sliders: Annotated[list[Name], Meta(min_length=1)]
    low: Number
    high: Number

    @property
    def label(self) -> str:
        return f"Let {some(self.sliders)} go from {self.low:g} to {self.high:g}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = edit.set_bounds(document.rig, dict.fromkeys(self.sliders, (self.low, self.high)))
        if (rig.bounds == document.rig.bounds).all():
            return document
        return with_edited_rig(document, rig)


class SetSliderGroup(DocumentEdit, frozen=True, kw_only=True):
    """Put sliders into a group."""

    sliders: Annotated[list[Name], Meta(min_length=1)]
    group: Name

    @property
    def label(self) -> str:
        return f"Put {some(self.sliders)} into {self.group}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = edit.set_groups(document.rig, dict.fromkeys(self.sliders, self.group))
        return document if rig.groups == document.rig.groups else with_edited_rig(document, rig)


class MoveSliders(DocumentEdit, frozen=True, kw_only=True):
    """Put sliders, in their present order, before another one, or at the end; shapes stay where they are."""

    sliders: Annotated[list[Name], Meta(min_length=1)]
    before: str = ""  # "": at the end

    @property
    def label(self) -> str:
        return f"Move {some(self.sliders)}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = edit.move_sliders(document.rig, self.sliders, before=self.before or None)
        return document if rig.sliders == document.rig.sliders else with_edited_rig(document, rig)


class JoinSliders(DocumentEdit, frozen=True, kw_only=True):
    """Make two sliders the ends of one that goes both ways."""

    negative: Name
    positive: Name
    name: Name

    @property
    def label(self) -> str:
        return f"Make {self.name} of {self.negative} and {self.positive}"

    def apply(self, document: Document, context: Context) -> Document:
        return join_in_document(document, self.negative, self.positive, name=self.name)


class PartSlider(DocumentEdit, frozen=True, kw_only=True):
    """Make two sliders of one that goes both ways."""

    slider: Name
    names: Pair | None = None  # of the negative and the positive side; None: as the shapes at the ends are called

    @property
    def label(self) -> str:
        return f"Part {self.slider}"

    def apply(self, document: Document, context: Context) -> Document:
        return part_in_document(document, self.slider, names=self.names)


class ExcludeSliders(DocumentEdit, frozen=True, kw_only=True):
    """Let solvers move at most one of the two sliders of each pair."""

    pairs: Annotated[list[Pair], Meta(min_length=1)]

    @property
    def label(self) -> str:
        more = "" if len(self.pairs) == 1 else f" and {len(self.pairs) - 1} more"
        return f"Exclude {self.pairs[0][0]} and {self.pairs[0][1]}{more}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        for one, other in self.pairs:
            rig = edit.add_exclusive(rig, one, other)
        return with_edited_rig(document, rig)


class AllowSliders(DocumentEdit, frozen=True, kw_only=True):
    """Let solvers move two sliders together that excluded each other."""

    one: Name
    other: Name

    @property
    def label(self) -> str:
        return f"Allow {self.one} with {self.other}"

    def apply(self, document: Document, context: Context) -> Document:
        return with_edited_rig(document, edit.remove_exclusive(document.rig, self.one, self.other))


class KeepSliderSet(DocumentEdit, frozen=True, kw_only=True):
    """Keep some sliders as a set of a name; drags and takes that use the set of that name follow."""

    name: Name
    sliders: Annotated[list[Name], Meta(min_length=1)]

    @property
    def label(self) -> str:
        return f"Keep set {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        before, now = document.slider_sets.get(self.name), tuple(dict.fromkeys(self.sliders))
        if before == now:
            return document
        drags, takes = (
            now if before is not None and chosen == before else chosen
            for chosen in (document.drag_sliders, document.take_sliders)
        )
        sets = {**document.slider_sets, self.name: now}
        return replace(document, slider_sets=sets, drag_sliders=drags, take_sliders=takes)


class DropSliderSet(DocumentEdit, frozen=True, kw_only=True):
    """Drop a named set; drags and takes that use it keep its sliders."""

    name: Name

    @property
    def label(self) -> str:
        return f"Drop set {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        if self.name not in document.slider_sets:
            raise UnknownName("set of sliders", self.name, document.slider_sets)
        left = {name: sliders for name, sliders in document.slider_sets.items() if name != self.name}
        return replace(document, slider_sets=left)
