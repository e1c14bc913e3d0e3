"""Shapes from poses, from sculpts and from other rigs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.regions.local_pose import is_local, weights_of
from facewright.regions.region_evaluator import evaluate_regions
from facewright.rig import edit
from facewright.rig.evaluate import evaluate
from facewright.rig.shape import Shape
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Name, some
from facewright.workflow.edited_rig import with_edited_rig

if TYPE_CHECKING:
    from facewright.session.context import Context

Names = Annotated[list[Name], Meta(min_length=1, max_length=10_000)]


def posed(document: Document) -> Floats:
    """The face (v, 3) in the document's pose, with what its regions add."""
    if document.regions is not None and is_local(document):
        return evaluate_regions(document.rig, document.regions, weights_of(document))
    return evaluate(document.rig, document.pose)


class AddPoseShape(DocumentEdit, frozen=True, kw_only=True):
    """Add a shape, with a slider of its own, that at 1 is the face as it is posed."""

    name: Name

    @property
    def label(self) -> str:
        return f"Pose as shape {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        shape = Shape.from_dense(self.name, posed(document) - rig.neutral)
        if not len(shape.vertices):
            raise BadValue("the face is at rest: pose it first, then the pose becomes a shape")
        return with_edited_rig(document, edit.add_shape(rig, shape))


class FitShapeToPose(DocumentEdit, frozen=True, kw_only=True):
    """Replace the offsets of a shape: fully on alone, it is the face as it is posed now."""

    shape: Name

    @property
    def label(self) -> str:
        return f"Replace {self.shape} by the pose"

    def apply(self, document: Document, context: Context) -> Document:
        return with_edited_rig(document, edit.fit_shape(document.rig, self.shape, posed(document)))


class AddShapes(DocumentEdit, frozen=True, kw_only=True):
    """Add shapes of another rig of the same polygons, or of a sculpt; each gets a slider of its own."""

    from_page: ClassVar[bool] = False

    shapes: tuple[Shape, ...]

    @property
    def label(self) -> str:
        return f"Add {some([shape.name for shape in self.shapes])}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        for shape in self.shapes:
            name = edit.free_name(rig, shape.name)
            rig = edit.add_shape(rig, replace(shape, name=name, sliders=(name,), at=(), spans=(), additive=False))
        return with_edited_rig(document, rig)


class ReplaceShape(DocumentEdit, frozen=True, kw_only=True):
    """Replace the offsets of a shape by those of another one."""

    from_page: ClassVar[bool] = False

    shape: Name
    by: Shape

    @property
    def label(self) -> str:
        return f"Replace {self.shape} by {self.by.name}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        return with_edited_rig(document, edit.replace_shape(rig, self.shape, self.by.dense(rig.vertex_count)))


class FitShape(DocumentEdit, frozen=True, kw_only=True):
    """Change a shape so that the face is a sculpt: with the shape alone fully on, or in the present pose."""

    from_page: ClassVar[bool] = False

    shape: Name
    sculpt: Floats  # (v, 3)
    in_pose: bool = False

    @property
    def label(self) -> str:
        return f"Sculpt {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        if self.in_pose:
            check_whole(document)
        weights = document.pose if self.in_pose else None
        return with_edited_rig(document, edit.fit_shape(document.rig, self.shape, self.sculpt, weights=weights))


class AddCorrective(DocumentEdit, frozen=True, kw_only=True):
    """Add a combination or an in-between with which the present pose is a sculpt."""

    from_page: ClassVar[bool] = False

    name: Name
    sculpt: Floats  # (v, 3)
    sliders: tuple[str, ...] | None = None  # that drive it; None: all that are on
    at: Mapping[str, float] = {}  # values of sliders in the sculpt that are not those of the present pose
    additive: bool = True  # False: an in-between is the target of its slider

    @property
    def label(self) -> str:
        return f"Corrective {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        check_whole(document)
        rig, pose = document.rig, document.pose.copy()
        for name, value in self.at.items():
            pose[rig.slider_index(name)] = value
        made = edit.extract_corrective(rig, self.name, pose, self.sculpt, sliders=self.sliders, additive=self.additive)
        return with_edited_rig(document, made)


def check_whole(document: Document) -> None:
    """Raises where regions have poses of their own, which no corrective of the rig can know."""
    if is_local(document):
        raise BadValue("regions have poses of their own; a sculpt is of one pose of the whole face: reset them first")
