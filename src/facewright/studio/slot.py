"""A place of its own in the user's state folder for each running studio: autosave, token, port."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import IO

from facewright.errors import BadFile

VARIABLE = "FACEWRIGHT_STATE"  # names another state folder
_MOST = 100


class Slot:
    """A folder that no other running studio uses. The first free one is taken, so a restarted studio finds its own."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        for number in range(_MOST):
            folder = root / f"studio-{number}"
            folder.mkdir(exist_ok=True, mode=0o700)
            lock = _locked(folder / "lock")
            if lock is not None:
                self.folder, self._lock = folder, lock
                return
        raise BadFile(f"{root}: {_MOST} studios are running already")

    @property
    def recovered(self) -> Path:
        """Where work goes that was never saved when something else was opened; shared by all studios."""
        return self.folder.parent / "recovered"

    def token(self) -> str:
        """The secret in the address; the same after a restart, so that an open page can come back."""
        path = self.folder / "token"
        known = path.read_text("ascii").strip() if path.is_file() else ""
        if len(known) < 40:
            known = secrets.token_urlsafe(32)
            _write_private(path, known)
        return known

    def port(self) -> int:
        """The port used last, 0 where there is none."""
        path = self.folder / "port"
        text = path.read_text("ascii").strip() if path.is_file() else ""
        return int(text) if text.isdigit() and 1024 <= int(text) < 65536 else 0

    def keep_port(self, port: int) -> None:
        _write_private(self.folder / "port", str(port))

    def close(self) -> None:
        self._lock.close()


def state_folder(named: Path | None = None) -> Path:
    """Where state is kept: as named, by FACEWRIGHT_STATE, or where the system keeps such things."""
    if named is not None:
        return named
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE])
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "facewright"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "facewright"
    return Path(os.environ.get("XDG_STATE_HOME") or home / ".local" / "state") / "facewright"


def _write_private(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)


def _locked(path: Path) -> IO[str] | None:
    """The file, locked until it is closed or the process ends; None where another process has it."""
    file = path.open("a")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
