"""The pose as pages see it: slider values, shape values, where the pins are, and what a drag came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats, Ints
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.views.view import view
from facewright.workflow.drag.drag import DragResult

NOTICEABLE = 5e-4  # half of the last digit that sliders show


@dataclass(frozen=True, eq=False, kw_only=True)
class Pose(Frame):
    """The face as it is now. n sliders, s shapes, k pins, d pins of a drag, p values that regions add."""

    seq: int  # of the newest message that the pose answers, of the connection that sent it; 0 for others
    gesture: int  # 0 outside
    revision: int
    status: str  # of the solver, "" where none was asked
    pins: list[int]  # (k,)
    dragged: list[int]  # (d,)
    reasons: list[str]  # (d,) why a pin is not met, "" where it is
    along: int  # sliders that moved along, because held points are spared, with those that were set
    weights: Annotated[Floats, Array("f4", ("n",))]
    values: Annotated[Floats, Array("f4", ("r", "s"))]  # a row for the whole face, then one for each posed region
    places: Annotated[Floats, Array("f4", ("k", 3))]  # of the pins
    spots: Annotated[Ints, Array("u4", ("p", 2))]  # region and slider
    local: Annotated[Floats, Array("f4", ("p",))]  # what the region adds to the slider
    change: Annotated[Floats, Array("f4", ("n",))] | None = None  # of each slider since the drag's beginning, or along
    helped: Annotated[Floats, Array("f4", ("n",))] | None = None  # share of the wanted motion that each slider brought
    residual: Annotated[Floats, Array("f4", ("d",))] | None = None
    target: Annotated[Floats, Array("f4", ("d", 3))] | None = None


def pose(context: Context, *, seq: int, gesture: int, revision: int, dragged: DragResult | None) -> Pose:
    """The Pose frame of the document."""
    document, solvers = context.document.value, context.solvers
    values = solvers.values(document)
    places = solvers.places(document).at(values)
    if values.ndim == 2:
        values = np.vstack([solvers.combine(document.rig)(document.pose), values])
    local = np.zeros((0, 0)) if document.local is None else document.local
    spots = np.argwhere(local)
    drag: dict[str, Floats] = {} if context.along is None else {"change": context.along}
    if dragged is not None:
        solution = dragged.solution
        drag = {"change": solution.change, "helped": solution.helped}
        drag |= {"residual": dragged.residual, "target": dragged.targets}
    return Pose(
        seq=seq,
        gesture=gesture,
        revision=revision,
        status="" if dragged is None else dragged.status.value,
        pins=[pin.id for pin in document.pins],
        dragged=[] if dragged is None else list(dragged.ids),
        reasons=[] if dragged is None else list(dragged.reasons),
        along=0 if context.along is None else int((np.abs(context.along) >= NOTICEABLE).sum()),
        weights=document.pose,
        values=np.atleast_2d(values),
        places=places,
        spots=spots.reshape(-1, 2),
        local=local[tuple(spots.T)].reshape(-1),
        **drag,
    )


class DragOptions(Struct):
    """How drags are solved. `method` counts instead of `State.drag_method` unless it is bounded."""

    method: str
    damped: bool


@view("drag", lambda context: (context.preferences,))
def drag_options(context: Context) -> DragOptions:
    """How drags are solved."""
    return DragOptions(context.preferences.method, context.preferences.damped)


@view("locked", lambda context: (context.document.value.locked,))
def locked(context: Context) -> list[str]:
    """Sliders that solvers leave alone."""
    return list(context.document.value.locked)


@view("drag_sliders", lambda context: (context.document.value.drag_sliders,))
def drag_sliders(context: Context) -> str | list[str]:
    """The sliders that drags use: the name of a set, names, or "" for what the pins sit on."""
    chosen = context.document.value.drag_sliders
    return chosen if isinstance(chosen, str) else list(chosen)


@view("drag_method", lambda context: (context.document.value.drag_method,))
def drag_method(context: Context) -> str:
    """How the face is dragged: automatic, bounded or natural."""
    return context.document.value.drag_method
