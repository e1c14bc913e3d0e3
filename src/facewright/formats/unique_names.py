"""Unique names."""

from __future__ import annotations

from collections.abc import Iterable


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """The names in their order; one that is there already gets the first free number from 2."""
    found: dict[str, None] = {}
    next_number: dict[str, int] = {}
    for name in names:
        free = name
        while free in found:
            next_number[name] = next_number.get(name, 1) + 1
            free = f"{name} {next_number[name]}"
        found[free] = None
    return tuple(found)
