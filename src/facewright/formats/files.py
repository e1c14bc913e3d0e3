"""Writing files so that a crash leaves the old one or the new one, never half of either."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from facewright.errors import BadFile


def write_atomically(path: Path, data: bytes | bytearray | memoryview) -> None:
    """Replace a file's content at once."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write into: a temporary one beside `path`, flushed to disk, then renamed over it.

    If the writing fails, the temporary file goes and what was at `path` stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:80]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    flush_folder(path.parent)


def read_up_to(path: Path, limit: int) -> bytes:
    """A whole file, refused before reading when it is larger than `limit` bytes."""
    if not path.is_file():  # a pipe or a device would never end
        raise BadFile(f"{path}: this is no file that can be read")
    size = path.stat().st_size
    if size > limit:
        raise BadFile(f"{path}: the file has {size >> 20} MB; at most {limit >> 20} MB are read")
    return path.read_bytes()


def flush_folder(folder: Path) -> None:
    """Make renames in a folder survive a power cut."""
    if os.name != "posix":  # only there can a folder be opened and flushed
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _mode(path: Path) -> int:
    """An existing file keeps its permissions; a new one gets the usual ones."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
