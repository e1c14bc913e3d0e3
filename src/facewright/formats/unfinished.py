"""The file beside a target into which a save writes until it is whole; what a killed one left is used again."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

_LONGEST = 80  # characters of the target's name


def open_unfinished(target: Path) -> tuple[int, str]:
    """An empty file, open for writing, and its path.

    Its name is always the same, so that a killed save leaves one file at most, and the next takes it. Where another
    process is writing into it, where it is not ours, or where files cannot be locked, it has a name of its own.
    """
    start = f".{target.name[:_LONGEST]}."
    path = target.with_name(f"{start}unfinished")
    handle = _claimed(path)
    return (handle, str(path)) if handle >= 0 else tempfile.mkstemp(prefix=start, dir=target.parent)


def _claimed(path: Path) -> int:
    """The file, locked as long as it is open; -1 where that cannot be, as on Windows."""
    if sys.platform == "win32":
        return -1
    import fcntl

    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:  # making one with another name says why, if it fails, too
        return -1
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        found = os.fstat(handle)
        ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and found.st_nlink == 1
        if ours and os.path.samestat(found, os.lstat(path)):  # not renamed by its writer meanwhile
            os.ftruncate(handle, 0)
            return handle
    except OSError:
        pass
    os.close(handle)
    return -1
