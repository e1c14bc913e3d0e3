"""A disk that has, after the power went, only what was flushed, and of the rest whatever it had got round to."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Tail = Callable[[bytes], bytes]
PAGE = 512  # bytes that a disk writes at once

TAILS: dict[str, Tail] = {  # of what was written beyond the last flush, what the disk has
    "dropped": lambda tail: b"",
    "zeros": lambda tail: bytes(len(tail)),
    "half": lambda tail: tail[: len(tail) // 2],
    "half, then zeros": lambda tail: tail[: len(tail) // 2].ljust(len(tail), b"\0"),
    "every other page": lambda tail: b"".join(
        tail[at : at + PAGE] if at // PAGE % 2 else bytes(len(tail[at : at + PAGE])) for at in range(0, len(tail), PAGE)
    ),
    "all": lambda tail: tail,
}


class PowerCut:
    """Remembers what was flushed below a folder: contents of files, and names of folders."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        if sys.platform != "linux":
            pytest.skip("which file a handle is of is asked of Linux")
        self._contents: dict[int, bytes] = {}  # by inode
        self._names: dict[str, dict[str, int]] = {}  # of folders
        self._folder, self._fsync, self._mkstemp = folder, os.fsync, tempfile.mkstemp
        for path in (folder, *folder.rglob("*")):  # what was there before
            if path.is_dir():
                self._names[str(path)] = _listed(path)
            elif path.is_file():
                self._contents[path.stat().st_ino] = path.read_bytes()
        self.moment: Callable[[], object] = lambda: None  # called before and after whatever changes the disk
        monkeypatch.setattr(os, "fsync", self._flush)
        monkeypatch.setattr(tempfile, "mkstemp", self._make)
        monkeypatch.setattr(os, "ftruncate", self._cut(os.ftruncate))
        for name in ("replace", "rename", "unlink", "mkdir"):
            monkeypatch.setattr(os, name, self._watched(getattr(os, name)))

    def _watched(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **options: Any) -> Any:
            self.moment()
            done = run(*arguments, **options)
            self.moment()
            return done

        return watched

    def _flush(self, handle: int) -> None:
        self.moment()
        self._fsync(handle)
        path = os.readlink(f"/proc/self/fd/{handle}")
        if os.path.isdir(path):
            self._names[path] = _listed(Path(path))
        else:
            self._contents[os.fstat(handle).st_ino] = Path(path).read_bytes()
        self.moment()

    def _make(self, *arguments: Any, **options: Any) -> tuple[int, str]:
        handle, name = self._mkstemp(*arguments, **options)
        self._contents.pop(os.fstat(handle).st_ino, None)
        return handle, name

    def _cut(self, cut: Callable[[int, int], None]) -> Callable[[int, int], None]:
        def run(handle: int, length: int) -> None:
            cut(handle, length)
            if not length:  # it may be a new file that has the inode of one that is gone
                self._contents.pop(os.fstat(handle).st_ino, None)

        return run

    def left(self, target: Path, tail: Tail, *, renamed: bool = False) -> None:
        """Write into a folder what is left. renamed: the disk has the names as they are, flushed or not."""
        for path, flushed in self._names.items():
            source = Path(path)
            below = target / source.relative_to(self._folder)
            below.mkdir(parents=True, exist_ok=True)
            for name, inode in (_listed(source) if renamed else flushed).items():
                (below / name).write_bytes(self._content(source / name, inode, tail))

    def _content(self, path: Path, inode: int, tail: Tail) -> bytes:
        flushed = self._contents.get(inode, b"")
        now = path.read_bytes() if path.exists() and path.stat().st_ino == inode else flushed
        return flushed + tail(now[len(flushed) :])

    def outcomes(self, folder: Path) -> Iterator[Path]:
        """Folders with everything that may be left if the power goes now."""
        for number, tail in enumerate(TAILS.values()):
            for renamed in (False, True):
                target = folder / f"{number}{renamed}"
                self.left(target, tail, renamed=renamed)
                yield target


def _listed(folder: Path) -> dict[str, int]:
    if not folder.is_dir():
        return {}
    return {entry.name: entry.inode() for entry in os.scandir(folder) if entry.is_file()}
