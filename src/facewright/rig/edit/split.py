"""Splits a shape for both sides of the face into one for each side."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.mesh.plane import Plane, symmetry_plane
from facewright.options import suggests_options
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.slider import sliders_of, with_sliders
from facewright.rig.spelling import spelling

ENDINGS = (
    ("Left", "Right"),
    ("_L", "_R"),
    (".L", ".R"),
    ("_left", "_right"),
    ("-left", "-right"),
    (" Left", " Right"),
)


@suggests_options
def split_shape(
    rig: Rig,
    name: str,
    *,
    falloff: float = 0.1,
    plane: Plane | None = None,
    endings: tuple[str, str] | None = None,
) -> Rig:
    """Split a shape's slider into a left and a right one; both at w give the face that the old one gave at w.

    The shape, its in-betweens and its combinations are each cut by a mask that goes smoothly from one to zero across
    the middle plane, over a band as wide as `falloff` times the rig's size; the two halves add up to the old offsets
    exactly.
    plane: the middle plane; by default the plane of `symmetry`.
    endings: what is added to the names, for left and right; by default as in the rig's other names.
    """
    slider = slider_to_split(rig, name)
    left = split_shares(rig, falloff=falloff, plane=plane)
    ends = side_endings(rig) if endings is None else endings
    halves = (slider + ends[0], slider + ends[1])
    shapes = [half for shape in rig.shapes for half in _halves(shape, slider, left, ends)]
    sliders = [
        half
        for one in sliders_of(rig)
        for half in ([replace(one, name=new) for new in halves] if one.name == slider else [one])
    ]
    return with_sliders(rig, shapes, sliders, became={slider: halves})


@suggests_options
def split_shares(rig: Rig, *, falloff: float = 0.1, plane: Plane | None = None) -> Floats:
    """The share (v,) of each vertex in the left half where `split_shape` splits; the options are the same."""
    if not (np.isfinite(falloff) and falloff >= 0):
        raise BadValue(f"the falloff is a share of the rig's size, 0 or more, not {falloff}")
    middle = symmetry_plane(rig.neutral) if plane is None else plane
    return _mask(middle.heights(rig.neutral), falloff * rig.size)


def slider_to_split(rig: Rig, name: str) -> str:
    """The slider of that name, or the slider of the shape of that name."""
    if name in rig.sliders:
        return name
    shape = rig.shape(name)
    if shape.is_combination:
        raise BadValue(f"{name!r} is a combination; split one of its sliders: {', '.join(shape.sliders)}")
    return shape.sliders[0]


def _mask(heights: Floats, band: float) -> Floats:
    """The share (v,) of each vertex in the left half: a cubic step, one half in the middle."""
    if band == 0:
        return (np.sign(heights) + 1) / 2
    u = np.clip(heights / band + 0.5, 0, 1)
    return np.asarray(u * u * (3 - 2 * u))


def _halves(shape: Shape, slider: str, left: Floats, ends: tuple[str, str]) -> list[Shape]:
    if slider not in shape.sliders:
        return [shape]
    share = left[shape.vertices][:, None]
    # The larger half is computed first: subtracting more than half of a number has no rounding error.
    larger = np.maximum(share, 1 - share) * shape.offsets
    smaller = shape.offsets - larger
    offsets = (np.where(share >= 0.5, larger, smaller), np.where(share >= 0.5, smaller, larger))
    return [_half(shape, slider, part, end) for part, end in zip(offsets, ends, strict=True)]


def _half(shape: Shape, slider: str, offsets: Floats, end: str) -> Shape:
    moved = offsets.any(axis=1)
    sliders = tuple(name + end if name == slider else name for name in shape.sliders)
    return replace(
        shape, name=shape.name + end, vertices=shape.vertices[moved], offsets=offsets[moved], sliders=sliders
    )


def side_endings(rig: Rig) -> tuple[str, str]:
    """The endings by which most of the rig's names tell left from right."""
    sided = [name for name in rig.sliders if spelling(name).side is not None]
    counts = Counter(pair for name in sided for pair in ENDINGS if name.endswith(pair))
    return counts.most_common(1)[0][0] if counts else ENDINGS[0]
