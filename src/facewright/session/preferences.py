"""What is kept from one start to the next but is never undone: how drags are solved, and how the page is arranged."""

from __future__ import annotations

from typing import Any

import msgspec

from facewright.document import Document
from facewright.motion.tangents import Tangent
from facewright.pose.method import BOUNDED, filter_of


class Preferences(msgspec.Struct, frozen=True):
    """Plain values, kept as JSON."""

    method: str = BOUNDED  # another method than bounded counts instead of the document's
    damped: bool = False
    view: dict[str, Any] = {}  # the page's own
    auto_key: bool = False  # every step that changes the pose is keyed
    tangent: Tangent = "auto"  # of new keys
    recent: tuple[str, ...] = ()  # paths of files that were opened or saved, the last one first

    def __post_init__(self) -> None:
        filter_of(self.method)  # raises for a method that does not exist

    def method_for(self, document: Document) -> str:
        """The method of drags of a document."""
        return document.drag_method if self.method == BOUNDED else self.method
