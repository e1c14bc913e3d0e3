"""Sliders with a negative end: two sliders become one that goes both ways, and one becomes two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig.edit.in_betweens import additive_shapes
from facewright.rig.edit.shapes import free_name
from facewright.rig.edit.sliders import add_exclusive, usual_span
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape, Span
from facewright.rig.slider import Slider, sliders_of, with_sliders

_POSITIVE, _NEGATIVE = (0.0, np.inf), (-np.inf, 0.0)


@suggests_options
def join_sliders(rig: Rig, negative: str, positive: str, *, name: str | None = None) -> Rig:
    """Make one slider of two: below 0 it does what `negative` did, above 0 what `positive` did.

    With only one of the two on, the face is exactly what it was. A pair with another slider, exclusive or tied, holds
    for both ends afterwards. Both sliders start at 0, and no combination needs both.
    name: of the new slider; by default both names.
    """
    if negative == positive:
        raise BadValue(f"{negative!r} cannot be both ends of a slider; name two sliders")
    new = joined_name(negative, positive) if name is None else name
    first, second = (sliders_of(rig)[rig.slider_index(each)] for each in (negative, positive))
    _check_ends(rig, first, second, new)
    rig = _with_targets_on_both(rig, negative, positive)
    shapes = [_moved(_moved(shape, negative, new, -1), positive, new, +1) for shape in rig.shapes]
    made = Slider(new, -first.high, second.high, second.group)
    sliders = [each for each in sliders_of(rig) if each.name not in (negative, positive)]
    sliders.insert(min(map(rig.slider_index, (negative, positive))), made)
    return with_sliders(rig, shapes, sliders, became={negative: (new,), positive: (new,)})


@suggests_options
def part_slider(rig: Rig, slider: str, *, names: tuple[str, str] | None = None) -> Rig:
    """Make two sliders of one that goes below and above 0: both start at 0, and at most one of them is on.

    Where the slider drives a shape straight through 0, the negative side gets a copy the other way round.
    names: of the sliders for the negative and the positive side; by default as the shapes at the ends are called.
    """
    index = rig.slider_index(slider)
    old = sliders_of(rig)[index]
    if not old.low < 0 < old.high:
        raise BadValue(f"slider {slider!r} goes from {old.low:g} to {old.high:g}; only one through 0 can be parted")
    new = parted_names(rig, slider) if names is None else names
    if new[0] == new[1] or any(name != slider and name in rig.sliders for name in new):
        raise BadValue(f"{new[0]!r} and {new[1]!r} have to be two names that no other slider has")
    shapes = _sides(rig, slider, new)
    sliders = list(sliders_of(rig))
    sliders[index : index + 1] = [
        Slider(new[0], 0.0, -old.low, old.group),
        Slider(new[1], 0.0, old.high, old.group),
    ]
    return add_exclusive(with_sliders(rig, shapes, sliders, became={slider: new}), *new)


def joined_name(negative: str, positive: str) -> str:
    """The name of a slider that goes from one to another."""
    return f"{negative}_{positive}"


def parted_names(rig: Rig, slider: str) -> tuple[str, str]:
    """Names for the negative and the positive side of a slider: those of the shapes at its ends, if they are free."""
    own = sorted((shape for shape in rig.shapes if shape.sliders == (slider,)), key=lambda shape: shape.at[0])
    low = own[0].name if own and own[0].at[0] < 0 else f"{slider}Negative"
    high = own[-1].name if own and own[-1].at[0] > 0 else f"{slider}Positive"
    others = set(rig.sliders) - {slider}
    return (low if low not in others else free_name(rig, low), high if high not in others else free_name(rig, high))


def _check_ends(rig: Rig, first: Slider, second: Slider, new: str) -> None:
    if new not in (first.name, second.name) and new in rig.sliders:
        raise BadValue(f"there is a slider named {new!r} already; choose another name")
    for one in (first, second):
        if one.low != 0 or one.high <= 0:
            raise BadValue(f"slider {one.name!r} goes from {one.low:g} to {one.high:g}; an end is a slider from 0 up")
    for shape in rig.shapes:
        own = [factor for factor in shape.factors if factor.slider in (first.name, second.name)]
        if len(own) > 1:
            raise BadValue(f"{shape.name!r} combines {first.name!r} with {second.name!r}; drop it first")
        for factor in own:
            if factor.at < 0 or (factor.span is not None and factor.span[0] < 0):
                raise BadValue(f"{shape.name!r} is driven by values of {factor.slider!r} below 0; they would be taken")


def _with_targets_on_both(rig: Rig, negative: str, positive: str) -> Rig:
    """The rig with additions instead of the targets of one of the sliders, where the other one has none.

    Targets go on straight through 0 if there are none on the other side of it.
    """
    has = {name: any(_is_target(shape, name) for shape in rig.shapes) for name in (negative, positive)}
    for name in (negative, positive) if has[negative] != has[positive] else ():
        rig = additive_shapes(rig, name) if has[name] else rig
    return rig


def _is_target(shape: Shape, slider: str) -> bool:
    return not shape.additive and shape.sliders == (slider,)


def _moved(shape: Shape, slider: str, new: str, sign: int) -> Shape:
    """The shape, driven by one side of the new slider as it was by a slider from 0 up."""
    if slider not in shape.sliders:
        return shape
    spans = [
        _side_span(factor.at, factor.span, sign) if factor.slider == slider and shape.additive else factor.span
        for factor in shape.factors
    ]
    return _driven(shape, slider, new, sign, spans)


def _side_span(at: float, span: Span, sign: int) -> Span:
    if span is None:
        return None if at != 1 else _POSITIVE if sign > 0 else _NEGATIVE
    return span if sign > 0 else _mirrored(span)


def _driven(shape: Shape, slider: str, new: str, sign: int, spans: Iterable[Span]) -> Shape:
    """The shape with a slider of another name, at the same value or at its negative."""
    names = tuple(new if name == slider else name for name in shape.sliders)
    at = tuple(sign * factor.at if factor.slider == slider else factor.at for factor in shape.factors)
    return replace(shape, sliders=names, at=at, spans=tuple(spans))


def _mirrored(span: tuple[float, float]) -> tuple[float, float]:
    return (-span[1] + 0.0, -span[0] + 0.0)


def _sides(rig: Rig, slider: str, new: tuple[str, str]) -> list[Shape]:
    """All shapes, those of a slider driven by the two that take its place."""
    targets = sorted(shape.at[0] for shape in rig.shapes if _is_target(shape, slider))
    inner = min(targets, key=abs, default=0.0)
    one_sided = bool(targets) and (targets[0] > 0) == (targets[-1] > 0)
    taken = set(rig.shape_names)
    made = []
    for shape in rig.shapes:
        if slider not in shape.sliders:
            made.append(shape)
            continue
        goes_on = shape.additive and _factor(shape, slider)[0] == 1 and _factor(shape, slider)[1] is None
        goes_on |= _is_target(shape, slider) and one_sided and shape.at[0] == inner
        side = _factor(shape, slider)[0] > 0
        made.append(_one_side(rig, shape, slider, new[side], 1 if side else -1))
        if goes_on:
            made.append(_other_side(shape, made[-1], new[side], new[not side], taken))
    return made


def _factor(shape: Shape, slider: str) -> tuple[float, Span]:
    at = shape.sliders.index(slider)
    return shape.at[at], shape.spans[at]


def _one_side(rig: Rig, shape: Shape, slider: str, new: str, sign: int) -> Shape:
    at, span = _factor(shape, slider)
    if span is not None and (span[0] < 0 if at > 0 else span[1] > 0):
        raise BadValue(f"{shape.name!r} is on at both sides of 0 of {slider!r}; give it a span that ends at 0")
    if shape.additive:
        bounds = rig.bounds[rig.slider_index(slider)]
        kept = span or usual_span(at, bounds)
        kept = kept if kept is None or sign > 0 else _mirrored(kept)
        end = np.array([0.0, bounds[1] if sign > 0 else -bounds[0]])
        span = None if kept in (None, _POSITIVE if abs(at) == 1 else None, usual_span(abs(at), end)) else kept
    spans = [span if factor.slider == slider else factor.span for factor in shape.factors]
    return _driven(shape, slider, new, sign, spans)


def _other_side(shape: Shape, side: Shape, slider: str, other: str, taken: set[str]) -> Shape:
    """What a straight shape does on the other side of 0: the opposite."""
    name = other if side.sliders == (slider,) and other not in taken else f"{shape.name} {other}"
    while name in taken:
        name += "'"
    taken.add(name)
    sliders = tuple(other if each == slider else each for each in side.sliders)
    return replace(side, name=name, offsets=-shape.offsets, sliders=sliders)
