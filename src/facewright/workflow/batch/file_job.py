"""Work from files to files as plain data, and what tells two such pieces of work apart."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from facewright import __version__
from facewright.errors import BadValue
from facewright.formats.files import digest
from facewright.workflow.inputs import read_with

T = TypeVar("T")


class FileJob(Protocol):
    """A frozen dataclass whose paths are the files that it reads and writes, and whose other fields are options."""

    @property
    def name(self) -> str:
        """Tells it from the others of its batch."""

    @property
    def own(self) -> tuple[Path, ...]:
        """Files that it alone reads, such as its take."""

    @property
    def common(self) -> tuple[Path, ...]:
        """Files that others of its batch read, too, such as the rig."""

    @property
    def writes(self) -> tuple[Path, ...]:
        """Files and folders that it writes."""


def files_of(path: Path) -> list[Path]:
    """All files that are read where a path is named; of a folder, all that are in it."""
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else sorted(read_with(path))


def with_paths(value: T, paths: Mapping[Path, Path]) -> T:
    """A job with other paths in the place of some."""
    changed: Any = value
    if isinstance(value, Path):
        changed = paths.get(value, value)
    elif is_dataclass(value) and not isinstance(value, type):
        changed = replace(value, **{one.name: with_paths(getattr(value, one.name), paths) for one in fields(value)})
    elif isinstance(value, tuple):
        changed = tuple(with_paths(each, paths) for each in value)
    elif isinstance(value, dict):
        changed = {key: with_paths(each, paths) for key, each in value.items()}
    found: T = changed
    return found


def with_names(value: T, names: Mapping[str, str]) -> T:
    """A result with other names in its texts, where they stand for files."""
    changed: Any = value
    if isinstance(value, str):
        for there, here in names.items():
            changed = changed.replace(there, here)
    elif is_dataclass(value) and not isinstance(value, type):
        changed = replace(value, **{one.name: with_names(getattr(value, one.name), names) for one in fields(value)})
    elif isinstance(value, tuple):
        changed = tuple(with_names(each, names) for each in value)
    found: T = changed
    return found


class JobKeys:
    """Checksums of jobs: of what they read, of their options and of the program's version. A file is read once."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._known: dict[Path, str] = {}

    def __call__(self, job: FileJob) -> str:
        read, written = (*job.common, *job.own), job.writes
        said = {path: self._digest(path) for path in read} | {path: path.name for path in written}
        told = msgspec.json.encode([__version__, self._command, _described(job, said)], order="deterministic")
        return hashlib.sha256(told).hexdigest()

    def _digest(self, path: Path) -> str:
        if path not in self._known:
            files = files_of(path)
            whole = hashlib.sha256("".join(f"{each.name} {digest(each)} " for each in files).encode())
            self._known[path] = whole.hexdigest() if files else str(path)  # such as `sample`
        return self._known[path]


def _described(value: Any, said: Mapping[Path, str]) -> Any:
    """A job as data for JSON, with words in the place of its files."""
    if isinstance(value, Path):
        return said.get(value, str(value))
    if is_dataclass(value):
        return {one.name: _described(getattr(value, one.name), said) for one in fields(value)}
    if isinstance(value, tuple | list):
        return [_described(each, said) for each in value]
    if isinstance(value, dict):
        return {str(key): _described(each, said) for key, each in value.items()}
    return value


def chunk_of(items: list[T], text: str) -> list[T]:
    """Every n-th of the items, from the i-th on, for a text i/n such as 3/8; all for an empty one."""
    if not text:
        return items
    number, _, count = text.partition("/")
    if not (number.isascii() and number.isdigit() and count.isascii() and count.isdigit()):
        raise BadValue(f"a chunk is a number and how many there are, such as 1/8, not {text!r}")
    if not 1 <= int(number) <= int(count):
        raise BadValue(f"chunks are counted from 1 to {int(count)}; there is no chunk {int(number)}")
    return items[int(number) - 1 :: int(count)]
