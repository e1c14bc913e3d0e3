"""The map of names for recordings of weights, as pages see it."""

from __future__ import annotations

from msgspec import Struct

from facewright.session.context import Context
from facewright.session.name_map import NameMap
from facewright.session.views.view import view


class NameMapInfo(Struct):
    """A map that is in use."""

    name: str  # of its file
    rows: int


@view("name_map", lambda context: (context.task(NameMap).rows,))
def name_map(context: Context) -> NameMapInfo | None:
    """The map, if there is one."""
    used = context.task(NameMap)
    return NameMapInfo(used.name, len(used.rows)) if used.rows else None
