"""What every action is: a wish of a page that is no edit, such as starting or stopping background work."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from facewright.session.context import Context


class Action(Struct, frozen=True, kw_only=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """Subclasses have fields and `run`."""

    from_page: ClassVar[bool] = True  # False: the program makes it, a page cannot send it
    slow: ClassVar[str] = ""  # what pages show while it is carried out

    def run(self, context: Context) -> None:
        """Carry it out; a mistake of the caller raises."""
        raise TypeError(f"{type(self).__name__} has no `run`")
