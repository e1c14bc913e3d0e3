"""The shapes of the rig as the workbench lists them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from facewright.rig.shape import Shape
from facewright.session.context import Context
from facewright.session.views.view import view
from facewright.workflow.shape_uses import UsesOfShapes, groups_of_shapes


class ShapeDetail(Struct):
    """A shape in the list of the workbench."""

    name: str
    sliders: list[str]  # that drive it
    group: str  # of its first slider
    reach: float  # length of its longest offset, scene units
    support: int  # number of vertices that it moves
    uses: str  # in words what depends on it
    used: bool  # whether anything does


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
)
def shapes(context: Context) -> list[ShapeDetail]:
    """The shapes of the document's rig."""
    document = context.document.value
    uses_of = UsesOfShapes(document)
    found = []
    for shape, group in zip(document.rig.shapes, groups_of_shapes(document.rig), strict=True):
        uses = uses_of(shape)
        sliders = list(shape.sliders)
        detail = ShapeDetail(shape.name, sliders, group, reach(shape), len(shape.vertices), str(uses), uses.any)
        found.append(detail)
    return found
