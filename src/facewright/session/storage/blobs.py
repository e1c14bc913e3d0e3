"""Large parts of values, each kept once, under a name that is made from its content."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from facewright.errors import BadFile

REMEMBERED = 128 << 20  # bytes of parts whose names are remembered; others are packed again to find their name
T = TypeVar("T")


class BlobFolder(Protocol):
    """Where bytes are kept under names."""

    def put(self, name: str, data: bytes) -> None: ...

    def get(self, name: str) -> bytes: ...


class Blobs:
    """Parts by identity and by name. A part that is found twice is the very same object. For one thread."""

    def __init__(self, folder: BlobFolder) -> None:
        self._folder = folder
        self.begin_anew()

    @property
    def used(self) -> set[str]:
        """Names that were kept or found since the journal began."""
        return set(self._sizes)

    @property
    def bytes_used(self) -> int:
        return sum(self._sizes.values())

    def keep(self, part: object, write: Callable[[], bytes]) -> str:
        """The name under which a part is kept; it is written if it is new."""
        known = self._known.get(id(part))
        if known is None:
            data = write()
            name = content_name(data)
            if name not in self._sizes:
                self._folder.put(name, data)
            self._remember(part, name, len(data))
            return name
        self._known.move_to_end(id(part))
        return known[1]

    def find(self, name: str, read: Callable[[bytes], T]) -> T:
        """The part that is kept under a name; where `read` is a class, it is one of these.

        A picture may be kept as a texture and as the bytes of a file.
        """
        kind: type[Any] = read if isinstance(read, type) else object
        known: tuple[Any, Any] = (self._attached.get(name), self._alive.get(name))
        found: T | None = next((one for one in known if one is not None and isinstance(one, kind)), None)
        if found is None:
            data = self._folder.get(name)
            if content_name(data) != name:
                raise BadFile(f"a part that the journal names ({name}) is damaged")
            found = read(data)
            self._remember(found, name, len(data))
        return found

    def begin_anew(self) -> None:
        """Forget what was kept: the journal begins anew, and names only what it is given from now on."""
        self._known: OrderedDict[int, tuple[object, str]] = OrderedDict()  # by identity, with the part
        self._alive: WeakValueDictionary[str, Any] = WeakValueDictionary()
        self._attached: dict[str, Any] = {}  # those of `_known` that cannot be referred to weakly: bytes
        self._sizes: dict[str, int] = {}
        self._remembered = 0

    def _remember(self, part: object, name: str, size: int) -> None:
        self._sizes[name] = size
        self._known[id(part)] = (part, name)
        try:
            self._alive.setdefault(name, part)
        except TypeError:
            self._attached.setdefault(name, part)
        self._remembered += size
        while self._remembered > REMEMBERED and len(self._known) > 1:
            _, (_, oldest) = self._known.popitem(last=False)
            self._attached.pop(oldest, None)
            self._remembered -= self._sizes[oldest]


def content_name(data: bytes) -> str:
    """The name of bytes, which is the same for the same bytes only."""
    return hashlib.blake2b(data, digest_size=20).hexdigest()
