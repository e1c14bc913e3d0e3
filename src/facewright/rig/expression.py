"""Expressions of a character, as VRM has them: one value that drives several shapes, and perhaps materials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.rig.rig import Rig

Override = Literal["none", "block", "blend"]  # what an expression does to others while it is on
# VRM 1.0, and what they are: the expressions of blinks, looks and mouths are what others override.
BLINKS = ("blink", "blinkLeft", "blinkRight")
LOOKS = ("lookUp", "lookDown", "lookLeft", "lookRight")
MOUTHS = ("aa", "ih", "ou", "ee", "oh")
PRESETS = ("happy", "angry", "sad", "relaxed", "surprised", *MOUTHS, *BLINKS, *LOOKS, "neutral")
_ON = 0.5  # of an expression that is on or off


@dataclass(frozen=True)
class ExpressionBind:
    """A shape that an expression drives, on all parts of the rig or on one."""

    shape: str
    value: float  # of the shape where the expression is 1
    part: str = ""  # "": all parts that have the shape


@dataclass(frozen=True)
class Expression:
    """One value from 0 to 1 that drives shapes."""

    name: str
    binds: tuple[ExpressionBind, ...] = ()
    preset: str = ""  # one of PRESETS; "": one of the author's own
    is_binary: bool = False  # on above a half, off below
    blink: Override = "none"  # what it does to blinks, looks and mouths
    look: Override = "none"
    mouth: Override = "none"
    more: Mapping[str, Any] = field(default_factory=dict)  # plain JSON: what it does to materials, and what is not ours

    def __post_init__(self) -> None:
        if not self.name:
            raise BadValue("an expression needs a name")
        object.__setattr__(self, "binds", tuple(self.binds))
        if self.preset and self.preset not in PRESETS:
            raise UnknownName("preset of an expression", self.preset, PRESETS)
        for kind in (self.blink, self.look, self.mouth):
            if kind not in get_args(Override):
                raise UnknownName("override of an expression", kind, get_args(Override))
        for bind in self.binds:
            if not np.isfinite(bind.value):
                raise BadValue(f"expression {self.name!r} drives {bind.shape!r} to a value that is no number")


def check_expressions(expressions: Sequence[Expression]) -> None:
    """Raise where two expressions have the same name."""
    names = [one.name for one in expressions]
    if len(set(names)) != len(names):
        raise BadValue(f"two expressions have the same name: {', '.join(names)}")


def pose_of_expressions(rig: Rig, expressions: Iterable[Expression], values: Mapping[str, float]) -> Floats:
    """The slider values (n,) that values of expressions give, within the bounds.

    As VRM 1.0 says: what is binary is on above a half; expressions that override blinks, looks or mouths take those
    back, as far as they are on (blend) or at once (block); the rest adds up. Shapes that no slider drives alone, such
    as combinations, are driven by theirs, and are left out. A slider moves its shape on all parts, also where an
    expression drives it on one of them.
    """
    expressions = list(expressions)
    known = {one.name: one for one in expressions}
    for name in values:
        if name not in known:
            raise UnknownName("expression", name, known)
    on = {one.name: _value(one, values.get(one.name, 0.0)) for one in expressions}
    pose = np.zeros(len(rig.sliders))
    slider = {shape.name: shape for shape in rig.shapes if len(shape.sliders) == 1 and not shape.additive}
    for one in expressions:
        share = on[one.name] * _left(one, expressions, on)
        for bind in one.binds if share else ():
            shape = slider.get(bind.shape)
            if shape is not None:
                pose[rig.slider_index(shape.sliders[0])] += share * bind.value * shape.at[0]
    return np.clip(pose, *rig.bounds.T)


def _value(one: Expression, value: float) -> float:
    value = min(max(float(value), 0.0), 1.0)
    return float(value > _ON) if one.is_binary else value


def _left(one: Expression, expressions: Sequence[Expression], on: Mapping[str, float]) -> float:
    """What the others leave of an expression that blinks, looks or moves the mouth."""
    kind = next((kind for kind, names in _OVERRIDDEN.items() if one.preset in names), "")
    if not kind:
        return 1.0
    left = 1.0
    for other in expressions:
        how = getattr(other, kind)
        if how == "block" and on[other.name] > 0:
            return 0.0
        if how == "blend":
            left -= on[other.name]
    return max(left, 0.0)


_OVERRIDDEN = {"blink": BLINKS, "look": LOOKS, "mouth": MOUTHS}


def renamed_expressions(expressions: Sequence[Expression], new: Mapping[str, str]) -> tuple[Expression, ...]:
    """Expressions after shapes were renamed, old name to new."""
    return tuple(
        replace(one, binds=tuple(replace(bind, shape=new.get(bind.shape, bind.shape)) for bind in one.binds))
        for one in expressions
    )
