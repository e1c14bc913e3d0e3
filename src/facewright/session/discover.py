"""Finding what the files of a folder define, so that a new file needs no entry in a list."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import TypeVar

T = TypeVar("T")


def modules_in(package: str, path: Iterable[str]) -> list[ModuleType]:
    """The modules of a package and of the packages in it, sorted by name."""
    found = pkgutil.walk_packages(path, f"{package}.")
    return [import_module(name) for name in sorted(module.name for module in found)]


def classes_in(package: str, path: Iterable[str], base: type[T]) -> tuple[type[T], ...]:
    """Classes derived from a base, in the order of files and definitions; those beside the base are no members."""
    return tuple(
        kind
        for module in modules_in(package, path)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, base) and kind.__module__ == module.__name__ != base.__module__
    )
