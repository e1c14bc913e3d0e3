"""Changes of a character's expressions: new ones, other names, binds and options; and what of them a pose shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.rig.expression import PRESETS, Expression, ExpressionBind, Override, pose_of_expressions
from facewright.rig.rig import Rig

Expressions = tuple[Expression, ...]
_ON = 1e-6  # a slider further than this from 0 belongs to an expression made from a pose


def expression_named(expressions: Sequence[Expression], name: str) -> Expression:
    """The expression of that name; an unknown name raises `UnknownName`."""
    for one in expressions:
        if one.name == name:
            return one
    raise UnknownName("expression", name, (one.name for one in expressions))


def replaced(expressions: Sequence[Expression], old: Expression, new: Expression) -> Expressions:
    """The expressions with a new one in the place of an old one."""
    return tuple(new if one is old else one for one in expressions)


def add_expression(expressions: Sequence[Expression], new: Expression) -> Expressions:
    """The expressions and a new one, whose name and preset must be free."""
    if any(one.name == new.name for one in expressions):
        raise BadValue(f"there is an expression {new.name!r} already; choose another name")
    _check_preset(expressions, new)
    return *expressions, new


def _check_preset(others: Sequence[Expression], new: Expression) -> None:
    taken = next((one.name for one in others if new.preset and one.preset == new.preset), "")
    if taken:
        raise BadValue(f"{taken!r} is the preset {new.preset} already; each preset is one expression")


def rename_expression(expressions: Sequence[Expression], name: str, new: str) -> Expressions:
    """An expression under another name."""
    old = expression_named(expressions, name)
    if new == name:
        return tuple(expressions)
    if any(one.name == new for one in expressions):
        raise BadValue(f"there is an expression {new!r} already; choose another name")
    if old.preset == old.name:  # VRM 1.0 writes a preset under its own name alone
        raise BadValue(f"{name} is a preset, whose name is fixed; make it an expression of your own first")
    return replaced(expressions, old, replace(old, name=new))


def drop_expression(expressions: Sequence[Expression], name: str) -> Expressions:
    """The expressions without one of them."""
    gone = expression_named(expressions, name)
    return tuple(one for one in expressions if one is not gone)


def set_bind(expressions: Sequence[Expression], name: str, bind: ExpressionBind, rig: Rig) -> Expressions:
    """An expression that drives a shape to a value; a bind of the same shape and part is replaced."""
    old = expression_named(expressions, name)
    if bind.shape not in rig.shape_names:
        raise UnknownName("shape", bind.shape, rig.shape_names)
    if bind.part and bind.part not in (parts := [part.name for part in rig.parts]):
        raise UnknownName("part", bind.part, parts)
    if not 0 <= bind.value <= 1:
        raise BadValue(f"an expression drives a shape to a value from 0 to 1, not {bind.value:g}")
    binds = {(one.shape, one.part): one for one in old.binds} | {(bind.shape, bind.part): bind}
    return replaced(expressions, old, replace(old, binds=tuple(binds.values())))


def drop_bind(expressions: Sequence[Expression], name: str, shape: str, part: str = "") -> Expressions:
    """An expression that no longer drives a shape, on one part or where it is bound on all."""
    old = expression_named(expressions, name)
    kept = tuple(one for one in old.binds if (one.shape, one.part) != (shape, part))
    if len(kept) == len(old.binds):
        raise UnknownName(f"shape that {name} drives", shape, (one.shape for one in old.binds))
    return replaced(expressions, old, replace(old, binds=kept))


def set_options(
    expressions: Sequence[Expression],
    name: str,
    *,
    preset: str | None = None,
    is_binary: bool | None = None,
    blink: Override | None = None,
    look: Override | None = None,
    mouth: Override | None = None,
) -> Expressions:
    """An expression with other options; those that are None stay."""
    old = expression_named(expressions, name)
    given = {"preset": preset, "is_binary": is_binary, "blink": blink, "look": look, "mouth": mouth}
    new = replace(old, **{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]
    if new.preset != old.preset:
        _check_preset([one for one in expressions if one is not old], new)
    return tuple(expressions) if new == old else replaced(expressions, old, new)


def expression_of_pose(name: str, rig: Rig, pose: Floats) -> Expression:
    """An expression that drives the face to a pose (n,): all shapes at the end of a slider that is on."""
    binds = []
    for shape in rig.shapes:
        if len(shape.sliders) == 1 and not shape.additive and abs(shape.at[0]) >= 1:  # no in-between
            value = float(pose[rig.slider_index(shape.sliders[0])]) / shape.at[0]
            if value > _ON:
                binds.append(ExpressionBind(shape.name, min(value, 1.0)))
    preset = name if name in PRESETS else ""
    return Expression(name, tuple(binds), preset)


def values_of_pose(rig: Rig, expressions: Sequence[Expression], pose: Floats) -> dict[str, float]:
    """How much of each expression a pose (n,) contains.

    Expressions are taken out of the pose one after the other, those with the most binds first, each as far as all of
    its sliders are there: so what is told never adds up to more than the pose. One that drives nothing is 0.
    """
    left, found = np.array(pose, np.float64), dict.fromkeys((one.name for one in expressions), 0.0)
    for one in sorted(expressions, key=lambda one: -len(one.binds)):
        alone = replace(one, preset="", is_binary=False)  # nothing overrides it
        full = pose_of_expressions(rig, [alone], {one.name: 1.0})
        driven = np.flatnonzero(full)
        if not len(driven):
            continue
        share = float(np.clip((left[driven] / full[driven]).min(), 0.0, 1.0))
        share = float(share >= 1.0 - _ON) if one.is_binary else share
        left -= share * full
        found[one.name] = share
    return found


def pose_with_expressions(
    rig: Rig, expressions: Sequence[Expression], pose: Floats, values: Mapping[str, float]
) -> Floats:
    """A pose (n,) with expressions at new values: what others, and sliders beside them, do to it stays.

    Overrides act as in `pose_of_expressions`.
    """
    before = values_of_pose(rig, expressions, pose)
    now = pose_of_expressions(rig, expressions, before | dict(values))
    change = now - pose_of_expressions(rig, expressions, before)
    return np.clip(np.where(np.abs(change) > 1e-12, pose + change, pose), *rig.bounds.T)
