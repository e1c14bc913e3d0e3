"""In-betweens and combinations: made at a pose, driven otherwise, converted, and checked corner by corner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from msgspec import Meta, Struct

from facewright.document import Document
from facewright.errors import BadValue, OtherTopology
from facewright.rig import edit
from facewright.rig.correctives import corrective_corners
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.shape import Factor
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.sculpts import AddCorrective, check_whole
from facewright.session.fields import Index, Name, Number
from facewright.session.files import Arrival, role
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.sculpt import check_topology, sculpt_of

if TYPE_CHECKING:
    from facewright.session.context import Context

Values = Annotated[dict[Name, Number], Meta(min_length=1, max_length=64)]  # sliders to where the shape is fully on


class MakeCorrective(DocumentEdit, frozen=True, kw_only=True):
    """Add an in-between or a combination that is fully on where its sliders have some values.

    Empty, it changes nothing yet. From the face: with these sliders alone the face is as it is shown now, so that it
    takes over what other sliders add.
    """

    name: Name
    at: Values
    start: Literal["empty", "face"] = "empty"
    additive: bool = True  # False: an in-between is the target of its slider there

    @property
    def label(self) -> str:
        return f"Make corrective {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        check_whole(document)
        pose = document.pose if self.start == "face" else self.at
        made = edit.extract_corrective(
            document.rig,
            self.name,
            within_bounds(document.rig, self.at),
            evaluate(document.rig, pose),
            sliders=tuple(self.at),
            additive=self.additive,
        )
        return with_edited_rig(document, made)


@role("corrective_at", "face")
def corrective_of_file(context: Context, file: Arrival) -> AddCorrective:
    """The sculpt of a pose. The query has its name as `called`, and `at`: a slider and its value, once for each."""
    assert isinstance(file.content, Document)
    rig = context.document.value.rig
    try:
        check_topology(rig, file.content, file.name)
    except OtherTopology as problem:
        raise OtherTopology(f"{problem}. A file that is chosen in the part Shapes can be registered there") from None
    at = within_bounds(rig, _values(file.options))
    return AddCorrective(
        name=file.options.get("called", ("",))[0] or file.name,
        sculpt=sculpt_of(file.content),
        sliders=tuple(at),
        at=at,
        additive=file.options.get("additive", ("yes",))[0] != "no",
    )


def _values(options: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
    """Sliders and values from texts such as "jawOpen=0.5"."""
    at = {}
    for text in options.get("at", ()):
        name, _, value = text.rpartition("=")
        try:
            at[name] = float(value)
        except ValueError:
            raise BadValue(f"a slider and its value are given as name=value, not {text[:80]!r}") from None
    if not at:
        raise BadValue("a corrective needs a slider that drives it, given as at=name=value")
    return at


class FactorField(Struct, frozen=True, forbid_unknown_fields=True):
    """A slider that drives a shape: where it is full, and where it falls to 0 on both sides."""

    slider: Name
    at: Number
    span: tuple[Number | None, Number | None] | None = None  # None: as usual; None at an end: it falls nowhere there


class DriveCorrective(DocumentEdit, frozen=True, kw_only=True):
    """Let an in-between or a combination be full elsewhere, fall elsewhere, or follow other sliders."""

    shape: Name
    factors: Annotated[list[FactorField], Meta(min_length=1, max_length=64)]

    @property
    def label(self) -> str:
        return f"Drive {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        factors = [Factor(each.slider, each.at, _span(each.span)) for each in self.factors]
        return with_edited_rig(document, edit.drive_corrective(document.rig, self.shape, factors))


def _span(ends: tuple[float | None, float | None] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = ends
    return -np.inf if low is None else low, np.inf if high is None else high


class ConvertInBetweens(DocumentEdit, frozen=True, kw_only=True):
    """Give the in-betweens of a slider as additions to its straight line, or as targets; the face stays the same."""

    slider: Name
    additive: bool

    @property
    def label(self) -> str:
        return f"In-betweens of {self.slider} as {'additions' if self.additive else 'targets'}"

    def apply(self, document: Document, context: Context) -> Document:
        convert = edit.additive_in_betweens if self.additive else edit.target_in_betweens
        return with_edited_rig(document, convert(document.rig, sliders=(self.slider,)))


class PoseCorner(DocumentEdit, frozen=True, kw_only=True):
    """Pose the face at one of the corners in which a corrective is checked; all other sliders go to 0."""

    shape: Name
    corner: Index

    @property
    def label(self) -> str:
        return f"Check {self.shape}, corner {self.corner + 1}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        shape = rig.shape(self.shape)
        found = corrective_corners(rig, shape)
        if self.corner >= len(found):
            raise BadValue(f"{self.shape} has {len(found)} corners; there is no number {self.corner + 1}")
        pose = np.clip(0.0, rig.bounds[:, 0], rig.bounds[:, 1])
        pose[[rig.slider_index(name) for name in shape.sliders]] = found[self.corner]
        same = np.array_equal(pose, document.pose) and document.local is None
        return document if same else replace(document, pose=pose, local=None)


def within_bounds(rig: Rig, at: Mapping[str, float]) -> dict[str, float]:
    """The same values; raises where one is outside of its slider's bounds, since no pose would reach it."""
    for name, value in at.items():
        low, high = rig.bounds[rig.slider_index(name)].tolist()
        if not low <= value <= high:
            raise BadValue(f"slider {name!r} goes from {low:g} to {high:g}; a corrective at {value:g} is never on")
    return dict(at)
