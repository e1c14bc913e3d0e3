"""Using a map of names for the recordings of weights that are loaded from now on."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from facewright.errors import BadValue
from facewright.formats.name_map import read_name_map
from facewright.rig.retarget import check_map
from facewright.session.context import Context
from facewright.session.fields import Label
from facewright.session.name_map import NameMap
from facewright.session.tasks.action import Action


class UseNameMap(Action, frozen=True, kw_only=True):
    """Go by a map: rows curve,slider or curve,slider,factor. Names that it does not mention go by their meaning."""

    name: Label  # of the file
    table: Annotated[str, Meta(max_length=1 << 20)]

    def run(self, context: Context) -> None:
        rows = read_name_map(self.table.encode(), self.name)
        check_map(rows, context.document.value.rig)
        used = context.task(NameMap)
        used.name, used.rows = self.name, rows


class ForgetNameMap(Action, frozen=True, kw_only=True):
    """Go by the meaning of names alone again."""

    def run(self, context: Context) -> None:
        used = context.task(NameMap)
        if not used.rows:
            raise BadValue("no map of names is in use")
        used.name, used.rows = "", ()
