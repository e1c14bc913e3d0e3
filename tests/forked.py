"""Commands in processes that are forked from one which has imported them already, so that no test waits for imports.

A forked process is as one that was started plainly: an id, streams, a folder and an end of its own. Only what a
program reads while it is imported is that of the process it was forked from, so the environment has to be the same.
"""

import atexit
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

PATIENCE = 60.0  # seconds
FORKS = "FACEWRIGHT_FORKS"  # variable that is set where processes shall be forked outside of tests, too
_TEST = "PYTEST_CURRENT_TEST"  # the only variable that may differ, and is set during tests only
_LONGEST = 1 << 16  # bytes of a request
_IMPORTED = (
    "facewright.cli.main",
    "facewright.cli.commands.studio",
    "facewright.studio.app",
    "facewright.studio.connections",
    "starlette.applications",
    "starlette.staticfiles",
    "uvicorn",
    "uvicorn.lifespan.off",
    "uvicorn.loops.auto",
)


class ForkedProcess:
    """As a `subprocess.Popen` whose output is read as text."""

    def __init__(self, arguments: Sequence[str], ended: Connection, stdout: IO[str], stderr: IO[str]) -> None:
        self.args, self.stdout, self.stderr = arguments, stdout, stderr
        self.returncode: int | None = None
        self._ended, self._lock = ended, threading.Lock()
        assert ended.poll(PATIENCE), "no process is forked"
        self.pid: int = ended.recv()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for stream in (self.stdout, self.stderr):
            stream.close()
        self.wait(PATIENCE)

    def poll(self) -> int | None:
        return self._code(0.0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._code(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(list(self.args), timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has just ended, and its code is on the way
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _code(self, seconds: float | None) -> int | None:
        with self._lock:
            if self.returncode is None and self._ended.poll(seconds):
                self.returncode = self._ended.recv()
                self._ended.close()
            return self.returncode


class _Forking:
    """The process that is forked from. It ends with this one."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            env=environment,
            pass_fds=[theirs.fileno()],
            stdout=subprocess.PIPE,  # as that of a forked process will be, by which Python chooses how to write to it
        )
        theirs.close()
        atexit.register(self._close)

    def start(self, arguments: Sequence[str]) -> ForkedProcess:
        ended, end = Pipe(duplex=False)
        (stdout, out), (stderr, err) = os.pipe(), os.pipe()
        request = "\0".join([os.getcwd(), *arguments]).encode()
        socket.send_fds(self._requests, [request], [out, err, end.fileno()])
        end.close()
        for theirs in (out, err):
            os.close(theirs)
        return ForkedProcess(arguments, ended, open(stdout), open(stderr))

    def _close(self) -> None:
        self._requests.close()
        self._process.communicate(timeout=PATIENCE)


_forking: _Forking | None = None


def forked(arguments: Sequence[str], environment: dict[str, str]) -> ForkedProcess | None:
    """Run `facewright` with these arguments; None where a plain process has to be started instead.

    That is so outside of tests, where times are measured, and where libraries of the system do not allow it.
    """
    global _forking
    if sys.platform != "linux" or not environment.keys() & {_TEST, FORKS}:
        return None
    wanted = {name: value for name, value in environment.items() if name != _TEST}
    if _forking is None:
        _forking = _Forking(wanted)
    return _forking.start(arguments) if _forking.environment == wanted else None


# In the process that is forked from


def _serve(requests: socket.socket) -> None:
    """Fork a process for each request. Returns in each of these; this one exits when there are no more requests."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, and for what they start
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    running: dict[int, Connection] = {}
    while True:
        ready = wait([requests.fileno(), woken])
        if woken in ready:
            os.read(woken, _LONGEST)
            _report(running)
        if requests.fileno() not in ready:
            continue
        request, streams, _, _ = socket.recv_fds(requests, _LONGEST, 3, socket.MSG_CMSG_CLOEXEC)
        if not request:
            requests.close()
            sys.exit()
        *outputs, end = streams
        status = Connection(end, readable=False)
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            requests.close()
            for told in (status, *running.values()):
                told.close()
            for wakeup in (woken, wake):
                os.close(wakeup)
            _become(request.decode().split("\0"), outputs)
            return
        running[pid] = status
        status.send(pid)
        for stream in outputs:
            os.close(stream)


def _report(running: dict[int, Connection]) -> None:
    """Say with which code each process ended that has."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with running.pop(pid) as told, suppress(BrokenPipeError):  # the test does not want to know
            told.send(os.waitstatus_to_exitcode(status))


def _become(request: list[str], outputs: list[int]) -> None:
    folder, *arguments = request
    for number, stream in enumerate(outputs, 1):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    main: Any = sys.modules["facewright.cli.main"]
    sys.path[0] = folder  # as `python -m` has it
    sys.argv[:] = [str(main.__file__), *arguments]
    sys.modules["__main__"] = main  # which processes that this one starts import


def _prepare() -> None:
    sys.path.remove(str(Path(__file__).parent))
    sys.path.insert(0, os.getcwd())
    for name in _IMPORTED:
        import_module(name)
    assert threading.active_count() == 1
    gc.freeze()  # so that the memory stays shared


if __name__ == "__main__":
    _prepare()
    _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.modules["facewright.cli.main"].main()
