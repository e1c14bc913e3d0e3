"""Where commands write: checked before the work, so that it is not done in vain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from facewright.cli.asked import asked
from facewright.errors import BadValue
from facewright.workflow import inputs

_allowed: ContextVar[Path | None] = ContextVar("allowed", default=None)


@contextmanager
def writing_within(folder: Path) -> Iterator[None]:
    """Refuse to write anywhere but below a folder: for a command that comes from a file."""
    before = _allowed.set(folder.resolve())
    try:
        yield
    finally:
        _allowed.reset(before)


def check_outputs(outputs: Iterable[Path | None], read: Iterable[Path | str | None]) -> None:
    """Raise where a file to be written is one that is read, or where there is no folder for it.

    With `--make-folders` the folder is made.
    """
    written = [path for path in outputs if path is not None]
    inputs.check_outputs(written, read)
    for path in written:
        check_folder(path)


def check_folder(path: Path) -> None:
    """Raise where there is no folder for a file, or make it if that is asked for."""
    allowed = _allowed.get()
    if allowed is not None and not path.resolve().is_relative_to(allowed):
        raise BadValue(f"{path} is not below {allowed}; give the command itself again to write there")
    if asked.make_folders:
        path.parent.mkdir(parents=True, exist_ok=True)
    elif not path.parent.is_dir():
        raise BadValue(f"{path}: there is no folder {path.parent}; make it, or let --make-folders do that")
