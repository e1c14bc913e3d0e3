"""Edits that add, drop, rename and reorder shapes together with their sliders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from numpy.typing import ArrayLike

from facewright.arrays import floats
from facewright.errors import BadValue, UnknownName
from facewright.options import suggests_options
from facewright.rig.names import group_of
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.slider import Slider, sliders_of, with_sliders


@suggests_options
def add_shape(rig: Rig, shape: Shape, *, bounds: tuple[float, float] = (0.0, 1.0), group: str | None = None) -> Rig:
    """Add a shape at the end; its slider is added if the rig does not have it and the shape is not a combination.

    bounds, group: of a new slider; the group is found from the name by default.
    """
    if shape.name in rig.shape_names:
        raise BadValue(f"there is a shape named {shape.name!r} already; replace_shape changes it")
    new = []
    if not shape.is_combination and shape.sliders[0] not in rig.sliders:
        name = shape.sliders[0]
        new.append(Slider(name, *bounds, group_of(name) if group is None else group))
    return with_sliders(rig, (*rig.shapes, shape), (*sliders_of(rig), *new))


def replace_shape(rig: Rig, name: str, delta: ArrayLike) -> Rig:
    """Replace the offsets (v, 3) of a shape; its sliders stay."""
    old = rig.shape(name)
    dense = floats(f"delta of shape {name!r}", delta, (rig.vertex_count, 3))
    return rig.with_shape(Shape.from_dense(name, dense).driven_as(old))


def duplicate_shape(rig: Rig, name: str, new: str | None = None) -> Rig:
    """Add a copy of a shape after it, with a slider of its own that has the bounds and the group of the first one.

    new: the name of the copy; by default the shape's name and the first number that is free.
    """
    old = rig.shape(name)
    copy = free_name(rig, name) if new is None else new
    if copy in rig.shape_names or copy in rig.sliders:
        raise BadValue(f"there is a shape or a slider named {copy!r} already; choose another name")
    first = sliders_of(rig)[rig.slider_index(old.sliders[0])]
    made = Shape(copy, old.vertices, old.offsets)
    shapes = [each for shape in rig.shapes for each in ((shape, made) if shape is old else (shape,))]
    sliders = [each for one in sliders_of(rig) for each in ((one, replace(one, name=copy)) if one == first else (one,))]
    return with_sliders(rig, shapes, sliders)


def free_name(rig: Rig, name: str) -> str:
    """The name, or where a shape or a slider has it, the name with the first number that is free."""
    taken = {*rig.shape_names, *rig.sliders}
    numbered = (f"{name}{number}" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


@suggests_options
def drop_shape(rig: Rig, name: str, *, cascade: bool = False) -> Rig:
    """Drop a shape, and its slider with its exclusive pairs if it drives nothing else.

    Raises `BadValue` if combinations need that slider; cascade=True drops them too.
    """
    dropped = rig.shape(name)
    shapes = [shape for shape in rig.shapes if shape is not dropped]
    alone = {shape.sliders[0] for shape in shapes if not shape.is_combination}
    gone = set() if dropped.is_combination else set(dropped.sliders) - alone
    needing = [shape for shape in shapes if gone.intersection(shape.sliders)]
    if needing and not cascade:
        names = ", ".join(shape.name for shape in needing)
        raise BadValue(f"{names} combine {dropped.sliders[0]!r} with others; drop them first, or with cascade=True")
    shapes = [shape for shape in shapes if shape not in needing]
    used_before = {slider for shape in rig.shapes for slider in shape.sliders}
    used = {slider for shape in shapes for slider in shape.sliders}
    kept = (slider for slider in sliders_of(rig) if slider.name in used or slider.name not in used_before)
    return with_sliders(rig, shapes, kept)


def rename(rig: Rig, names: Mapping[str, str]) -> Rig:
    """Rename shapes and sliders, old name to new. A shape and a slider of one name change together; names may be
    swapped.
    """
    for name in names:
        if name not in rig.sliders and name not in rig.shape_names:
            raise UnknownName("shape or slider", name, dict.fromkeys((*rig.sliders, *rig.shape_names)))
    for kind, before in (("slider", rig.sliders), ("shape", rig.shape_names)):
        taken = Counter(names.get(name, name) for name in before).most_common(1)
        if taken and taken[0][1] > 1:
            raise BadValue(f"there would be two {kind}s named {taken[0][0]!r}; each needs its own name")
    shapes = (_renamed(shape, names) for shape in rig.shapes)
    sliders = (replace(slider, name=names.get(slider.name, slider.name)) for slider in sliders_of(rig))
    return with_sliders(rig, shapes, sliders, became={old: (new,) for old, new in names.items()})


def reorder(rig: Rig, names: Sequence[str]) -> Rig:
    """Move the named sliders to the front in this order, the others after them; shapes follow their sliders.

    Combinations come last, in their present order.
    """
    if len(set(names)) != len(names):
        raise BadValue("a slider is named twice in the new order")
    sliders = sliders_of(rig)
    first = [rig.slider_index(name) for name in names]
    order = [*first, *sorted(set(range(len(sliders))) - set(first))]
    rank = {sliders[i].name: at for at, i in enumerate(order)}
    last = len(sliders)
    shapes = sorted(rig.shapes, key=lambda shape: last if shape.is_combination else rank[shape.sliders[0]])
    return with_sliders(rig, shapes, (sliders[i] for i in order))


@suggests_options
def move_shape(rig: Rig, name: str, *, before: str | None = None) -> Rig:
    """Move a shape in the order of shapes, in front of another one, or (None) to the end. Sliders keep their order."""
    moved = rig.shape(name)
    others = [shape for shape in rig.shapes if shape is not moved]
    at = len(others) if before is None else others.index(rig.shape(before)) if before != name else -1
    if at < 0:
        return rig
    shapes = (*others[:at], moved, *others[at:])
    return rig if shapes == rig.shapes else replace(rig, shapes=shapes)


def _renamed(shape: Shape, names: Mapping[str, str]) -> Shape:
    sliders = tuple(names.get(slider, slider) for slider in shape.sliders)
    name = names.get(shape.name, shape.name)
    return shape if (name, sliders) == (shape.name, shape.sliders) else replace(shape, name=name, sliders=sliders)
