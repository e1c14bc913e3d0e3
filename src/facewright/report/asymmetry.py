"""Compares each shape's mirror image with the shape of the other side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.report.dependence import dead_shapes
from facewright.rig.edit.mirror import driven_by_other_side
from facewright.rig.names import canonical_name, mirror_name
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.symmetry import Symmetry, symmetry

UNEVEN = 0.1  # of a shape's own length: smaller differences between the sides are not reported
# The sides are compared if this share of the vertices has a partner, and if the median distance of the partner from the
# mirror image is below this share of the rig's size.
_PAIRED, _NEAR = 0.5, 0.05
_SEEN = 0.9  # share of a shape's squared motion that must be on vertices with a partner


@dataclass(frozen=True)
class ShapeAsymmetry:
    """The difference of a shape's mirror image from its partner; a shape without a side is its own partner."""

    name: str
    partner: str
    difference: float  # length of the difference, as a share of the longer of the two
    furthest: float  # largest difference at a vertex, as a share of the rig's size
    vertex: int  # where that is, on the partner's side; -1 if nothing could be compared
    ratio: float  # motion of the mirror image relative to the partner's; 1 if equal


@dataclass(frozen=True)
class Asymmetry:
    """The comparison of both sides of a rig."""

    paired: int  # vertices that have a partner on the other side
    uneven: float  # median distance of the neutral's mirror image from the partners, as a share of the rig's size
    shapes: tuple[ShapeAsymmetry, ...]  # pairs, and shapes for both sides, the most different first
    alone: tuple[str, ...]  # shapes with a side in their name, but without a partner


def asymmetry(rig: Rig) -> Asymmetry | None:
    """Compare every shape with its mirror image; None for a face whose vertices have no partners.

    Shapes that move mostly vertices without a partner cannot be compared and are left out.
    """
    if rig.vertex_count == 0:
        return None
    sides = symmetry(rig)
    off = float(np.median(sides.distances[sides.partner >= 0])) / (rig.size or 1.0) if sides.matched else np.inf
    if sides.matched < _PAIRED * rig.vertex_count or off > _NEAR:
        return None
    dead = set(dead_shapes(rig))
    partners = partner_names(rig)
    live = [shape for shape in rig.shapes if shape.name not in dead and partners.get(shape.name) not in dead]
    by_name = {shape.name: shape for shape in rig.shapes}
    pairs = [(shape, by_name[partners[shape.name]]) for shape in live if shape.name in partners]
    pairs = [(a, b) for a, b in pairs if min(_seen(sides, a), _seen(sides, b)) >= _SEEN]
    order = {name: i for i, name in enumerate(rig.shape_names)}
    compared = [_compare(sides, a, b) for a, b in pairs if order[a.name] <= order[b.name]]
    alone = tuple(shape.name for shape in rig.shapes if shape.name not in partners)
    return Asymmetry(sides.matched, off, tuple(sorted(compared, key=lambda one: -round(one.difference, 9))), alone)


def partner_names(rig: Rig) -> dict[str, str]:
    """Each shape's partner by name, in any spelling; itself for a name without a side; left out if there is none.

    A combination whose name says too little is paired with the one that is driven by the sliders of the other side.
    """
    names, by_meaning = set(rig.shape_names), dict[str, str]()
    for name in rig.shape_names:
        by_meaning.setdefault(canonical_name(name), name)
    found = {}
    for name in rig.shape_names:
        other = mirror_name(name) or name
        partner = other if other in names else by_meaning.get(canonical_name(other))
        if partner is not None:
            found[name] = partner
    for shape in rig.shapes:
        if shape.name not in found and (partner := driven_by_other_side(rig, shape)) is not None:
            found[shape.name] = partner
    return found


def _seen(sides: Symmetry, shape: Shape) -> float:
    """The share of a shape's squared motion on vertices with a partner."""
    squares = (shape.offsets**2).sum(axis=1)
    return float(squares[sides.partner[shape.vertices] >= 0].sum() / squares.sum())


def _compare(sides: Symmetry, shape: Shape, partner: Shape) -> ShapeAsymmetry:
    images = sides.partner[shape.vertices]
    moved = np.union1d(images, partner.vertices)
    moved = moved[(moved >= 0) & (sides.partner[moved] >= 0)]  # vertices without a partner cannot be compared
    mirrored = _on(moved, images, sides.plane.mirror_vectors(shape.offsets))
    there = _on(moved, partner.vertices, partner.offsets)
    gap = np.linalg.norm(mirrored - there, axis=1)
    at = int(gap.argmax()) if len(gap) else 0
    longest = max(_length(mirrored), _length(there))
    along = float((mirrored * there).sum())
    return ShapeAsymmetry(
        shape.name,
        partner.name,
        _length(mirrored - there) / longest if longest else 0.0,
        float(gap.max(initial=0.0)) / (sides.size or 1.0),
        int(moved[at]) if len(moved) else -1,
        along / _length(there) ** 2 if _length(there) else 0.0,
    )


def _on(vertices: Ints, given: Ints, offsets: Floats) -> Floats:
    """Offsets (k, 3) on increasing vertices (k,), from offsets (m, 3) given for some of them."""
    found = np.zeros((len(vertices), 3))
    here = np.isin(given, vertices)
    found[np.searchsorted(vertices, given[here])] = offsets[here]
    return found


def _length(delta: Floats) -> float:
    return float(np.linalg.norm(delta))
