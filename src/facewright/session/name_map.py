"""Which curves of recorded weights drive which sliders, as somebody says, for all recordings that are loaded."""

from __future__ import annotations

from facewright.rig.retarget import MappedName
from facewright.session.context import Context


class NameMap:
    """The map that is in use, if there is one. It is kept as long as the studio runs."""

    def __init__(self, context: Context) -> None:
        self.name = ""  # of its file
        self.rows: tuple[MappedName, ...] = ()

    def without(self, source: str) -> tuple[MappedName, ...]:
        """The rows of all other names."""
        return tuple(row for row in self.rows if row.source != source)
