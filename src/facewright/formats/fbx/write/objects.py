"""The objects of a file and their connections, collected before they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from facewright.formats.fbx.write.encode import Element, Item, Long, element, object_name
from facewright.formats.fbx.write.properties import definitions

_FIRST = 1_000_000  # id of the first object; 0 is the root
ROOT = 0


class WrittenObjects:
    """Objects, each made when it is written, and what is connected to what."""

    def __init__(self) -> None:
        self._made: list[Callable[[], Element]] = []
        self._counts: Counter[str] = Counter()
        self._connections: list[Element] = []

    def add(
        self,
        kind: str,
        name: str,
        sort: str,
        inside: Callable[[], list[Element]],
        *,
        label: str = "",
        block: bool = False,
    ) -> int:
        """Add an object; returns its id. `label` is the class that its name has, where that is not the kind."""
        number = _FIRST + len(self._made)
        head: tuple[Item, ...] = (Long(number), object_name(name, label or kind), sort)
        self._made.append(lambda: element(kind, *head, inside=inside(), block=block))
        self._counts[kind] += 1
        return number

    def connect(self, one: int, owner: int, property: str = "") -> None:
        """Connect an object to another, or to a property of it."""
        ends = Long(one), Long(owner)
        self._connections.append(element("C", "OP", *ends, property) if property else element("C", "OO", *ends))

    def elements(self) -> Iterator[Element]:
        """Definitions, objects and connections."""
        yield definitions(dict(self._counts))
        yield Element("Objects", (), (make() for make in self._made), True)
        yield element("Connections", inside=self._connections, block=True)
