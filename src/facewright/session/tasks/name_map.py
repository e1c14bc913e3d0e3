"""Using a map of names for the recordings of weights that are loaded from now on."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from facewright.errors import BadValue
from facewright.formats.name_map import read_name_map
from facewright.rig.retarget import MappedName, check_map
from facewright.session.context import Context
from facewright.session.fields import Label, Name, NameOrNone, Number
from facewright.session.name_map import NameMap
from facewright.session.tasks.action import Action

_MOST_ROWS = 10_000


class UseNameMap(Action, frozen=True, kw_only=True):
    """Go by a map: rows curve,slider or curve,slider,factor. Names that it does not mention go by their meaning."""

    name: Label  # of the file
    table: Annotated[str, Meta(max_length=1 << 20)]

    def run(self, context: Context) -> None:
        rows = read_name_map(self.table.encode(), self.name)
        check_map(rows, context.document.value.rig)
        used = context.task(NameMap)
        used.name, used.rows = self.name, rows


class MapName(Action, frozen=True, kw_only=True):
    """Let a name drive a slider, or none (""), in place of what the map or its meaning says."""

    source: Name
    target: NameOrNone
    factor: Number = 1.0

    def run(self, context: Context) -> None:
        row = MappedName(self.source, self.target, self.factor)
        check_map([row], context.document.value.rig)
        used = context.task(NameMap)
        if len(used.rows) >= _MOST_ROWS:
            raise BadValue(f"the map of names has {len(used.rows)} rows; load a table instead of adding to it")
        used.name, used.rows = used.name or "hand", (*used.without(self.source), row)


class UnmapName(Action, frozen=True, kw_only=True):
    """Let a name go by its meaning again."""

    source: Name

    def run(self, context: Context) -> None:
        used = context.task(NameMap)
        used.rows = used.without(self.source)
        used.name = used.name if used.rows else ""


class ForgetNameMap(Action, frozen=True, kw_only=True):
    """Go by the meaning of names alone again."""

    def run(self, context: Context) -> None:
        used = context.task(NameMap)
        if not used.rows:
            raise BadValue("no map of names is in use")
        used.name, used.rows = "", ()
