"""Finding commands without importing them: files in `commands/`, and entry points of other packages."""

from __future__ import annotations

import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facewright.cli import commands
from facewright.errors import BadValue

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "facewright.commands"  # of entry points: a command's name, and module:function
_DOCSTRING = re.compile(r'\A(?:\s|#[^\n]*\n)*"""([^\n]+?)(?:"""|\n)')
_START = 4096  # characters of a file in which its docstring begins


@dataclass(frozen=True)
class FoundCommand:
    """A command that is not imported yet."""

    name: str
    summary: str  # one line for the list of commands
    load: Callable[[], Callable[..., Any]]  # imports its typed function


def find_commands() -> dict[str, FoundCommand]:
    """All commands by name, in alphabetical order. Ours come before others of the same name."""
    found = {command.name: command for command in (*_from_packages(), *_from_files())}
    return dict(sorted(found.items()))


def _from_files() -> Iterator[FoundCommand]:
    for info in pkgutil.iter_modules(commands.__path__):
        folder = Path(getattr(info.module_finder, "path", ""))
        yield FoundCommand(info.name.replace("_", "-"), summary_of(folder / f"{info.name}.py"), _function(info.name))


def _function(module: str) -> Callable[[], Callable[..., Any]]:
    def load() -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(f"{commands.__name__}.{module}"), module)
        return found

    return load


def summary_of(file: Path) -> str:
    """The first line of a Python file's docstring; "" where it has none."""
    try:
        with file.open(encoding="utf8") as text:
            found = _DOCSTRING.match(text.read(_START))
    except OSError:
        return ""
    return found[1].strip() if found else ""


def _from_packages() -> Iterator[FoundCommand]:
    if not any(map(_mentions_group, _entry_point_files())):
        return  # importlib.metadata takes a quarter of the time in which the list of commands is shown
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP):
        yield FoundCommand(entry.name, _summary_of_entry(entry), _loading(entry))


def _entry_point_files() -> Iterator[Path]:
    for folder in dict.fromkeys(sys.path):
        try:
            with os.scandir(folder or ".") as entries:
                names = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        yield from (Path(name) / "entry_points.txt" for name in names)


def _mentions_group(file: Path) -> bool:
    try:
        return GROUP in file.read_text("utf8")
    except (OSError, UnicodeDecodeError):
        return False


def _summary_of_entry(entry: EntryPoint) -> str:
    """That of its file, or of its package where the file is elsewhere."""
    if entry.dist is None:
        return ""
    path = entry.module.replace(".", "/")
    files = (Path(str(entry.dist.locate_file(f"{path}{end}"))) for end in (".py", "/__init__.py"))
    return next(filter(None, map(summary_of, files)), "") or str(entry.dist.metadata["Summary"] or "")


def _loading(entry: EntryPoint) -> Callable[[], Callable[..., Any]]:
    def load() -> Callable[..., Any]:
        try:
            found = entry.load()
        except (ImportError, AttributeError) as problem:
            raise BadValue(f"the command {entry.name} cannot be loaded from {entry.value}: {problem}") from problem
        if not callable(found):
            raise BadValue(f"the command {entry.name} must be a function, but {entry.value} is none")
        return found  # type: ignore[no-any-return]

    return load
