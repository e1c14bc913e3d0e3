"""What a glTF file may find where its buffer should be: files, links, devices, pipes and folders."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

NAME = "data.bin"


def _link(path: Path, to: str) -> None:
    os.symlink(to, path)


def _holes(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    os.truncate(path, 1 << 36)


def _unreadable(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    path.chmod(0)


def _circle(path: Path) -> None:
    _link(path, "other.bin")
    _link(path.parent / "other.bin", NAME)


def _chain(path: Path) -> None:
    for i in range(60):
        _link(path.parent / f"link{i}", f"link{i + 1}")
    _link(path, "link0")


KINDS: dict[str, Callable[[Path, bytes], object]] = {
    "the file": lambda path, data: path.write_bytes(data),
    "half of it": lambda path, data: path.write_bytes(data[: len(data) // 2]),
    "nothing": lambda path, data: None,
    "an empty file": lambda path, data: path.write_bytes(b""),
    "a large file of holes": _holes,
    "a folder": lambda path, data: path.mkdir(),
    "a pipe": lambda path, data: os.mkfifo(path),
    "a link to a device": lambda path, data: _link(path, "/dev/zero"),
    "a link to a file without a size": lambda path, data: _link(path, "/proc/self/status"),
    "a link to itself": lambda path, data: _link(path, NAME),
    "links in a circle": lambda path, data: _circle(path),
    "a long chain of links": lambda path, data: _chain(path),
    "a link out of the folder": lambda path, data: _link(path, "../../outside"),
    "a file that may not be read": _unreadable,
}


def place(folder: Path, data: bytes, rng: Random) -> str:
    """Put something at the buffer's name, and nothing else into the folder; returns what it is."""
    for old in folder.iterdir():
        old.rmdir() if old.is_dir() and not old.is_symlink() else old.unlink()
    kind = rng.choice(list(KINDS))
    KINDS[kind](folder / NAME, data)
    return kind
