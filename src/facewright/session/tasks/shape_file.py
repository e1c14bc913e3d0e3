"""The file that shapes are taken from: a sculpt, or another rig. A sculpt of another topology is registered."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta, Struct

from facewright import jobs
from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadFile, BadValue, OtherTopology
from facewright.jobs.task import Task
from facewright.mesh.polygons import Polygons
from facewright.rig.edit.shapes import free_name
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.sculpts import AddCorrective, AddShapes, FitShape, ReplaceShape
from facewright.session.fields import Name, NameOrNone
from facewright.session.files import Arrival, role
from facewright.session.tasks.action import Action
from facewright.workflow.sculpt import check_topology, doubts, registered_sculpt, sculpt_of

Names = Annotated[list[Name], Meta(max_length=10_000)]


class ShapeFileInfo(Struct, frozen=True):
    """A file that shapes can be taken from."""

    name: str
    shapes: list[str]  # of a rig; none: it is a sculpt
    vertices: int
    fits: bool  # whether its vertices are those of the face, or were registered
    words: str  # why it does not fit, or what is unusual
    registering: bool


class OpenShapeFile(Action, frozen=True, kw_only=True):
    """Take shapes from this file from now on."""

    from_page: ClassVar[bool] = False

    name: str
    document: Document

    def run(self, context: Context) -> None:
        context.task(ShapeFile).open(self.name, self.document)


@role("shapes", "face")
def shapes_of_file(context: Context, file: Arrival) -> OpenShapeFile:
    """A sculpt or a rig to take shapes from."""
    assert isinstance(file.content, Document)
    if not file.content.rig.vertex_count:
        raise BadFile(f"{file.name}: there is no mesh in it")
    return OpenShapeFile(name=file.name, document=file.content)


class CloseShapeFile(Action, frozen=True, kw_only=True):
    """Take no more shapes from the file."""

    def run(self, context: Context) -> None:
        context.task(ShapeFile).close()


class RegisterSculpt(Action, frozen=True, kw_only=True):
    """Fit the face to the file's sculpt, which has another topology."""

    def run(self, context: Context) -> None:
        context.task(ShapeFile).register()


class TakeShapes(Action, frozen=True, kw_only=True):
    """Add some shapes of the file's rig, or replace one of the face's by one of them."""

    shapes: Names
    replace: NameOrNone = ""

    def run(self, context: Context) -> None:
        found = context.task(ShapeFile).shapes(self.shapes)
        if not found:
            raise BadValue("choose at least one shape of the file")
        if not self.replace:
            context.apply(AddShapes(shapes=found))
        elif len(found) > 1:
            raise BadValue(f"{self.replace} is replaced by one shape; choose one, not {len(found)}")
        else:
            context.apply(ReplaceShape(shape=self.replace, by=found[0]))


class TakeSculpt(Action, frozen=True, kw_only=True):
    """Use the file's sculpt.

    shape: as a new shape. replace: as what the face is with a shape fully on. in_pose: as what the face is in the
    present pose, by changing that shape. corrective: the same by a new combination or in-between.
    """

    how: Literal["shape", "replace", "in_pose", "corrective"]
    name: NameOrNone = ""  # of the new shape, or of the one that is changed
    sliders: Names | None = None  # that drive a corrective; null: all that are on

    def run(self, context: Context) -> None:
        context.apply(self._edit(context))

    def _edit(self, context: Context) -> DocumentEdit:
        file, rig = context.task(ShapeFile), context.document.value.rig
        sculpt = file.sculpt()
        if self.how == "shape":
            shape = Shape.from_dense(self.name or file.name, sculpt - rig.neutral)
            return AddShapes(shapes=(shape,))
        if self.how == "corrective":
            sliders = None if self.sliders is None else tuple(self.sliders)
            return AddCorrective(name=self.name or free_name(rig, file.name), sculpt=sculpt, sliders=sliders)
        return FitShape(shape=self.name, sculpt=sculpt, in_pose=self.how == "in_pose")


class ShapeFile:
    """The file, and its registration. For the session's thread."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._document: Document | None = None
        self._for: Polygons | None = None  # of the face that it was opened for; another face needs another file
        self._job: jobs.Job[Floats] | None = None
        self._fitted: tuple[Rig, Floats] | None = None  # the rig whose vertices were fitted to the sculpt, and where
        self.name = ""

    def open(self, name: str, document: Document) -> None:
        self.close()
        self.name, self._document, self._for = name, document, self._context.document.value.rig.polygons

    def close(self) -> None:
        """Forget the file, and end a registration."""
        if self._job is not None:
            self._job.kill()
        self._document = self._job = self._fitted = None

    @property
    def inputs(self) -> tuple[object, ...]:
        """What the info is made from."""
        rig = self._context.document.value.rig
        return self._document, self._job, self._fitted, rig.polygons, rig.neutral if self._document else None

    @property
    def info(self) -> ShapeFileInfo | None:
        if self._document is None or self._for is not self._context.document.value.rig.polygons:
            return None
        rig, count = self._context.document.value.rig, self._document.rig.vertex_count
        running = self._job is not None
        if self._is_fitted(rig):
            return ShapeFileInfo(self.name, [], count, True, "It was registered to the face.", running)
        try:
            check_topology(rig, self._document, self.name)
        except BadValue as problem:
            return ShapeFileInfo(self.name, [], count, False, str(problem), running)
        shapes = list(self._document.rig.shape_names)
        return ShapeFileInfo(self.name, shapes, count, True, doubts(rig, self._document), running)

    def shapes(self, names: list[str]) -> tuple[Shape, ...]:
        """Shapes of the file's rig, which has the topology of the face."""
        document = self._given()
        check_topology(self._context.document.value.rig, document, self.name)
        return tuple(document.rig.shape(name) for name in names)

    def sculpt(self) -> Floats:
        """The file's face on the vertices (v, 3) of the open one."""
        document, rig = self._given(), self._context.document.value.rig
        if self._is_fitted(rig):
            assert self._fitted is not None
            return self._fitted[1]
        check_topology(rig, document, self.name)
        return sculpt_of(document)

    def register(self) -> None:
        """Begin to fit the face, as it is posed, to the sculpt."""
        document, value = self._given(), self._context.document.value
        if self._job is not None:
            raise BadValue(f"{self.name} is being registered already")
        rig, file = value.rig, document.rig
        mesh = Rig(sculpt_of(document), file.polygons, parts=file.parts)
        self._job = jobs.start(
            _register, rig, value.pose, mesh, self.name, where="process", heard=lambda news: self._hear(rig, news)
        )

    def _given(self) -> Document:
        if self._document is None or self._for is not self._context.document.value.rig.polygons:
            raise BadValue("choose a file first: a sculpt, or another rig")
        return self._document

    def _is_fitted(self, rig: Rig) -> bool:
        fitted = self._fitted
        return (
            fitted is not None
            and fitted[0].polygons is rig.polygons
            and (fitted[0].neutral is rig.neutral or np.array_equal(fitted[0].neutral, rig.neutral))
        )

    def _hear(self, rig: Rig, news: jobs.Progress | jobs.Finished[Floats] | jobs.Failed) -> None:
        """In the job's thread: hand over to the session's."""
        if not isinstance(news, jobs.Progress):
            self._context.post(lambda: self._finish(rig, news))

    def _finish(self, rig: Rig, news: jobs.Finished[Floats] | jobs.Failed) -> None:
        self._job = None
        if isinstance(news, jobs.Failed):
            cause = news.cause if isinstance(news.cause, OtherTopology) else None
            self._context.say(f"{self.name} was not registered: {cause or news.message}")
        else:
            self._fitted = (rig, news.value)


def _register(task: Task, rig: Rig, pose: Floats, sculpt: Rig, name: str) -> Floats:
    return registered_sculpt(rig, pose, sculpt, name)
