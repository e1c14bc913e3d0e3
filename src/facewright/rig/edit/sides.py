"""Changes of one shape by the symmetry of the face: turned to the other side, or made the same on both."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from facewright.arrays import Floats
from facewright.errors import UnknownName
from facewright.options import suggests_options
from facewright.rig.edit.mirror import Mirrored, sides_of
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.symmetry import Symmetry

SideOfShape = Literal["both", "left", "right"]


@suggests_options
def flip_shape(rig: Rig, name: str, *, across: Symmetry | None = None) -> Mirrored:
    """Turn a shape to the other side of the face; it keeps its name and its sliders.

    Vertices without a partner on the other side are not moved any more.
    across: the pairs of vertices from `symmetry`, if they are known already.
    """
    sides, shape = sides_of(rig, across), rig.shape(name)
    return _changed(rig, shape, sides, _mirror_image(shape.dense(rig.vertex_count), sides))


@suggests_options
def symmetrise_shape(rig: Rig, name: str, *, side: SideOfShape = "both", across: Symmetry | None = None) -> Mirrored:
    """Make a shape the same on both sides of the face. Vertices without a partner keep their offsets.

    side: "both" takes the mean of the two sides; "left" and "right", of the face itself, copy one side to the other.
    across: the pairs of vertices from `symmetry`, if they are known already.
    """
    if side not in get_args(SideOfShape):
        raise UnknownName("side", str(side), get_args(SideOfShape))
    sides, shape = sides_of(rig, across), rig.shape(name)
    own = shape.dense(rig.vertex_count)
    other = _mirror_image(own, sides)
    share = _share_of_own(rig, sides, side)[:, None]
    made = np.where(sides.partner[:, None] >= 0, share * own + (1 - share) * other, own)
    return _changed(rig, shape, sides, made)


def _share_of_own(rig: Rig, sides: Symmetry, side: SideOfShape) -> Floats:
    """How much (v,) each vertex keeps of its own offset, the rest is that of its partner."""
    heights = sides.plane.heights(rig.neutral)
    left = np.sign(heights - heights[sides.partner])  # 0 in the middle
    if side == "both":
        return np.full(len(left), 0.5)
    return np.asarray((1 + (left if side == "left" else -left)) / 2)


def _mirror_image(offsets: Floats, sides: Symmetry) -> Floats:
    """Offsets (v, 3) seen in the mirror; 0 where a vertex has no partner."""
    return np.where(sides.partner[:, None] >= 0, sides.plane.mirror_vectors(offsets[sides.partner]), 0.0)


def _changed(rig: Rig, shape: Shape, sides: Symmetry, offsets: Floats) -> Mirrored:
    changed = rig.with_shape(Shape.from_dense(shape.name, offsets).driven_as(shape))
    lost = int((sides.partner[shape.vertices] < 0).sum())
    worst = float(sides.distances[shape.vertices].max(initial=0.0)) / (rig.size or 1.0)
    return Mirrored(changed, shape.name, False, len(shape.vertices), lost, worst)
