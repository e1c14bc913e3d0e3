"""Large parts of values, each kept once, under a name that is made from its content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from facewright.errors import BadFile

T = TypeVar("T")


class BlobFolder(Protocol):
    """Where bytes are kept under names."""

    def put(self, name: str, data: bytes) -> None: ...

    def get(self, name: str) -> bytes: ...


class Blobs:
    """Parts by identity and by name. A part that is found twice is the very same object. For one thread."""

    def __init__(self, folder: BlobFolder) -> None:
        self._folder = folder
        self._names: dict[int, tuple[object, str]] = {}  # by identity, which lasts as long as the part is kept here
        self._parts: dict[str, Any] = {}
        self.used: set[str] = set()  # names that were kept or found since the journal began

    def keep(self, part: object, write: Callable[[], bytes]) -> str:
        """The name under which a part is kept; it is written if it is new."""
        known = self._names.get(id(part))
        if known is None:
            data = write()
            name = content_name(data)
            if name not in self.used:
                self._folder.put(name, data)
            known = self._names[id(part)] = (part, name)
            self._parts.setdefault(name, part)
        self.used.add(known[1])
        return known[1]

    def find(self, name: str, read: Callable[[bytes], T]) -> T:
        """The part that is kept under a name."""
        if name not in self._parts:
            data = self._folder.get(name)
            if content_name(data) != name:
                raise BadFile(f"a part that the journal names ({name}) is damaged")
            part = self._parts[name] = read(data)
            self._names[id(part)] = (part, name)
        self.used.add(name)
        found: T = self._parts[name]
        return found

    def begin_anew(self) -> None:
        """Forget what was kept: the journal begins anew, and names only what it is given from now on."""
        self._names, self._parts, self.used = {}, {}, set()


def content_name(data: bytes) -> str:
    """The name of bytes, which is the same for the same bytes only."""
    return hashlib.blake2b(data, digest_size=20).hexdigest()
