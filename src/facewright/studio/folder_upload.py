"""The files of a folder in one upload: a line of JSON with their names and sizes, then their bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.arrays_zip import check_member_name
from facewright.formats.files import open_ordinary

_LONGEST_LIST = 8 << 20  # bytes of the first line


@dataclass(frozen=True)
class FolderKind:
    """What a folder may hold."""

    words: str
    suffixes: tuple[str, ...]
    folders: tuple[str, ...] = ()  # that it may have inside it


RIG_FILES = FolderKind("a folder of shapes", (".obj", ".json"), ("shapes",))
SCAN_FILES = FolderKind("a depth or scan sequence", (".png", ".ply", ".obj", ".json"))


class SentFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file of the upload."""

    name: str  # with a folder before it, where it is in one: shapes/smile.obj
    size: int


def unpack_folder(upload: Path, folder: Path, kind: FolderKind = RIG_FILES) -> None:
    """Write the files of an upload into a folder, which is made. Nothing is written outside it."""
    with open_ordinary(upload) as body:
        files = _listed(body, kind)
        left = upload.stat().st_size - body.tell()
        if sum(file.size for file in files) != left:
            raise BadFile(f"the upload has {left} bytes of files, but its list says {sum(one.size for one in files)}")
        folder.mkdir()
        for file in files:
            target = folder.joinpath(*file.name.split("/"))
            target.parent.mkdir(exist_ok=True)
            with target.open("xb") as written:
                _copy(body, written, file.size)


def _listed(body: BinaryIO, kind: FolderKind) -> list[SentFile]:
    line = body.readline(_LONGEST_LIST)
    try:
        files = msgspec.json.decode(line, type=list[SentFile])
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadFile(f"the upload does not begin with a list of its files: {problem}") from problem
    if not 0 < len(files) <= limits.SHAPES:
        raise BadFile(f"the upload has {len(files)} files; it may have 1 to {limits.SHAPES}")
    seen: set[str] = set()
    for file in files:
        _check(file, seen, kind)
        seen.add(file.name.lower())
    return files


def _check(file: SentFile, seen: set[str], kind: FolderKind) -> None:
    check_member_name(file.name)
    *folders, name = file.name.split("/")
    if len(folders) > 1 or any(each not in kind.folders for each in folders) or name.startswith("."):
        inside = "".join(f", or in a folder {each} inside it" for each in kind.folders)
        raise BadFile(f"{file.name}: {kind.words} has its files in it{inside}")
    if Path(name).suffix.lower() not in kind.suffixes:
        raise BadFile(f"{file.name}: {kind.words} has files ending in {', '.join(kind.suffixes)}")
    if file.name.lower() in seen:
        raise BadFile(f"{file.name}: the folder has two files of this name")
    if not 0 <= file.size <= limits.TEXT:
        raise BadFile(f"{file.name}: the file has {file.size >> 20} MB; at most {limits.TEXT >> 20} MB are read")


def _copy(body: BinaryIO, target: BinaryIO, size: int) -> None:
    while size > 0:
        piece = body.read(min(size, 1 << 20))
        if not piece:
            raise BadFile("the upload was cut off")
        target.write(piece)
        size -= len(piece)
