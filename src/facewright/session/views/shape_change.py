"""A change of one shape alone, so that a page that has the rest of the rig needs no more than that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.views.geometry import RestNormals, rig_id
from facewright.session.views.view import pushed


@dataclass(frozen=True, eq=False, kw_only=True)
class ShapeChange(Frame):
    """The offsets of one shape, which are all that is different between two rigs. It comes after `State.rig`."""

    base: str  # the rig before; "": nothing is known of it
    rig: str  # the rig afterwards
    shape: int
    vertices: Annotated[Ints, Array("u4", ("m",))]
    offsets: Annotated[Floats, Array("f4", ("m", 3))]
    turns: Annotated[Floats, Array("f4", ("m", 3))]  # by which the normals change


class RigChanges:
    """Compares each rig that pages are told of with the one before."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._rig: Rig | None = None
        self._normals: RestNormals | None = None
        self._base = ""
        self._shape = -1

    def base_of(self, rig: Rig) -> str:
        """The id of the rig before, if one shape's offsets are all that is different; else ""."""
        if rig is not self._rig:
            before, self._rig = self._rig, rig
            self._shape = -1 if before is None else changed_shape(before, rig)
            self._base = "" if before is None or self._shape < 0 else self._context.ids.of(before, rig_id)
        return self._base

    def change(self, rig: Rig) -> ShapeChange:
        base, id = self.base_of(rig), self._context.ids.of(rig, rig_id)
        if not base:
            none = np.zeros((0, 3))
            return ShapeChange(base="", rig=id, shape=0, vertices=np.zeros(0, np.int64), offsets=none, turns=none)
        shape = rig.shapes[self._shape]
        turns = self._rest(rig).of(shape)
        return ShapeChange(
            base=base, rig=id, shape=self._shape, vertices=shape.vertices, offsets=shape.offsets, turns=turns
        )

    def _rest(self, rig: Rig) -> RestNormals:
        known = self._normals
        if known is None or known.triangles is not rig.triangles or not np.array_equal(known.neutral, rig.neutral):
            known = self._normals = RestNormals(rig)
        return known


@pushed(lambda context: (context.document.value.rig,))
def shape_change(context: Context) -> ShapeChange:
    """What is different from the rig before, if that is one shape."""
    return context.task(RigChanges).change(context.document.value.rig)


def changed_shape(before: Rig, after: Rig) -> int:
    """The only shape whose offsets differ between two rigs that are the same otherwise; -1 where there is none."""
    if len(before.shapes) != len(after.shapes) or not _has_same_frame(before, after):
        return -1
    pairs = zip(before.shapes, after.shapes, strict=True)
    others = [i for i, (one, other) in enumerate(pairs) if one is not other]
    if len(others) != 1:
        return -1
    old, new = before.shapes[others[0]], after.shapes[others[0]]
    return others[0] if old.name == new.name and old.is_driven_as(new) else -1


def _has_same_frame(one: Rig, other: Rig) -> bool:
    """Whether all but the shapes is the same, as far as a page is told."""
    words = all(getattr(one, name) == getattr(other, name) for name in ("sliders", "groups", "parts", "exclusive"))
    same = words and one.polygons is other.polygons and one.uvs is other.uvs
    return same and np.array_equal(one.bounds, other.bounds) and np.array_equal(one.neutral, other.neutral)
