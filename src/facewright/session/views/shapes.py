"""The shapes of the rig as the workbench lists them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from facewright.rig.shape import Shape
from facewright.session.context import Context
from facewright.session.views.shape_pictures import pictures
from facewright.session.views.view import view
from facewright.workflow.shape_uses import UsesOfShapes, groups_of_shapes


class ShapeDetail(Struct):
    """A shape in the list of the workbench."""

    name: str
    sliders: list[str]  # that drive it
    at: list[float]  # the value of each where the shape is full
    group: str  # of its first slider
    reach: float  # length of its longest offset, scene units
    support: int  # number of vertices that it moves
    uses: str  # in words what depends on it
    dependent: list[str]  # each of them in words; empty: nothing does
    picture: str  # at `GET /api/shape/{picture}`


_reaches: WeakKeyDictionary[Shape, float] = WeakKeyDictionary()  # shapes are shared by many rigs of one history


def reach(shape: Shape) -> float:
    """The length of a shape's longest offset, worked out once."""
    known = _reaches.get(shape)
    if known is None:
        known = _reaches[shape] = float(np.sqrt(np.square(shape.offsets).sum(axis=1).max(initial=0.0)))
    return known


@view(
    "shapes",
    lambda context: (
        context.document.value.rig,
        context.document.value.clips,
        context.document.value.textures,
        context.document.value.locked,
    ),
    items=True,
)
def shapes(context: Context) -> dict[str, ShapeDetail]:
    """The shapes of the document's rig by their names; only new and changed ones are sent, the rig has their order."""
    document = context.document.value
    uses_of, ids = UsesOfShapes(document), pictures.ids(document.rig)
    found = {}
    for shape, group, picture in zip(document.rig.shapes, groups_of_shapes(document.rig), ids, strict=True):
        uses = uses_of(shape)
        found[shape.name] = ShapeDetail(
            name=shape.name,
            sliders=list(shape.sliders),
            at=list(shape.at),
            group=group,
            reach=reach(shape),
            support=len(shape.vertices),
            uses=str(uses),
            dependent=list(uses.named),
            picture=picture,
        )
    return found
