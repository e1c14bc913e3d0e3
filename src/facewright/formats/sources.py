"""What files are read from and written to: paths, bytes, and binary file objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from facewright.errors import BadFile, BadValue, FacewrightError, MissingExtra, UnknownFormat
from facewright.formats.files import Memory, Source, Stream, Target, replacing

Readable = str | PathLike[str] | bytes | bytearray | memoryview | BinaryIO
Writable = str | PathLike[str] | BinaryIO

_LONGEST = 2000  # characters of a message
_LONGEST_OF_OTHERS = 300  # and of another library's


def source_of(
    given: Readable, format: str, known: Sequence[str], recognise: Callable[[bytes], str]
) -> tuple[Source, str]:
    """The file or the bytes, and the suffix of their format.

    The suffix is that of the format that is given; else a file's own ("" for a folder), or what `recognise` finds in
    the bytes.
    """
    stated = check_suffix(format, known) if format else ""
    if isinstance(given, str | PathLike):
        path = Path(given)
        return path, stated or ("" if path.is_dir() else path.suffix.lower())
    data = _bytes(given)
    suffix = stated or recognise(data)
    if not suffix:
        raise UnknownFormat(
            f"these bytes begin with {data[:12]!r}, as no known format does; `format` names one: {_list(known)}"
        )
    return Memory(data, suffix, Path(_name(given)).stem), suffix


def check_exists(source: Source) -> None:
    """Raise where a path leads to nothing."""
    if isinstance(source, Path) and not source.exists():
        raise BadFile(f"{source}: there is no such file")


@contextmanager
def target_of(given: Writable, format: str, known: Sequence[str]) -> Iterator[Target]:
    """Where to write: a path, or a file object with the suffix of the given format or of its own name."""
    if isinstance(given, str | PathLike):
        if not format:
            yield Path(given)
            return
        suffix = check_suffix(format, known)
        with replacing(Path(given)) as file:
            yield Stream(file, suffix)
        return
    if not hasattr(given, "write"):
        raise BadValue(f"files are written to paths and binary file objects, not to {type(given).__name__}")
    suffix = check_suffix(format, known) if format else Path(_name(given)).suffix.lower()
    if suffix not in known or not suffix:
        raise UnknownFormat(f"a file object has no suffix that would say its format; `format` does: {_list(known)}")
    yield Stream(given, suffix)


@contextmanager
def naming(source: Source, *, like: str = "") -> Iterator[None]:
    """Put the name of the file before whatever is wrong with it; errors that are not ours become `BadFile`.

    like: what such a file looks like, said where its text cannot be read.
    """
    try:
        yield
    except MissingExtra:
        raise
    except FacewrightError as problem:
        text = str(problem)
        if str(source) in text and len(text) <= _LONGEST:
            raise
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."  # a file can have names of any length
        raise BadFile(short if str(source) in short else f"{source}: {short}") from problem
    except Exception as problem:  # numpy, scipy, msgspec, Pillow and others have errors of many types
        raise BadFile(f"{source}: {_in_words(problem)}{like if _is_of_the_text(problem) else ''}") from problem


def _is_of_the_text(problem: Exception) -> bool:
    from msgspec import MsgspecError  # its errors are no ValueErrors before 0.19

    return isinstance(problem, ValueError | MsgspecError)


def _in_words(problem: Exception) -> str:
    """What an error of another library means for a file."""
    text = str(problem)[:_LONGEST_OF_OTHERS]
    if isinstance(problem, MemoryError):
        return "there is not enough memory to read it"
    if isinstance(problem, RecursionError):
        return "it is nested too deeply"
    if isinstance(problem, UnicodeDecodeError):
        return f"it is not UTF-8 text: {text}"
    if isinstance(problem, OSError):
        return problem.strerror or text
    if _is_of_the_text(problem) and text:  # msgspec says where in the JSON
        return text
    return f"it cannot be read: {type(problem).__name__}: {text}"


def check_suffix(format: str, known: Sequence[str]) -> str:
    """The suffix of a format that a caller names: "glb", ".glb" and "GLB" are one."""
    suffix = "." + format.lower().removeprefix(".")
    if suffix not in known:
        raise UnknownFormat(f"there is no format {format!r}; known are {_list(known)}")
    return suffix


def _list(suffixes: Sequence[str]) -> str:
    return ", ".join(suffix.removeprefix(".") for suffix in suffixes if suffix)


def _bytes(given: bytes | bytearray | memoryview | BinaryIO) -> bytes:
    if isinstance(given, bytes | bytearray | memoryview):
        return bytes(given)
    if not hasattr(given, "read"):
        raise BadValue(f"files are read from paths, bytes and binary file objects, not from {type(given).__name__}")
    data = given.read()
    if not isinstance(data, bytes):
        raise BadValue("a file object gives text; open it in binary mode, as in open(path, 'rb')")
    return data


def _name(given: object) -> str:
    """The name that a file object was opened by, where it has one."""
    name = getattr(given, "name", "")
    return name if isinstance(name, str) else ""
