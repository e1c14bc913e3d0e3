"""The mirror image of each vertex, for pages that show how symmetric a pose is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from facewright.arrays import Ints
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.views.rig import known_rig_id
from facewright.session.views.view import Query


@dataclass(frozen=True, eq=False, kw_only=True)
class SymmetryMap(Frame):
    """The vertex on the other side of each vertex, and the middle plane in scene units."""

    seq: int
    rig: str
    normal: tuple[float, float, float]  # of the plane, of length 1
    offset: float  # of the plane: normal . x is this
    partner: Annotated[Ints, Array("u4", ("v",))]  # the vertex itself where there is none, or where it is in the middle
    matched: Annotated[Ints, Array("u4", ("v",))]  # 1 where there is one


class AskSymmetry(Query, frozen=True, kw_only=True):
    """Ask for the mirror images of the vertices: answered by a SymmetryMap frame."""

    aside: ClassVar[bool] = True

    def answer(self, context: Context, seq: int) -> SymmetryMap:
        document = context.document.value
        found = context.solvers_aside.symmetry(document.rig)
        matched = found.partner >= 0
        own = np.arange(len(matched))
        x, y, z = found.plane.normal.tolist()
        return SymmetryMap(
            seq=seq,
            rig=known_rig_id(context, document.rig),
            normal=(x, y, z),
            offset=found.plane.offset,
            partner=np.where(matched, found.partner, own),
            matched=matched.astype(np.int64),
        )
