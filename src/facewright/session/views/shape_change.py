"""A change of one shape, or of no offsets at all, so that a page that has the rest of the rig needs no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.views.geometry import RestNormals, content_digest, rig_id
from facewright.session.views.view import pushed


@dataclass(frozen=True, eq=False, kw_only=True)
class ShapeChange(Frame):
    """The offsets of one shape, which are all that is drawn differently of two rigs. It comes after `State.rig`."""

    base: str  # the rig before; "": nothing is known of it
    rig: str  # the rig afterwards
    shape: int  # -1: all is drawn as before, such as with other bounds
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
        self._shape: int | None = None

    def base_of(self, rig: Rig) -> str:
        """The id of the rig before, if one shape's offsets, or none, are all that is drawn differently; else ""."""
        if rig is not self._rig:
            before, self._rig = self._rig, rig
            self._shape = None if before is None else changed_shape(before, rig)
            self._base = "" if before is None or self._shape is None else self._context.ids.of(before, rig_id)
        return self._base

    def change(self, rig: Rig) -> ShapeChange:
        base, id = self.base_of(rig), self._context.ids.of(rig, rig_id)
        if not base or self._shape is None or self._shape < 0:
            none = np.zeros((0, 3))
            return ShapeChange(base=base, rig=id, shape=-1, vertices=np.zeros(0, np.int64), offsets=none, turns=none)
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


def changed_shape(before: Rig, after: Rig) -> int | None:
    """The only shape that is drawn differently; -1 where none is, None where more is different.

    Names count, because eyes and teeth are found by them; bounds, groups, knots, exclusive pairs and the
    order of sliders are not drawn.
    """
    if len(before.shapes) != len(after.shapes) or not _has_same_frame(before, after):
        return None
    found = -1
    for i, (old, new) in enumerate(zip(before.shapes, after.shapes, strict=True)):
        if old is new:
            continue
        if (old.name, old.sliders) != (new.name, new.sliders):
            return None
        if content_digest(old) != content_digest(new):
            if found >= 0:
                return None
            found = i
    return found


def _has_same_frame(one: Rig, other: Rig) -> bool:
    """Whether all but the shapes is drawn alike."""
    same = set(one.sliders) == set(other.sliders) and one.parts == other.parts
    return (
        same and one.polygons is other.polygons and one.uvs is other.uvs and np.array_equal(one.neutral, other.neutral)
    )
