"""In-betweens given in the other way: as targets, or as additions to the straight line. Both give the same face."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape


@suggests_options
def additive_in_betweens(rig: Rig, *, sliders: Sequence[str] | None = None) -> Rig:
    """The rig with every in-between as an addition to the straight line to its slider's outermost target.

    sliders: only the in-betweens of these.
    """
    chosen = _chosen(rig, sliders)
    return _with_singles(
        rig, chosen, lambda shapes: len({shape.at for shape in shapes if not shape.additive}) > 1, _additive
    )


def additive_shapes(rig: Rig, slider: str) -> Rig:
    """The rig with additions instead of all targets of one slider."""
    return _with_singles(rig, (slider,), lambda shapes: True, _additive)


@suggests_options
def target_in_betweens(rig: Rig, *, sliders: Sequence[str] | None = None) -> Rig:
    """The rig with every in-between as the target of its slider there.

    sliders: only the in-betweens of these.
    """
    return _with_singles(rig, _chosen(rig, sliders), lambda shapes: any(shape.additive for shape in shapes), _targets)


def _chosen(rig: Rig, sliders: Sequence[str] | None) -> Sequence[str]:
    return rig.sliders if sliders is None else [rig.sliders[rig.slider_index(name)] for name in sliders]


def _with_singles(
    rig: Rig,
    sliders: Sequence[str],
    bent: Callable[[list[Shape]], bool],
    change: Callable[[Rig, str, list[Shape]], list[Shape]],
) -> Rig:
    """The rig with other shapes of some sliders, put where the first of them was; combinations stay."""
    now: dict[int, list[Shape]] = {i: [shape] for i, shape in enumerate(rig.shapes)}
    for slider in sliders:
        own = [i for i, shape in enumerate(rig.shapes) if shape.sliders == (slider,)]
        if own and bent([rig.shapes[i] for i in own]):
            changed = change(rig, slider, [rig.shapes[i] for i in own])
            by_name = {shape.name: shape for shape in changed}
            for i in own:
                kept = by_name.pop(rig.shapes[i].name, None)
                now[i] = [] if kept is None else [kept]
            now[own[-1]] += by_name.values()
    return replace(rig, shapes=tuple(shape for shapes in now.values() for shape in shapes))


def _targets(rig: Rig, slider: str, shapes: list[Shape]) -> list[Shape]:
    """Targets at all places where what the slider does bends, and at its bounds."""
    at = _knots(rig, slider, shapes)
    there = _offsets(rig, slider, shapes, at)
    names = _names(rig, slider, shapes, at)
    return [
        Shape.from_dense(name, offsets, sliders=(slider,), at=value)
        for name, value, offsets in zip(names, at, there, strict=True)
    ]


def _additive(rig: Rig, slider: str, shapes: list[Shape]) -> list[Shape]:
    """A straight line on each side of 0, and what is added to it at every knot before its end."""
    at = _knots(rig, slider, shapes)
    there = _offsets(rig, slider, shapes, at)
    names = _names(rig, slider, shapes, at)
    knots = sorted({0.0, *at})
    low, high = knots[0], knots[-1]
    made = []
    for name, value, offsets in zip(names, at, there, strict=True):
        i, end = knots.index(value), low if value < 0 else high
        if value == end:
            # The line ends at 0 where the other side is something else.
            span = (0.0, np.inf) if value > 0 and low < 0 else None
            made.append(Shape.from_dense(name, offsets, sliders=(slider,), at=value, spans=[span], additive=True))
        else:
            added = offsets - value / end * there[at.index(end)]
            ends = (knots[i - 1], knots[i + 1])
            made.append(Shape.from_dense(name, added, sliders=(slider,), at=value, spans=[ends], additive=True))
    return made + [shape for shape in shapes if shape.additive]


def _knots(rig: Rig, slider: str, shapes: Sequence[Shape]) -> list[float]:
    """The slider's values other than 0, within its bounds or at a target, at which what the shapes do may bend."""
    low, high = rig.bounds[rig.slider_index(slider)].tolist()
    targets = {shape.at[0] for shape in shapes if not shape.additive}
    bent = {value for shape in shapes if shape.additive for value in (shape.at[0], *(shape.spans[0] or ()))}
    found = targets | {value for value in bent if low <= value <= high} | {low, high}
    return sorted(value for value in found if value != 0)


def _offsets(rig: Rig, slider: str, shapes: Sequence[Shape], at: Sequence[float]) -> Floats:
    """What shapes of one slider do together at its values: (k, v, 3)."""
    bounds = rig.bounds[[rig.slider_index(slider)]]
    values = Combine.of(shapes, (slider,), bounds)(np.array(at)[:, None])
    return np.asarray(np.tensordot(values, np.stack([shape.dense(rig.vertex_count) for shape in shapes]), axes=1))


def _names(rig: Rig, slider: str, shapes: Sequence[Shape], at: Sequence[float]) -> list[str]:
    """A name for the shape at each value: that of the shape which is there, or a new one."""
    there = {shape.at[0]: shape.name for shape in reversed(shapes)}
    taken = set(rig.shape_names)
    names = []
    for value in at:
        name = there.get(value, f"{slider} {value:g}")
        while value not in there and name in taken:
            name += "'"
        taken.add(name)
        names.append(name)
    return names
