"""Refusing to write over a file that is read: by any name that it has, also where only another file refers to it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from facewright.errors import BadValue, UnknownFormat
from facewright.formats.registry import format_of


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path | str | None]) -> None:
    """Raise where a file to be written is one that is read; None and "" stand for a file that was not asked for.

    Links to a file, other spellings and other cases of its name are that file, as far as the system tells.
    """
    read = [(file, Path(name)) for name in inputs if name for file in _read_with(Path(name))]
    for out in outputs:
        for written in () if out is None else _replaced_by(out):
            for file, name in read:
                if os.path.samefile(written, file):
                    within = "" if file == name else f" with {name}"
                    raise BadValue(f"{written} is the file that is read{within}; name another one to write")


def _read_with(path: Path) -> Iterator[Path]:
    """The files that are read where this one is named."""
    try:
        files = format_of(path).files(path) if path.exists() else ()
    except UnknownFormat:  # pictures, recordings and settings are single files
        files = (path,)
    yield from filter(Path.exists, files)


def _replaced_by(path: Path) -> Iterator[Path]:
    """The files that may be replaced where this one is written."""
    if path.is_dir():
        yield from format_of(path).files(path)
    elif path.exists():
        yield path
