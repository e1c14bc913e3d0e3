"""A folder of its own in the user's state folder for each running studio: journals, preferences, token, port."""

from __future__ import annotations

import os
import secrets
import shutil
import string
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec

from facewright.errors import BadFile, FacewrightError
from facewright.formats.files import read_up_to, write_atomically
from facewright.session.preferences import Preferences

VARIABLE = "FACEWRIGHT_STATE"  # names another state folder
_MOST = 100
_TOKEN = set(string.ascii_letters + string.digits + "-_")
_PREFERENCES = "preferences.json"


class StateDirectory:
    """A folder that no other running studio uses. The first free one is used, so a restarted studio finds its own."""

    def __init__(self, root: Path) -> None:
        self._written: dict[str, str] = {}  # small files, to be written again should the folder be deleted
        problem: OSError | None = None
        for number in range(_MOST):
            folder = root / f"studio-{number}"
            try:
                root.mkdir(parents=True, exist_ok=True, mode=0o700)
                folder.mkdir(exist_ok=True, mode=0o700)
                lock = _locked(folder / "lock")
            except OSError as found:  # something else has its name
                problem = found
                continue
            if lock is not None:
                self.folder, self._lock = folder, lock
                shutil.rmtree(self.scratch, ignore_errors=True)
                return
        if problem is not None:
            raise BadFile(f"{root} cannot be used: {problem.strerror or problem}; name another folder with --state")
        raise BadFile(f"{root}: {_MOST} studios are running already")

    def check(self) -> bool:
        """Whether the folder is still there. One that was deleted is made again, with the lock, token and port."""
        lock = self.folder / "lock"
        try:
            if os.path.samestat(lock.stat(), os.fstat(self._lock.fileno())):
                return True
        except OSError:
            pass
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            made = _locked(lock)
            if made is not None:
                self._lock.close()
                self._lock = made
                for name, text in self._written.items():
                    self._write(name, text)
        return False

    @property
    def recovered(self) -> Path:
        """Where unsaved work is set aside when something else is opened; shared by all studios."""
        return self.folder.parent / "recovered"

    @property
    def poses(self) -> Path:
        """The library of poses, which all studios share."""
        return self.folder.parent / "poses"

    @property
    def scratch(self) -> Path:
        """For files that nobody needs after a crash: the next start removes them."""
        return self.folder / "scratch"

    def token(self) -> str:
        """The secret in the address; the same after a restart, so that an open page can come back."""
        known = self._read("token")
        if len(known) < 40 or not set(known) <= _TOKEN:
            known = secrets.token_urlsafe(32)
            self._write("token", known)
        self._written["token"] = known
        return known

    def port(self) -> int:
        """The port used last, 0 where there is none."""
        text = self._read("port")
        return int(text) if text.isdecimal() and 1024 <= int(text) < 65536 else 0

    def keep_port(self, port: int) -> None:
        self._write("port", str(port))

    def preferences(self) -> Preferences:
        """What was preferred the last time; the defaults where that cannot be read."""
        try:
            return msgspec.json.decode(read_up_to(self.folder / _PREFERENCES, 1 << 20), type=Preferences)
        except (OSError, msgspec.MsgspecError, FacewrightError, UnicodeDecodeError, RecursionError):
            return Preferences()

    def keep_preferences(self, preferences: Preferences) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # it may have been deleted
        write_atomically(self.folder / _PREFERENCES, msgspec.json.encode(preferences))

    def close(self) -> None:
        self._lock.close()

    def _read(self, name: str) -> str:
        """A small file of ours, "" where there is none that can be read."""
        try:
            return read_up_to(self.folder / name, 1000).decode("ascii").strip()
        except (OSError, UnicodeDecodeError, FacewrightError):
            return ""

    def _write(self, name: str, text: str) -> None:
        """Write a small file that only the user can read; a full disk does not stop the studio."""
        self._written[name] = text
        with suppress(OSError):
            path = self.folder / name
            path.unlink(missing_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(text)


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


def _locked(path: Path) -> IO[str] | None:
    """The file, locked until it is closed or the process ends; None where another process has it."""
    not_waiting = getattr(os, "O_NONBLOCK", 0)  # a pipe would wait for a reader
    file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | not_waiting, 0o600), "a")
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
