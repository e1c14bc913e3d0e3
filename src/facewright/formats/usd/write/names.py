"""Names of prims: letters, digits and underscores, unique among neighbours. What they stand for is kept beside them."""

from __future__ import annotations

import re

_OTHERS = re.compile(r"[^A-Za-z0-9_]")
_LONGEST = 100


class PrimNames:
    """The names that the children of a prim have, or the properties of a namespace."""

    def __init__(self, *taken: str) -> None:
        self._taken = set(taken)

    def add(self, name: str) -> str:
        """A valid name like the given one that no other child has."""
        found = valid = _valid(name)
        count = 1
        while found in self._taken:
            count += 1
            found = f"{valid}_{count}"
        self._taken.add(found)
        return found


def _valid(name: str) -> str:
    found = _OTHERS.sub("_", name[:_LONGEST])
    return found if found and not found[0].isdigit() else f"_{found}"
