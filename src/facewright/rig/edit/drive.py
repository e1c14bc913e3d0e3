"""Edits of what drives in-betweens and combinations: their offsets stay."""

from __future__ import annotations

from collections.abc import Sequence

from facewright.errors import BadValue
from facewright.rig.correctives import CorrectiveKind, corrective_kinds
from facewright.rig.rig import Rig
from facewright.rig.shape import Factor, Shape


def drive_corrective(rig: Rig, name: str, factors: Sequence[Factor]) -> Rig:
    """Let other factors drive an in-between or a combination; its offsets stay as they are.

    An in-between that is a target of its slider has no span: it ends at its neighbours.
    """
    old = rig.shape(name)
    kind = corrective_kinds(rig).get(name)
    if kind is None or kind is CorrectiveKind.END:
        raise BadValue(f"{name!r} is the own shape of a slider; factors are for in-betweens and combinations")
    given = tuple(factors)
    if not given:
        raise BadValue(f"{name!r} needs at least one slider that drives it")
    for factor in given:
        rig.slider_index(factor.slider)
    sliders, at, spans = zip(*given, strict=True)
    additive = old.additive if len(sliders) == 1 else False
    new = Shape(name, old.vertices, old.offsets, sliders, at, spans, additive)
    if new.is_driven_as(old):
        return rig
    if not new.additive and any(other is not old and other.is_driven_as(new) for other in rig.shapes):
        raise BadValue(f"slider {sliders[0]!r} has a target at {at[0]:g} already; choose another value")
    return rig.with_shape(new)
