"""Merges two sliders and their shapes into one: the inverse of splitting a shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.edit.split import ENDINGS, slider_to_split
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.slider import sliders_of, with_sliders


@dataclass(frozen=True, eq=False)
class Merged:
    """A rig with two sliders made one."""

    rig: Rig
    name: str  # of the new slider
    sliders: tuple[str, str]  # the old ones
    shapes: Mapping[str, str]  # old names of shapes to new ones


@suggests_options
def merge_shapes(rig: Rig, first: str, second: str, *, name: str | None = None) -> Merged:
    """Merge the sliders of two shapes; the new one at w gives the face that both gave at w.

    In-betweens and combinations of the two are merged, too, where they are driven alike; others go to the new slider.
    name: of the new slider and its shape; by default what is left of both names without their sides, or the first name.
    """
    merging = _Merging.of(rig, first, second, name)
    old, new = set(merging.old), merging.shapes()
    at = next(i for i, shape in enumerate(rig.shapes) if old & set(shape.sliders))
    shapes = [shape for shape in rig.shapes if not old & set(shape.sliders)]
    shapes[at:at] = [shape for shape, _ in new]
    sliders = [
        replace(slider, name=merging.name) if slider.name == merging.old[0] else slider
        for slider in sliders_of(rig)
        if slider.name != merging.old[1]
    ]
    changed = with_sliders(rig, shapes, sliders, became=dict.fromkeys(merging.old, (merging.name,)))
    return Merged(changed, merging.name, merging.old, {before: shape.name for shape, names in new for before in names})


_Named = tuple[Shape, tuple[str, ...]]  # a shape, and the names of those that it was made from


@dataclass(frozen=True, eq=False)
class _Merging:
    rig: Rig
    old: tuple[str, str]  # the sliders
    name: str
    endings: tuple[str, str]  # of the names of shapes on each side; "" where they have none

    @classmethod
    def of(cls, rig: Rig, first: str, second: str, name: str | None) -> _Merging:
        old = slider_to_split(rig, first), slider_to_split(rig, second)
        _check(rig, old)
        endings = next((pair for pair in (*ENDINGS, *(e[::-1] for e in ENDINGS)) if _same_stem(old, pair)), ("", ""))
        given = old[0].removesuffix(endings[0]) if name is None else name
        owners = [shape.name for shape in rig.shapes if set(old) & set(shape.sliders)]
        taken = ({*rig.sliders} - {*old}) | ({*rig.shape_names} - {*owners})
        if not given or given in taken:
            raise BadValue(f"there is a shape or a slider named {given!r} already; choose another name")
        return cls(rig, old, given, endings)

    def shapes(self) -> list[_Named]:
        """All shapes of the new slider."""
        own = [[shape for shape in self.rig.shapes if slider in shape.sliders] for slider in self.old]
        found = self._targets([[shape for shape in shapes if not shape.additive] for shapes in own])
        added = [[shape for shape in shapes if shape.additive] for shapes in own]
        for shape in added[0]:
            made = self._moved(shape, 0)
            twins = [one for one in added[1] if self._moved(one, 1).is_driven_as(made)][:1]
            added[1] = [one for one in added[1] if one not in twins]
            alike = (shape, *twins)
            found.append((self._sum(made, [one.dense(self._count) for one in alike]), tuple(one.name for one in alike)))
        found += [(self._moved(shape, 1), (shape.name,)) for shape in added[1]]
        return _uniquely_named(self.rig, self.old, found)

    def _targets(self, own: Sequence[Sequence[Shape]]) -> list[_Named]:
        """The targets along the new slider: what both sides do there together."""
        knots = [[shape.at[0] for shape in shapes] for shapes in own]
        if not all(knots):
            return [(self._moved(shape, i), (shape.name,)) for i in (0, 1) for shape in own[i]]
        alike = sorted(knots[0]) == sorted(knots[1])
        found = []
        for at in dict.fromkeys(chain(*knots)):
            there = [(i, shape) for i in (0, 1) for shape in own[i] if shape.at[0] == at]
            i, first = there[0]
            # Straight from the offsets where that is the same: the halves of a split shape give it back exactly.
            sides = (
                [shape.dense(self._count) for _, shape in there] if alike else [self._at(own[i], i, at) for i in (0, 1)]
            )
            found.append((self._sum(self._moved(first, i), sides), tuple(shape.name for _, shape in there)))
        return found

    def _at(self, shapes: Sequence[Shape], side: int, at: float) -> Floats:
        """What some targets of one of the old sliders do at its value: (v, 3)."""
        bounds = self.rig.bounds[[self.rig.slider_index(self.old[side])]]
        values = Combine.of(shapes, (self.old[side],), bounds)(np.array([at]))
        return np.asarray(sum(value * shape.dense(self._count) for value, shape in zip(values, shapes, strict=True)))

    def _moved(self, shape: Shape, side: int) -> Shape:
        """A shape of one of the old sliders, under its new name and driven by the new slider."""
        slider = self.old[side]
        named = self.name if shape.name == slider else shape.name.removesuffix(self.endings[side]) or shape.name
        return replace(shape, name=named, sliders=tuple(self.name if one == slider else one for one in shape.sliders))

    def _sum(self, like: Shape, offsets: Sequence[Floats]) -> Shape:
        return Shape.from_dense(like.name, np.sum(offsets, axis=0)).driven_as(like)

    @property
    def _count(self) -> int:
        return self.rig.vertex_count


def _check(rig: Rig, old: tuple[str, str]) -> None:
    if old[0] == old[1]:
        raise BadValue(f"both are shapes of the slider {old[0]!r}; shapes of two sliders are merged")
    both = [shape.name for shape in rig.shapes if {*old} <= {*shape.sliders}]
    if both:
        raise BadValue(f"{', '.join(both)} combine {old[0]!r} with {old[1]!r}; drop them first")
    bounds = [tuple(rig.bounds[rig.slider_index(slider)].tolist()) for slider in old]
    if bounds[0] != bounds[1]:
        words = (f"{slider} goes from {low:g} to {high:g}" for slider, (low, high) in zip(old, bounds, strict=True))
        raise BadValue(f"{' and '.join(words)}; give both the same bounds first")


def _same_stem(names: tuple[str, str], endings: tuple[str, str]) -> bool:
    stems = [name.removesuffix(end) for name, end in zip(names, endings, strict=True) if name.endswith(end)]
    return len(stems) == 2 and stems[0] == stems[1] != ""


def _uniquely_named(rig: Rig, old: tuple[str, str], shapes: Sequence[_Named]) -> list[_Named]:
    """The shapes, those whose name is taken with a number after it."""
    taken = {shape.name for shape in rig.shapes if not {*old} & {*shape.sliders}}
    made = []
    for shape, before in shapes:
        name, number = shape.name, 2
        while name in taken:
            name, number = f"{shape.name}{number}", number + 1
        taken.add(name)
        made.append((shape if name == shape.name else replace(shape, name=name), before))
    return made
