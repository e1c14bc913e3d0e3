"""Numbers of all vertices that a page shows as colours while the user decides about an edit of a shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from facewright.arrays import Floats
from facewright.mesh.plane import symmetry_plane
from facewright.rig.edit.split import slider_to_split, split_shares
from facewright.session.context import Context
from facewright.session.edits.sides import Falloff
from facewright.session.fields import Name
from facewright.session.frames import Array, Frame
from facewright.session.views.view import Query


@dataclass(frozen=True, eq=False, kw_only=True)
class SplitField(Frame):
    """How much of each vertex goes to the left half of a shape that is split."""

    seq: int
    shape: str
    falloff: float
    shares: Annotated[Floats, Array("f4", ("v",))]


class AskSplit(Query, frozen=True, kw_only=True):
    """Ask for the halves that `SplitShape` would make: answered by a SplitField frame."""

    aside: ClassVar[bool] = True

    shape: Name
    falloff: Falloff

    def answer(self, context: Context, seq: int) -> SplitField:
        rig = context.document.value.rig
        slider_to_split(rig, self.shape)
        plane = context.solvers_aside.kept("middle plane", (rig.neutral,), lambda: symmetry_plane(rig.neutral))
        shares = split_shares(rig, falloff=self.falloff, plane=plane)
        return SplitField(seq=seq, shape=self.shape, falloff=self.falloff, shares=shares)


@dataclass(frozen=True, eq=False, kw_only=True)
class OffsetField(Frame):
    """How far a shape moves each vertex, as a share of the face's size."""

    seq: int
    shape: str
    lengths: Annotated[Floats, Array("f4", ("v",))]


class AskOffsets(Query, frozen=True, kw_only=True):
    """Ask how far a shape moves each vertex: answered by an OffsetField frame."""

    shape: Name

    def answer(self, context: Context, seq: int) -> OffsetField:
        rig = context.document.value.rig
        shape, lengths = rig.shape(self.shape), np.zeros(rig.vertex_count)
        lengths[shape.vertices] = np.linalg.norm(shape.offsets, axis=1) / (rig.size or 1.0)
        return OffsetField(seq=seq, shape=self.shape, lengths=lengths)
