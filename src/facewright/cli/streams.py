"""Standard input and output in the place of files: a path of `-`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats import limits
from facewright.formats.registry import recognise
from facewright.workflow.open import open_face

STREAM = "-"
_INPUT, _OUTPUT = "standard input", "standard output"
_temporary: set[Path] = set()  # files that go to standard output


def is_stream(path: Path | str) -> bool:
    """Whether a path stands for standard input or output."""
    return str(path) == STREAM


def shown(path: Path) -> str:
    """The name of a file that is written, for a person."""
    return _OUTPUT if path in _temporary else str(path)


@contextmanager
def file_given(path: Path, format: str = "") -> Iterator[Path]:
    """The file of a path; for `-` a temporary one with all that standard input gives.

    format: a suffix without its dot, where the bytes do not tell it.
    """
    if not is_stream(path):
        yield path
        return
    data = _read()
    suffix = f".{format.lower().removeprefix('.')}" if format else recognise(data) or _text_suffix(data)
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        file = Path(folder) / f"stdin{suffix}"
        file.write_bytes(data)
        try:
            yield file
        except FacewrightError as problem:
            words = str(problem).replace(str(file), _INPUT)
            raise problem if words == str(problem) else BadFile(words) from problem


@contextmanager
def file_written(path: Path, format: str = "") -> Iterator[Path]:
    """The file of a path; for `-` a temporary one, which goes to standard output at the end."""
    if not is_stream(path):
        yield path
        return
    if not format:
        raise BadValue(f"{_OUTPUT} has no suffix that would say its format; --to does, such as --to glb")
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        file = Path(folder) / f"stdout.{format.lower().removeprefix('.')}"
        _temporary.add(file)
        try:
            yield file
        finally:
            _temporary.discard(file)
        sys.stdout.buffer.write(file.read_bytes())
        sys.stdout.buffer.flush()


def face_given(path: Path | str) -> Document:
    """The document in a file, in what standard input gives for `-`, or the embedded head for `sample`."""
    with file_given(Path(path)) as file:
        return open_face(file)


def _read() -> bytes:
    data = sys.stdin.buffer.read(limits.GLB + 1)
    if len(data) > limits.GLB:
        raise BadFile(f"{_INPUT}: there are more than {limits.GLB >> 20} MB; at most that much is read")
    if not data:
        raise BadFile(f"{_INPUT}: it is empty; `-` reads a file that another program writes")
    return data


def _text_suffix(data: bytes) -> str:
    """The suffix of text without a name: JSON, or a table."""
    return ".json" if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else ".csv"
