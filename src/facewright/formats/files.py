"""Reading whole files, and writing them so that a crash leaves the old one or the new one, never half of either."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from facewright.errors import BadFile, BadValue
from facewright.formats.unfinished import open_unfinished


@dataclass(frozen=True)
class Memory:
    """The bytes of a file that has no path."""

    data: bytes = field(repr=False)
    suffix: str  # that the file would have, such as ".glb"
    stem: str = ""

    @property
    def name(self) -> str:
        return f"{self.stem}{self.suffix}"

    def __str__(self) -> str:
        return f"the {self.suffix.removeprefix('.')} data"


@dataclass(frozen=True)
class Stream:
    """A file object to write a file into."""

    file: BinaryIO
    suffix: str  # that the file would have, such as ".glb"

    @property
    def name(self) -> str:
        return f"data{self.suffix}"


Source = Path | Memory
Target = Path | Stream


def write_atomically(target: Target, data: bytes | bytearray | memoryview) -> None:
    """Replace a file's content at once."""
    with replacing(target) as file:
        file.write(data)


@contextmanager
def replacing(target: Target) -> Iterator[BinaryIO]:
    """Yield a temporary file to write into, which takes the place of the target when all is written.

    For a path it is beside it, flushed to disk, then renamed over it; its content is copied into a stream. If the
    writing fails, the temporary file is removed and the target stays as it was. What a link leads to is replaced, not
    the link.
    """
    if isinstance(target, Stream):
        with tempfile.TemporaryFile() as file:
            yield file
            file.seek(0)
            shutil.copyfileobj(file, target.file)
        return
    path = Path(os.path.realpath(target))  # a link stays, and what it leads to is replaced
    if path.exists() and not path.is_file():
        raise BadValue(f"{target} is no ordinary file, and cannot be replaced by one; name another one")
    if not path.parent.is_dir():
        raise BadFile(f"{target}: there is no folder {path.parent} to write into; make it first")
    with _named(target):
        handle, temporary = open_unfinished(path)
        with ExitStack() as until:
            if os.name != "nt":  # there an open file cannot be renamed
                until.callback(os.close, os.dup(handle))  # it stays locked until it has its name
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


def make_folder(folder: Path) -> None:
    """Make a folder where there is none; the one that it is in has to be there."""
    if not folder.absolute().parent.is_dir():
        raise BadFile(f"{folder}: there is no folder {folder.parent} to write into; make it first")
    folder.mkdir(exist_ok=True)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Give an error of the system the name of the file that was to be written, and not that of a temporary one."""
    try:
        yield
    except OSError as problem:
        problem.filename, problem.filename2 = str(path), None
        raise


def read_up_to(source: Source, limit: int) -> bytes:
    """A whole file, refused before reading when it is larger than `limit` bytes."""
    if isinstance(source, Memory):
        _check_size(source, len(source.data), limit)
        return source.data
    with open_ordinary(source) as file:
        size = os.fstat(file.fileno()).st_size
        _check_size(source, size, limit)
        data = file.read(size + 1)
    if len(data) > size:  # files of /proc claim no size
        raise BadFile(f"{source}: the file has more bytes than its size says, or grows while it is read")
    return data


def read_text(source: Source, limit: int) -> bytes:
    """A whole text file in UTF-8, without the byte order mark that some editors put before it."""
    return read_up_to(source, limit).removeprefix(BOM_UTF8)


def open_ordinary(path: Path) -> BufferedReader:
    """Open an ordinary file for reading; devices and pipes, which may never end, are refused without waiting."""
    try:
        # Without O_NONBLOCK, opening a pipe waits for a writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise BadFile(f"{path}: there is no such file") from None
    except (OSError, ValueError) as problem:  # ValueError: a null character in the name
        raise BadFile(f"{path}: {getattr(problem, 'strerror', None) or problem}") from problem
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise BadFile(f"{path}: this is no file that can be read")
    return os.fdopen(handle, "rb")


def _check_size(source: Source, size: int, limit: int) -> None:
    if size > limit:
        raise BadFile(f"{source}: the file has {size >> 20} MB; at most {limit >> 20} MB are read")


def digest(path: Path) -> str:
    """A text that differs where the content of a file does; "" where there is no file."""
    if not path.exists():
        return ""
    with open_ordinary(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
