"""A lock between the processes that run tests side by side."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Wait until no other process has the lock of this name, and keep it meanwhile."""
    with (Path(tempfile.gettempdir()) / f"facewright-{name}.lock").open("a") as file:
        if sys.platform == "win32":
            import msvcrt

            taken = False
            while not taken:  # a call waits for ten seconds
                with suppress(OSError):
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    taken = True
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
