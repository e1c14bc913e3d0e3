"""What is kept about each job of a batch, beside its results: whether it is whole, from what it was made, how it went.

A file for each job: processes on several machines can write into one folder, and none sees half a record.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from facewright.errors import BadFile, UnknownFormat
from facewright.formats.files import digest, make_folder, read_text, write_atomically
from facewright.formats.registry import format_of

FOLDER = "batch"  # beside the results
_LARGEST = 1 << 20  # bytes of a record
_COMMAND = "command-"
_WORDS = 300  # characters that are said of a broken record
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)  # what is no record

Status = Literal["done", "failed", "stopped"]


class JobRecord(msgspec.Struct, frozen=True, kw_only=True):
    """How a job ended."""

    name: str
    command: str  # solve, render, build
    status: Status
    key: str  # checksum of what it read, of its options and of the program's version
    version: str
    outputs: dict[str, str] = {}  # checksums of the files written, by paths relative to the batch's folder
    words: str = ""  # why it failed, or how it went
    report: str = ""  # the page about it, relative to the batch's folder
    facts: dict[str, Any] = {}

    def is_whole(self, folder: Path, key: str) -> bool:
        """Whether all that a job with this key writes is there as it was written."""
        return (
            self.status == "done"
            and self.key == key != ""
            and all(digest(folder / name) == known for name, known in self.outputs.items())
        )


class CommandRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The command that made a batch, so that it can be given again."""

    words: list[str]
    folder: str  # where it was given


def batch_folder(out: Path, mark: str) -> Path:
    """The folder below which all results are, where `mark` in an output's path stands for a job's name."""
    parts = out.parts
    first = next((i for i, part in enumerate(parts) if mark in part), len(parts) - 1)
    return Path(*parts[:first]) if first else Path()


def checksums(paths: tuple[Path, ...], folder: Path) -> dict[str, str]:
    """The checksums of all files that were written where some paths are named."""
    files = sorted({file for path in paths for file in _written(path)})
    return {_relative(file, folder): digest(file) for file in files}


def keep_record(folder: Path, record: JobRecord) -> None:
    """Write a record into a batch's folder."""
    make_folder(folder / FOLDER)
    write_atomically(_file(folder, record.command, record.name), msgspec.json.encode(record, enc_hook=_in_json))


def find_record(folder: Path, command: str, name: str) -> JobRecord | None:
    """The record of a job; None where there is none that can be read."""
    file = _file(folder, command, name)
    try:
        return msgspec.json.decode(read_text(file, _LARGEST), type=JobRecord) if file.exists() else None
    except (*_UNREADABLE, BadFile):
        return None  # the work is done again, and the record replaced


def all_records(folder: Path) -> Iterator[JobRecord]:
    """All records of a folder, by name."""
    for file in sorted((folder / FOLDER).glob("*.json")):
        if not file.name.startswith(_COMMAND):
            yield _decoded(file, JobRecord)


def keep_command(folder: Path, command: str, words: list[str]) -> None:
    """Write down which command made a batch."""
    make_folder(folder / FOLDER)
    told = CommandRecord(words=words, folder=str(Path.cwd()))
    write_atomically(folder / FOLDER / f"{_COMMAND}{command}.json", msgspec.json.encode(told))


def kept_commands(folder: Path) -> list[CommandRecord]:
    """The commands that made a batch's results."""
    files = sorted((folder / FOLDER).glob(f"{_COMMAND}*.json"))
    if not files:
        raise BadFile(f"{folder}: no batch was made in this folder: there is no {FOLDER}/ with the command in it")
    return [_decoded(file, CommandRecord) for file in files]


def _decoded(file: Path, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(read_text(file, _LARGEST), type=kind)
    except _UNREADABLE as problem:
        raise BadFile(f"{file}: this is no record of a batch: {str(problem)[:_WORDS]}; remove it") from problem


def _file(folder: Path, command: str, name: str) -> Path:
    return folder / FOLDER / f"{command}-{name}.json"


def _written(path: Path) -> list[Path]:
    if path.is_dir():
        return [file for file in path.rglob("*") if file.is_file()]
    try:
        files = format_of(path).files(path) if path.exists() else ()
    except UnknownFormat:
        files = (path,)
    return [file for file in files if file.is_file()]


def _relative(file: Path, folder: Path) -> str:
    """A path as seen from a folder, or whole where it is elsewhere."""
    file, folder = file.absolute(), folder.absolute()
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else str(file)


def _in_json(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)
