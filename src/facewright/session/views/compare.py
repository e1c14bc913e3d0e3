"""Two rigs side by side, as pages see them: the distance of each shape, and both faces with a shape or in the pose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats
from facewright.errors import BadValue, OtherTopology
from facewright.mesh.normals import vertex_normals
from facewright.report.rig_difference import RigDifference
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.fields import NameOrNone
from facewright.session.frames import Array, Frame
from facewright.session.tasks.compare import ComparedRig, Comparing
from facewright.session.views.view import Query, view

_SAME = 1e-6  # of the size: rounding of files with single precision


class ComparedShape(Struct):
    """A shape of either rig."""

    name: str  # in the document's rig; "": it is not there
    other: str  # in the second rig; "": it is not there
    distance: float  # length of the difference, as a share of the longer of both; 1 where one is missing
    furthest: float  # scene units, at the vertex with the largest difference
    driven_alike: bool


class ComparisonInfo(Struct):
    """What is different between the document's rig and a second one."""

    name: str  # of the second rig
    obstacle: str  # why nothing can be compared, "" where it can
    notes: list[str]  # about neutrals, polygons and sliders
    shapes: list[ComparedShape]


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparedFaces(Frame):
    """Both rigs, each with one shape at full or in the present pose, and how far their vertices are apart."""

    seq: int  # of the query that it answers
    shape: str
    other: str
    one: Annotated[Floats, Array("f4", ("v", 3))]
    one_normals: Annotated[Floats, Array("f4", ("v", 3))]
    two: Annotated[Floats, Array("f4", ("v", 3))]
    two_normals: Annotated[Floats, Array("f4", ("v", 3))]
    distances: Annotated[Floats, Array("f4", ("v",))]  # scene units, without what the neutrals differ


class AskCompared(Query, frozen=True, kw_only=True):
    """Ask for both faces: with a shape, by its names in each rig, or without any names in the present pose of the whole
    face. Answered by a ComparedFaces frame.
    """

    shape: NameOrNone = ""
    other: NameOrNone = ""

    def answer(self, context: Context, seq: int) -> ComparedFaces:
        second, rig = context.task(Comparing).second, context.document.value.rig
        if second is None or second.rig.vertex_count != rig.vertex_count:
            raise BadValue("there is no second rig of this topology; choose a file to compare with first")
        if self.shape or self.other:
            one, two = _with_shape(rig, self.shape), _with_shape(second.rig, self.other)
        else:
            one = evaluate(rig, context.document.value.pose)
            two = evaluate(second.rig, _pose_on(second, rig, context.document.value.pose))
        moved = (one - rig.neutral) - (two - second.rig.neutral)
        return ComparedFaces(
            seq=seq,
            shape=self.shape,
            other=self.other,
            one=one,
            one_normals=vertex_normals(one, rig.triangles),
            two=two,
            two_normals=vertex_normals(two, rig.triangles),
            distances=np.linalg.norm(moved, axis=1),
        )


@view("comparison", lambda context: (context.document.value.rig, context.task(Comparing).second))
def comparison(context: Context) -> ComparisonInfo | None:
    """The document's rig beside a second one; null where there is none."""
    second, rig = context.task(Comparing).second, context.document.value.rig
    if second is None:
        return None
    try:
        found = second.comparison(rig)
    except OtherTopology as problem:
        return ComparisonInfo(second.name, str(problem), [], [])
    return ComparisonInfo(second.name, "", _notes(found), _shapes(rig, second.rig, found))


def _with_shape(rig: Rig, name: str) -> Floats:
    return rig.neutral + rig.shape(name).dense(rig.vertex_count) if name else rig.neutral


def _pose_on(second: ComparedRig, rig: Rig, pose: Floats) -> Floats:
    """The pose of a rig on the sliders of the second one that have the same names; the others are at 0."""
    named = second.comparison.paired_sliders(rig)
    index = {name: i for i, name in enumerate(second.rig.sliders)}
    weights = np.zeros(len(index))
    for name, value in zip(rig.sliders, pose, strict=True):
        if name in named:
            weights[index[named[name]]] = value
    return np.asarray(np.clip(weights, *second.rig.bounds.T))


def _shapes(rig: Rig, other: Rig, found: RigDifference) -> list[ComparedShape]:
    size = rig.size
    both = [
        ComparedShape(one.name, one.other, one.distance, one.furthest * size, one.driven_alike) for one in found.shapes
    ]
    missing = [ComparedShape(name, "", 1.0, _reach(rig, name), False) for name in found.missing]
    extra = [ComparedShape("", name, 1.0, _reach(other, name), False) for name in found.extra]
    return [*both, *missing, *extra]


def _reach(rig: Rig, name: str) -> float:
    return float(np.linalg.norm(rig.shape(name).offsets, axis=1).max(initial=0.0))


def _notes(found: RigDifference) -> list[str]:
    """What is different besides the shapes, a sentence each."""
    notes = []
    if abs(found.scale - 1) > 0.05:
        notes.append(f"The second rig is {found.scale:.3g} times as large: its unit may be another one.")
    elif found.furthest > _SAME:
        notes.append(f"The neutrals differ, at most by {found.furthest:.2%} of the face.")
    if not found.same_polygons:
        notes.append("The polygons differ; vertices are compared by their numbers.")
    for names, words in (
        (found.missing_sliders, "are not in the second rig"),
        (found.extra_sliders, "are only in the second rig"),
        (found.other_bounds, "have other bounds there"),
    ):
        if names:
            rest = f" and {len(names) - 4} more" if len(names) > 4 else ""
            verb = words.replace("are", "is").replace("have", "has") if len(names) == 1 else words
            notes.append(f"{', '.join(names[:4])}{rest} {verb}.")
    return notes
