"""What is kept from one start to the next but is never undone: how drags are solved, and how the page is arranged."""

from __future__ import annotations

from typing import Any

import msgspec

from facewright.pose.method import BOUNDED, filter_of


class Preferences(msgspec.Struct, frozen=True):
    """Plain values, kept as JSON."""

    method: str = BOUNDED
    damped: bool = False
    view: dict[str, Any] = {}  # the page's own

    def __post_init__(self) -> None:
        filter_of(self.method)  # raises for a method that does not exist
