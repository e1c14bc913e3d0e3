"""How much memory values take: arrays and bytes, each counted once however many values share it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

import numpy as np
from msgspec import Struct


def held_bytes(values: Iterable[object]) -> list[int]:
    """For each value the bytes that it and those before it hold together."""
    seen: dict[int, object] = {}  # keeps the parts, so that no identity is used twice
    totals, total = [], 0
    for value in values:
        waiting = [value]
        while waiting:
            part = waiting.pop()
            if isinstance(part, _PLAIN) or id(part) in seen:
                continue
            seen[id(part)] = part
            total += _own_bytes(part)
            waiting += _children(part)
        totals.append(total)
    return totals


def added_bytes(before: object, after: object) -> int:
    """At most how many bytes a value has beyond those of another. What is the same in both is not walked."""
    if after is before or isinstance(after, _PLAIN):
        return 0
    olds, news = list(_children(before)) if type(before) is type(after) else [], list(_children(after))
    same = set(map(id, olds))
    pairs = zip_longest(olds[: len(news)], news)
    return _own_bytes(after) + sum(added_bytes(old, new) for old, new in pairs if id(new) not in same)


_PLAIN = (str, int, float, complex, type, type(None))


def _own_bytes(part: object) -> int:
    if isinstance(part, np.ndarray):
        return part.nbytes if part.base is None else 0
    return len(part) if isinstance(part, bytes | bytearray) else 0


def _children(part: Any) -> Iterable[object]:
    """What a part is made of, cached results included."""
    if isinstance(part, np.ndarray):
        return () if part.base is None else (part.base,)
    if isinstance(part, Mapping):
        return part.values()
    if isinstance(part, tuple | list | set | frozenset):
        return part
    if isinstance(part, Struct):
        return [getattr(part, name) for name in part.__struct_fields__]
    return () if callable(part) or not hasattr(part, "__dict__") else vars(part).values()
