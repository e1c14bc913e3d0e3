"""Names of large values by their content, worked out once for each."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class ContentIds:
    """Ids of values that are compared by identity, as long as something else holds the values. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: WeakKeyDictionary[Any, str] = WeakKeyDictionary()

    def of(self, value: T, make: Callable[[T], str]) -> str:
        """The id of a value."""
        with self._lock:
            known = self._known.get(value)
            if known is None:
                known = self._known[value] = make(value)
            return known

    def value(self, id: str, kind: type[T]) -> T | None:
        """A value of a kind that has an id."""
        with self._lock:
            return next((each for each, name in self._known.items() if name == id and isinstance(each, kind)), None)

    def shared(self, value: T, make: Callable[[T], str]) -> T:
        """A value with the same content that is known already, or the value itself."""
        return self.value(self.of(value, make), type(value)) or value
