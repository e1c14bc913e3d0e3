"""Mirrors a shape to the other side of the face."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig.names import canonical_name
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.slider import Slider, sliders_of, with_sliders
from facewright.rig.spelling import mirror_name
from facewright.rig.symmetry import Symmetry, symmetry


@dataclass(frozen=True, eq=False)
class Mirrored:
    """A rig with a mirrored shape, and how exact it is."""

    rig: Rig
    name: str  # of the shape on the other side
    created: bool  # False if the shape existed and its offsets were replaced
    moved: int  # vertices that the shape moves
    lost: int  # number of these that have no partner on the other side
    worst: float  # largest distance of a moved vertex's mirror image from its partner, as a share of the rig's size

    def __str__(self) -> str:
        made = "created" if self.created else "replaced"
        return (
            f"{made} {self.name}: {self.moved - self.lost} of {self.moved} vertices have a partner, "
            f"the worst {100 * self.worst:.3g} % of the face off"
        )


@suggests_options
def mirror_shape(rig: Rig, name: str, *, to: str | None = None, across: Symmetry | None = None) -> Mirrored:
    """Mirror a shape onto its partner on the other side: the shape of that name, in any spelling, or a new one.

    The partner of a combination may also be the one that the sliders of the other side drive alike.

    A new shape gets the mirrored sliders; missing sliders are added with the bounds and the group of the other side.
    to: the name of the partner, if the shape's own name has no side.
    across: the pairs of vertices from `symmetry`, if they are known already.
    """
    shape = rig.shape(name)
    partner = _partner_name(rig, name) if to is None else to
    sides = sides_of(rig, across)
    created = partner not in rig.shape_names
    mirrored = _mirrored(shape, sides, partner)
    changed = _with_new(rig, shape, mirrored) if created else rig.with_shape(mirrored.driven_as(rig.shape(partner)))
    has = sides.partner[shape.vertices] >= 0
    worst = float(sides.distances[shape.vertices].max(initial=0.0)) / (rig.size or 1.0)
    return Mirrored(changed, partner, created, len(has), int((~has).sum()), worst)


def _partner_name(rig: Rig, name: str) -> str:
    other = mirror_name(name)
    if other is None:
        raise BadValue(f"{name!r} has no side in its name; name the shape of the other side (`to`, `--to`)")
    if other in rig.shape_names:
        return other
    same = [known for known in rig.shape_names if canonical_name(known) == canonical_name(other)]
    return same[0] if len(same) == 1 else driven_by_other_side(rig, rig.shape(name)) or other


def driven_by_other_side(rig: Rig, shape: Shape) -> str | None:
    """The combination that the sliders of the other side drive as those of this side drive a combination."""
    if not shape.is_combination:
        return None
    other = {factor._replace(slider=mirror_name(factor.slider) or factor.slider) for factor in shape.factors}
    found = (each.name for each in rig.shapes if each is not shape and set(each.factors) == other)
    return next(found, None)


def _mirrored(shape: Shape, sides: Symmetry, name: str) -> Shape:
    vertices = sides.partner[shape.vertices]
    has = np.flatnonzero(vertices >= 0)
    order = has[np.argsort(vertices[has])]
    offsets = sides.plane.mirror_vectors(shape.offsets[order])
    return Shape(name, vertices[order], offsets)


def _with_new(rig: Rig, shape: Shape, mirrored: Shape) -> Rig:
    """Add the mirrored shape with the sliders of the other side."""
    plain = shape.sliders == (shape.name,)
    other = {shape.name: mirrored.name} if plain else {name: mirror_name(name) or name for name in shape.sliders}
    new = replace(mirrored.driven_as(shape), sliders=tuple(other[name] for name in shape.sliders))
    missing = [
        Slider(other[slider.name], slider.low, slider.high, slider.group)
        for slider in sliders_of(rig)
        if slider.name in other and other[slider.name] not in rig.sliders
    ]
    return with_sliders(rig, (*rig.shapes, new), (*sliders_of(rig), *missing))


def sides_of(rig: Rig, across: Symmetry | None) -> Symmetry:
    """The symmetry that was given, of as many vertices as the rig, or the one that is found."""
    sides = symmetry(rig) if across is None else across
    if len(sides.partner) != rig.vertex_count:
        raise BadValue(f"the symmetry is for {len(sides.partner)} vertices, but the rig has {rig.vertex_count}")
    return sides
