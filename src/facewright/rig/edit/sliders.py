"""Edits of sliders: their bounds, groups and order, the pairs of which at most one is on, and ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig.rig import Rig
from facewright.rig.shape import Factor, Shape, Span
from facewright.rig.slider import sliders_of, with_sliders
from facewright.rig.ties import ties_of

FURTHEST = 1000.0  # that a slider goes; in percent ten times its shape


def set_bounds(rig: Rig, bounds: Mapping[str, tuple[float, float]]) -> Rig:
    """Give sliders, by their names, other lowest and highest values.

    Every pose within the old and the new bounds gives the same face: a factor that fell to 0 at the old end of its
    slider still does, by a span of its own.
    """
    for name, (low, high) in bounds.items():
        rig.slider_index(name)
        if not np.isfinite([low, high]).all():
            raise BadValue(f"slider {name!r}: bounds are two numbers, not {low} and {high}")
        if low > high:
            raise BadValue(f"slider {name!r}: the lowest value {low:g} is above the highest, {high:g}")
        if low == high:
            raise BadValue(
                f"slider {name!r}: from {low:g} to {high:g} it could not move; lock it, or drop its shape, "
                "if that is what you want"
            )
        if max(abs(low), abs(high)) > FURTHEST:
            raise BadValue(
                f"slider {name!r}: 1 is a whole shape, and no slider goes further than {FURTHEST:g} either way, "
                f"not from {low:g} to {high:g}; bounds such as 0:1, -1:1 or 0:100 work"
            )
    now = {name: np.array(each, np.float64) for name, each in bounds.items()}
    sliders = [
        replace(one, low=float(now[one.name][0]), high=float(now[one.name][1])) if one.name in now else one
        for one in sliders_of(rig)
    ]
    return with_sliders(rig, [_with_ends_kept(rig, shape, now) for shape in rig.shapes], sliders)


def set_groups(rig: Rig, groups: Mapping[str, str]) -> Rig:
    """Put sliders, by their names, into other groups."""
    for name, group in groups.items():
        rig.slider_index(name)
        if not group:
            raise BadValue(f"slider {name!r}: a group needs a name, such as mouth or other")
    return replace(
        rig, groups=tuple(groups.get(name, group) for name, group in zip(rig.sliders, rig.groups, strict=True))
    )


@suggests_options
def move_sliders(rig: Rig, names: Sequence[str], *, before: str | None = None) -> Rig:
    """Put sliders, in their present order, before another one, or at the end. Shapes stay where they are."""
    for name in (*names, *([] if before is None else [before])):
        rig.slider_index(name)
    if before in names:
        raise BadValue(f"{before} is among those that move; name one that stays")
    moved = [one for one in sliders_of(rig) if one.name in names]
    rest = [one for one in sliders_of(rig) if one.name not in names]
    at = len(rest) if before is None else [one.name for one in rest].index(before)
    return with_sliders(rig, rig.shapes, (*rest[:at], *moved, *rest[at:]))


def add_exclusive(rig: Rig, one: str, other: str) -> Rig:
    """Let at most one of two sliders be on; the same rig where that holds already."""
    if is_exclusive(rig, one, other):
        return rig
    return replace(rig, exclusive=(*rig.exclusive, (one, other)))


def remove_exclusive(rig: Rig, one: str, other: str) -> Rig:
    """Let two sliders be on at once that excluded each other."""
    if not is_exclusive(rig, one, other):
        known = ", ".join(f"{a} and {b}" for a, b in rig.exclusive) or "none"
        raise BadValue(f"{one} and {other} do not exclude each other; the exclusive pairs of this rig are {known}")
    return replace(rig, exclusive=tuple(pair for pair in rig.exclusive if set(pair) != {one, other}))


def is_exclusive(rig: Rig, one: str, other: str) -> bool:
    """Whether two sliders exclude each other, in either order."""
    return any(set(pair) == {one, other} for pair in rig.exclusive)


def add_tie(rig: Rig, slider: str, to: str) -> Rig:
    """Let solvers move a slider no further than another, in shares of their full values; the same rig if it is so."""
    ties = ties_of(rig)
    if (slider, to) in ties:
        return rig
    way = _tied_by_way_of(ties, to, slider)
    if way:
        chain = ", and ".join(f"{one} is tied to {other}" for one, other in pairwise(way))
        raise BadValue(
            f"{slider} cannot be tied to {to}: {chain}, so that each would go no further than the other; "
            f"untie {way[0]} from {way[1]} first"
        )
    return replace(rig, ties=(*ties, (slider, to)))


def remove_tie(rig: Rig, slider: str, to: str) -> Rig:
    """Let solvers move a slider regardless of the one that it was tied to."""
    ties = ties_of(rig)
    if (slider, to) not in ties:
        known = ", ".join(f"{one} to {other}" for one, other in ties) or "none"
        raise BadValue(f"{slider} is not tied to {to}; the ties of this face are {known}")
    return replace(rig, ties=tuple(pair for pair in ties if pair != (slider, to)))


def _tied_by_way_of(ties: Sequence[tuple[str, str]], slider: str, to: str) -> list[str]:
    """Sliders from one to another, each tied to the next; none if there is no such way."""
    ways, seen = [[slider]], {slider}
    while ways:
        way = ways.pop()
        for one, other in ties:
            if one == way[-1] and other not in seen:
                if other == to:
                    return [*way, other]
                seen.add(other)
                ways.append([*way, other])
    return []


def usual_span(at: float, bounds: Floats) -> Span:
    """Where a factor at a value, of a slider with bounds (2,), falls to 0 if it has no span; None: it is straight."""
    if at == 1:
        return None
    end = float(bounds[1] if at > 0 else bounds[0])
    beyond = end if abs(end) > abs(at) and end * at > 0 else float(np.copysign(np.inf, at))
    return (0.0, beyond) if at > 0 else (beyond, 0.0)


def _with_ends_kept(rig: Rig, shape: Shape, now: Mapping[str, Floats]) -> Shape:
    if not shape.additive or not set(shape.sliders) & set(now):
        return shape
    spans = tuple(_kept(rig, factor, now) for factor in shape.factors)
    return shape if spans == shape.spans else replace(shape, spans=spans)


def _kept(rig: Rig, factor: Factor, now: Mapping[str, Floats]) -> Span:
    """The span of a factor that is what it was before its slider got other bounds."""
    if factor.slider not in now:
        return factor.span
    before = factor.span or usual_span(factor.at, rig.bounds[rig.slider_index(factor.slider)])
    return None if before == usual_span(factor.at, now[factor.slider]) else before
