"""Settings that are kept but never undone."""

from __future__ import annotations

from typing import Any

import msgspec

from facewright.errors import BadValue
from facewright.motion.tangents import Tangent
from facewright.session.context import Context
from facewright.session.fields import Label
from facewright.session.tasks.action import Action

_VIEW = 64 << 10  # bytes of what a page may have remembered


class SetDragOptions(Action, frozen=True, kw_only=True):
    """How drags are solved from now on: a method of `Welcome.methods`, or landweber(20) for more or fewer steps.

    It counts instead of the document's own, which `SetDragMethod` sets, unless it is bounded.
    """

    method: Label
    damped: bool = False

    def run(self, context: Context) -> None:
        context.prefer(msgspec.structs.replace(context.preferences, method=self.method, damped=self.damped))


class SetKeying(Action, frozen=True, kw_only=True):
    """Whether steps that change the pose are keyed by themselves, and the tangents of new keys, from now on."""

    auto_key: bool
    tangent: Tangent

    def run(self, context: Context) -> None:
        context.prefer(msgspec.structs.replace(context.preferences, auto_key=self.auto_key, tangent=self.tangent))


class Remember(Action, frozen=True, kw_only=True):
    """What the page wants to find again: camera, panels, chosen sliders. Not undoable; at most 64 KB."""

    view: dict[str, Any]

    def run(self, context: Context) -> None:
        size = len(msgspec.json.encode(self.view))
        if size > _VIEW:
            raise BadValue(f"at most {_VIEW >> 10} KB are remembered, not {size >> 10} KB")
        context.prefer(msgspec.structs.replace(context.preferences, view=self.view))
