"""Expressions of an avatar."""

from __future__ import annotations

from typing import Any

import msgspec

from facewright.rig.expression import Expression, ExpressionBind, Override


class BindEntry(msgspec.Struct, omit_defaults=True):
    """A shape that an expression drives."""

    shape: str
    value: float
    part: str = ""


class ExpressionEntry(msgspec.Struct, omit_defaults=True):
    """An expression."""

    name: str
    binds: list[BindEntry] = []
    preset: str = ""
    is_binary: bool = False
    blink: Override = "none"
    look: Override = "none"
    mouth: Override = "none"
    more: dict[str, Any] = {}

    @classmethod
    def of(cls, one: Expression) -> ExpressionEntry:
        binds = [BindEntry(bind.shape, bind.value, bind.part) for bind in one.binds]
        return cls(one.name, binds, one.preset, one.is_binary, one.blink, one.look, one.mouth, dict(one.more))

    def value(self) -> Expression:
        binds = tuple(ExpressionBind(bind.shape, bind.value, bind.part) for bind in self.binds)
        return Expression(self.name, binds, self.preset, self.is_binary, self.blink, self.look, self.mouth, self.more)
