"""What every edit is: data, with a label for the undo menu, and a function from value to value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from facewright.document import Document
from facewright.session.fields import SessionName

if TYPE_CHECKING:
    from facewright.session.context import Context
    from facewright.workflow.build.plan import BuildPlan


class Edit(Struct, frozen=True, kw_only=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """A change of a value. Subclasses have fields, `apply`, and a label where their own name is not enough."""

    session: ClassVar[SessionName] = "document"
    undoable: ClassVar[bool] = True  # False: it leaves no step
    streams: ClassVar[bool] = False  # True: of several that wait only the newest counts, and a pose answers it
    from_page: ClassVar[bool] = True  # False: the program makes it, a page cannot send it
    slow: ClassVar[str] = ""  # what pages show while it is carried out

    @property
    def label(self) -> str:
        """The entry in the undo menu: the class name in words, such as "Remove take"."""
        words = re.findall(r"[A-Z][a-z]*", type(self).__name__)
        return " ".join([words[0], *(word.lower() for word in words[1:])])

    def apply(self, value: Any, context: Context) -> Any:
        """The value after the edit; the very same one where it changes nothing."""
        raise TypeError(f"{type(self).__name__} has no `apply`")


class DocumentEdit(Edit, frozen=True, kw_only=True):
    """A change of the document."""

    def apply(self, document: Document, context: Context) -> Document:
        raise TypeError(f"{type(self).__name__} has no `apply`")


class PlanEdit(Edit, frozen=True, kw_only=True):
    """A change of the build plan."""

    session: ClassVar[SessionName] = "build"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        raise TypeError(f"{type(self).__name__} has no `apply`")
