"""Files below folders that the user named, and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from facewright.errors import BadFile, BadValue
from facewright.studio.answers import OpenableFile
from facewright.workflow.file_kind import FileKind, openable_suffixes

OPENED = (FileKind.RIG, FileKind.CLIP, FileKind.TAKE, FileKind.BINDING, FileKind.PRIOR, FileKind.SCAN)
_LISTED = 2000
_DEEPEST = 6


class FileChanged(BadFile):
    """A file to be written over is not the one that was last read or written here."""

    def __init__(self, name: str, *, known: bool) -> None:
        since = "has been changed by another program since it was opened or saved here"
        super().__init__(f"{name} {since if known else 'exists already, and was not written from here'}.")


@dataclass(frozen=True)
class Folders:
    """Named folders. A path is written NAME/below/it.glb, whatever the system."""

    roots: Mapping[str, Path]  # resolved

    @classmethod
    def of(cls, named: Sequence[Path]) -> Folders:
        roots: dict[str, Path] = {}
        for folder in named:
            if not folder.is_dir():
                raise BadFile(f"{folder}: there is no such folder")
            name = as_text(resolved(folder).name) or "root"
            numbered = (f"{name} {number}" for number in range(2, 1000))
            roots[next(free for free in (name, *numbered) if free not in roots)] = resolved(folder)
        return cls(roots)

    def existing(self, path: str) -> Path:
        """The file that a path means."""
        found = self._below(path)
        if not found.is_file():
            raise BadFile(f"{path}: there is no such file")
        return found

    def new(self, path: str, suffix: str) -> Path:
        """Where a file of that suffix may be written."""
        found = self._below(path)
        if found.suffix.lower() != suffix:
            raise BadValue(f"{path}: the name must end in {suffix}")
        if not found.parent.is_dir() or found.is_dir():
            raise BadFile(f"{path}: there is no such folder")
        return found

    def written(self, file: Path) -> str:
        """How a file below one of the folders is written; "" where it is below none."""
        for name, root in self.roots.items():
            if resolved(file).is_relative_to(root):
                return f"{name}/{resolved(file).relative_to(root).as_posix()}"
        return ""

    def listed(self) -> list[OpenableFile]:
        """Files of the formats we read, sorted by path."""
        found = [
            (f"{name}/{path.relative_to(root).as_posix()}", path)
            for name, root in self.roots.items()
            for path in _rigs(root)
        ]
        return [file for text, path in sorted(found) for file in _described(text, path)]

    def described(self, paths: Iterable[str]) -> list[OpenableFile]:
        """Those of some paths that are still files below the folders, in their order."""
        found: list[OpenableFile] = []
        for path in paths:
            with suppress(BadFile):
                found += _described(path, self.existing(path))
        return found

    def _below(self, path: str) -> Path:
        name, *rest = PurePosixPath(path).parts or ("",)
        root = self.roots.get(name)
        tricky = (
            "\\" in path or "\0" in path or ":" in path or ".." in rest or any(part.startswith(".") for part in rest)
        )
        if root is None or tricky or not rest:
            known = ", ".join(self.roots) or "none; name some with --folder"
            raise BadFile(f"{path[:200]!r} is not below a named folder; there are {known}")
        found = resolved(root.joinpath(*rest))
        if not found.is_relative_to(root):
            raise BadFile(f"{path[:200]!r} leads out of its folder")
        return found


def as_text(name: str) -> str:
    """A file's name, with question marks for what is not UTF-8 in it: no message could carry that."""
    return name.encode("utf-8", "replace").decode()


def readable_suffixes() -> list[str]:
    """Suffixes of single files that can be opened."""
    return openable_suffixes(*OPENED)


def resolved(path: Path) -> Path:
    """Where a path leads. Of links in a circle one is the result; `Path.resolve` raises RuntimeError for them."""
    return Path(os.path.realpath(path))


def _described(text: str, path: Path) -> Iterator[OpenableFile]:
    with suppress(OSError):  # it was deleted meanwhile
        status = path.stat()
        yield OpenableFile(text, status.st_size, status.st_mtime)


def _rigs(root: Path) -> Iterator[Path]:
    wanted, count = set(readable_suffixes()), 0
    for folder, below, files in os.walk(root):
        depth = len(Path(folder).relative_to(root).parts)
        listed = [each for each in below if not each.startswith(".") and as_text(each) == each]
        below[:] = [] if depth >= _DEEPEST else sorted(listed)
        for file in sorted(each for each in files if as_text(each) == each):
            path = Path(folder) / file
            if path.suffix.lower() in wanted and not file.startswith(".") and not path.is_symlink() and path.is_file():
                yield path
                count += 1
                if count >= _LISTED:
                    return
