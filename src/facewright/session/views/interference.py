"""Sliders and shapes that interfere, as pages see them: the pairs, the matrix, and where two sliders meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats
from facewright.report.interference import Interference
from facewright.report.overlap import SliderPair
from facewright.report.products import slider_motion
from facewright.report.verdict import shape_findings
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.interference import both_at_full
from facewright.session.fields import Name
from facewright.session.frames import Array, Frame
from facewright.session.tasks.interference import InterferenceCheck
from facewright.session.tasks.rig_check import CheckProgress
from facewright.session.views.rig import known_rig_id
from facewright.session.views.view import Gone, Query, Reply, resource, view

# What the report is drawn with is not in memory before it is needed: the functions that use it import it.


class PairInfo(Struct):
    """Two sliders that interfere; the numbers are those of `inspect --report`."""

    first: str
    second: str
    interference: float  # -1 .. 1
    shared: float  # 0 .. 1
    direction: float  # -1 .. 1
    twin: tuple[str, str] | None  # the same pair on the other side of the face
    advice: str


class ShapeFinding(Struct):
    """Something unusual about a shape."""

    kind: str  # dead, duplicate, dependent, asymmetric or one-sided shape
    names: list[str]  # the shape, and perhaps the one it is compared with
    sentence: str


class FoundInterference(Struct):
    """What came of comparing all sliders and shapes."""

    id: str  # of the rig: `GET /api/interference/table/{id}` and `GET /api/interference/picture/{id}`
    sliders: list[str]  # in the order of the matrix
    fighting: int  # number of pairs with strong interference
    pairs: list[PairInfo]
    shapes: list[ShapeFinding]


class InterferenceInfo(Struct):
    """The comparison of all sliders and shapes."""

    progress: CheckProgress | None  # null: none is under way
    current: bool  # what was found is about the rig as it is now
    found: FoundInterference | None  # null: nothing was compared yet


@dataclass(frozen=True, eq=False, kw_only=True)
class InterferenceTable(Frame):
    """The numbers of all pairs of n sliders, in the order of `FoundInterference.sliders`."""

    interference: Annotated[Floats, Array("f4", ("n", "n"))]
    shared: Annotated[Floats, Array("f4", ("n", "n"))]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairMeeting(Frame):
    """Two sliders at full together."""

    seq: int  # of the query that it answers
    first: str
    second: str
    colors: Annotated[Floats, Array("f4", ("v", 4))]  # linear, and cover: warm where both push the same way
    values: Annotated[Floats, Array("f4", ("s",))]  # of the shapes, with both at full and nothing else


class AskMeeting(Query, frozen=True, kw_only=True):
    """Ask how two sliders meet: answered by a PairMeeting frame."""

    first: Name
    second: Name

    def answer(self, context: Context, seq: int) -> PairMeeting:
        from facewright.render.tone import to_linear
        from facewright.workflow.report.inspect.pictures import meeting_colors

        rig = context.document.value.rig
        colors = meeting_colors(slider_motion(rig, self.first), slider_motion(rig, self.second))
        pose = rig.weights(both_at_full(rig, self.first, self.second))
        return PairMeeting(
            seq=seq,
            first=self.first,
            second=self.second,
            colors=np.column_stack([to_linear(colors[:, :3]), colors[:, 3]]),
            values=context.solvers.combine(rig)(pose),
        )


@view(
    "interference",
    lambda context: (
        context.task(InterferenceCheck).progress,
        context.task(InterferenceCheck).found,
        context.task(InterferenceCheck).is_current,
    ),
)
def interference_info(context: Context) -> InterferenceInfo:
    """Sliders and shapes that interfere."""
    task = context.task(InterferenceCheck)
    found = None if task.found is None or task.rig is None else _found(context, task.found, task.rig)
    return InterferenceInfo(task.progress, task.is_current, found)


@resource("interference/table/{id}")
def interference_table(context: Context, id: str) -> Reply:
    """The InterferenceTable frame."""
    found = _known(context, id)
    both = np.array([found.matrix, found.shared])[:, found.order][:, :, found.order]
    return Reply(InterferenceTable(interference=both[0], shared=both[1]).pack())


@resource("interference/picture/{id}")
def interference_picture(context: Context, id: str) -> Reply:
    """The matrix as a picture, a pixel for each pair."""
    from facewright.render.png import png_bytes
    from facewright.workflow.report.inspect.matrix import matrix_pixels

    found = _known(context, id)
    values = np.array(found.matrix)[np.ix_(found.order, found.order)]
    return Reply(png_bytes(matrix_pixels(values)), "image/png")


def _known(context: Context, id: str) -> Interference:
    task = context.task(InterferenceCheck)
    found, rig = task.found, task.rig
    if found is None or rig is None or not found.sliders or known_rig_id(context, rig) != id:
        raise Gone("another rig was compared since")
    return found


def _found(context: Context, found: Interference, rig: Rig) -> FoundInterference:
    return FoundInterference(
        id=known_rig_id(context, rig),
        sliders=[found.sliders[i].name for i in found.order],
        fighting=found.fighting,
        pairs=[_pair(pair) for pair in found.pairs],
        shapes=[ShapeFinding(one.kind, list(one.names), one.sentence) for one in shape_findings(found)],
    )


def _pair(pair: SliderPair) -> PairInfo:
    from facewright.workflow.report.inspect.cards import advice

    return PairInfo(pair.first, pair.second, pair.interference, pair.shared, pair.direction, pair.twin, advice(pair))
