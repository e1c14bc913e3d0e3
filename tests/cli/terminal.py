"""A command at a real terminal: what it shows there, and Ctrl-C."""

import os
import re
import select
import subprocess
import time
from types import TracebackType
from typing import Self

from tests.cli.command import PATIENCE, command

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """Runs a command until it ends, or until the end of a `with`."""

    def __init__(self, *arguments: object) -> None:
        import pty  # not on Windows

        self._ours, theirs = pty.openpty()
        wide = os.environ | {"COLUMNS": "200", "TERM": "xterm"}
        self._process = subprocess.Popen(
            command(*arguments), stdin=theirs, stdout=theirs, stderr=theirs, env=wide, preexec_fn=_at_the_terminal
        )
        os.close(theirs)
        self._data = b""

    @property
    def told(self) -> str:
        """All that was shown so far, without colours and without movements of the cursor."""
        return _ESCAPES.sub("", self._data.decode("utf8", "replace"))

    def until(self, pattern: str) -> None:
        """Wait until something is shown that matches."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.told):
            assert self._read(end), f"{pattern} is never shown: {self.told}"

    def press_ctrl_c(self) -> None:
        os.write(self._ours, b"\x03")

    def ends(self) -> int:
        """Wait until the command ends; its exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(end):
            pass
        return self._process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        os.close(self._ours)

    def _read(self, end: float) -> bool:
        """Wait for more; whether more came before the end of the program."""
        ready, _, _ = select.select([self._ours], [], [], max(end - time.monotonic(), 0))
        assert ready, f"nothing more is shown: {self.told}"
        try:
            more = os.read(self._ours, 1 << 16)
        except OSError:  # what Linux says when all others have closed the terminal
            more = b""
        self._data += more
        return bool(more)


def _at_the_terminal() -> None:
    """In the new process: a session of its own, controlled by the terminal that is its input."""
    os.login_tty(0)
