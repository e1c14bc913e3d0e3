"""Processes of a small cluster on this machine: a scheduler, workers, and others in their place when they end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from facewright.errors import BadValue, MissingExtra
from facewright.options import suggests_options

_PATIENCE = 10.0  # seconds that a process may take to end when asked to
_SOON = 5.0  # seconds; a process that ended sooner counts as one that cannot start
_TRIES = 5  # such ends in a row, after which there is no point in another
_PLAIN = ("--no-dashboard",)
_SET = {
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "warning",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",  # its history takes 0.4 MB a take, for an hour
    "OPENBLAS_NUM_THREADS": "1",
}


@dataclass
class Supervised:
    """A process, and how to start it again."""

    words: list[str]  # the command
    log: Path
    process: subprocess.Popen[bytes] = field(init=False)
    since: float = field(init=False)
    hopeless: int = 0  # ends in a row just after the start

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603  (words of our own)
                self.words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | _SET,
                start_new_session=os.name == "posix",  # Ctrl-C is for us, who end it
            )
        self.since = monotonic()

    def started_again(self) -> bool:
        """Start another process if this one has ended; whether it had."""
        if self.process.poll() is None:
            return False
        self.hopeless = self.hopeless + 1 if monotonic() - self.since < _SOON else 0
        if self.hopeless >= _TRIES:
            last = self.log.read_text("utf8", "replace").strip().splitlines()[-1:]
            raise BadValue(f"{' '.join(self.words[3:])} ends as soon as it is started: {' '.join(last)}")
        self.start()
        return True

    def end(self) -> None:
        with suppress(OSError):
            self.process.terminate()
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Cluster:
    """A scheduler, workers, or both, until the end of a `with`."""

    def __init__(self, folder: Path | None = None) -> None:
        """folder: where workers keep files meanwhile; default a temporary one."""
        if find_spec("distributed") is None:
            raise MissingExtra("a cluster", "distributed", "farm")
        self._temporary = tempfile.TemporaryDirectory(prefix="facewright-farm-", ignore_cleanup_errors=True)
        self.folder = Path(self._temporary.name) if folder is None else folder
        self.processes: list[Supervised] = []

    @suggests_options
    def add_scheduler(self, *, host: str, port: int, tls: bool = False) -> str:
        """Start a scheduler; its address. It is found there again when it is started again. tls: as dask is set up."""
        protocol = "tls" if tls else "tcp"
        self._begin("scheduler", "--host", host, "--port", str(port), "--protocol", protocol, *_PLAIN, "--no-show")
        return f"{protocol}://{host}:{port}"

    def add_workers(self, address: str, count: int) -> None:
        """Start workers of one thread each for the scheduler at an address."""
        for _ in range(count):
            shape = ("--nworkers", "1", "--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder))
            self._begin("worker", address, *shape, *_PLAIN)

    def watch(self, told: Callable[[str], object] = lambda words: None) -> None:
        """Start again what has ended, and tell of it."""
        for each in self.processes:
            if each.started_again():
                told(f"{each.log.stem} ended, and was started again")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for each in reversed(self.processes):  # the scheduler last
            each.end()
        self._temporary.cleanup()

    def _begin(self, kind: str, *words: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words]
        self.processes.append(Supervised(command, self.folder / f"{kind}-{len(self.processes)}.log"))
