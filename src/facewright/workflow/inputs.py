"""Refusing to write over a file that is read: by any name that it has, also where only another file refers to it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from facewright.errors import BadValue, FacewrightError, UnknownFormat
from facewright.formats.registry import format_of
from facewright.workflow.build.poses_file import load_poses


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path | str | None]) -> None:
    """Raise where a file to be written is one that is read; None and "" stand for a file that was not asked for.

    Links to a file, other spellings and other cases of its name are that file, as far as the system tells.
    """
    read = {_identity(file): (file, Path(name)) for name in inputs if name for file in read_with(Path(name))}
    for out in outputs:
        for written in () if out is None else _replaced_by(out):
            if known := read.get(_identity(written)):
                within = "" if known[0] == known[1] else f" with {known[1]}"
                raise BadValue(f"{written} is the file that is read{within}; name another one to write")


def _identity(file: Path) -> tuple[int, int]:
    """What two names of one file have in common."""
    found = os.stat(file)
    return found.st_dev, found.st_ino


def read_with(path: Path) -> Iterator[Path]:
    """The files that are read where this one is named; none where there is no such file."""
    try:
        files = format_of(path).files(path) if path.exists() else ()
    except UnknownFormat:  # pictures, recordings and most settings are single files
        files = (path, *_listed_in(path))
    yield from filter(Path.exists, files)


def _listed_in(path: Path) -> Iterator[Path]:
    """The files of the poses that a file lists, if it does."""
    if path.suffix.lower() == ".json":
        with suppress(FacewrightError):
            yield from (pose.file for pose in load_poses(path))


def _replaced_by(path: Path) -> Iterator[Path]:
    """The files that may be replaced where this one is written."""
    if path.is_dir():
        yield from format_of(path).files(path)
    elif path.exists():
        yield path
