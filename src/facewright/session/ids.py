"""Names of large values by their content, worked out once for each."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
_KEPT = 64  # values


class ContentIds:
    """Ids of values that are compared by identity. The newest are kept, with the values. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[int, tuple[Any, str]] = OrderedDict()

    def of(self, value: T, make: Callable[[T], str]) -> str:
        """The id of a value."""
        with self._lock:
            known = self._known.get(id(value))
            if known is None or known[0] is not value:
                known = (value, make(value))
            self._known[id(value)] = known
            self._known.move_to_end(id(value))
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            return known[1]

    def value(self, id: str, kind: type[T]) -> T | None:
        """The newest value of a kind that has an id."""
        with self._lock:
            found = [value for value, name in self._known.values() if name == id and isinstance(value, kind)]
        return found[-1] if found else None
