"""The map of names for recordings of weights, as pages see it."""

from __future__ import annotations

from msgspec import Struct

from facewright.session.context import Context
from facewright.session.name_map import NameMap
from facewright.session.views.view import view

_LISTED = 100  # rows that pages list


class MappedNameInfo(Struct):
    """A row of the map: a name and the slider that it drives."""

    source: str
    target: str  # "": none
    factor: float


class NameMapInfo(Struct):
    """A map that is in use."""

    name: str  # of its file
    rows: int
    listed: list[MappedNameInfo]  # the first of them


@view("name_map", lambda context: (context.task(NameMap).rows,))
def name_map(context: Context) -> NameMapInfo | None:
    """The map, if there is one."""
    used = context.task(NameMap)
    if not used.rows:
        return None
    listed = [MappedNameInfo(row.source, row.target, row.factor) for row in used.rows[:_LISTED]]
    return NameMapInfo(used.name, len(used.rows), listed)
