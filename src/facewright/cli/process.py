"""The process of a command: standard streams that the shell closed, a reader that ended, and signals to end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType

_AGAIN = 0.005  # seconds after which a signal is tried again
# They take locks and make files in Python, where an error may be raised between the taking and what would give it back.
_FRAGILE = {
    "threading", "concurrent", "queue", "tempfile", "subprocess", "multiprocessing", "logging", "importlib", "rich",
    "numba", "llvmlite", "facewright.formats.files",
}  # fmt: skip
_BROKEN_PIPE = 1  # the exit code where a reader ended, as the command line library has it


def prepare_streams() -> None:
    """Give a closed standard stream a place where all is discarded, and write letters that a terminal lacks as codes.

    Otherwise a closed stream is None in Python, and the next file to be opened gets its number.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            stream = open(os.devnull, mode, encoding="utf8")  # noqa: SIM115  (it stays open to the end)
            if stream.fileno() != number:
                os.dup2(stream.fileno(), number)
            setattr(sys, name, stream)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as that of errors is


def flush_output() -> None:
    """Write what is still buffered. A reader that ended is no error; a disk that is full is one."""
    try:
        sys.stdout.flush()
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter tries again at its end
        if isinstance(problem, BrokenPipeError):
            raise SystemExit(_BROKEN_PIPE) from None
        problem.filename = "the output"
        raise


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Turn signals that end a program into SystemExit, so that temporary files are removed on the way out.

    It is raised where no lock and no temporary file is being taken, a moment later if need be. At the end the signal
    has its usual effect, by which the caller of the program knows of it.
    """
    received: list[int] = []
    caller = sys._getframe(2)  # that has the `with`

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # a second one must not interrupt the removal of temporary files
        received.append(number)
        leave(number, frame)

    def leave(_: int, frame: FrameType | None) -> None:
        if hasattr(signal, "setitimer") and is_fragile(frame, caller):
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
            return
        raise SystemExit(128 + received[-1])

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores it
            signal.signal(number, end)
    alarmed = signal.signal(signal.SIGALRM, leave) if hasattr(signal, "SIGALRM") else None
    try:
        yield
    finally:
        if alarmed is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarmed)
        for number in received:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)


def is_fragile(frame: FrameType | None, caller: FrameType | None = None) -> bool:
    """Whether an error that is raised in a frame could leave a lock that nobody releases, or a file that nobody knows.

    The frames that called it are looked at as well, up to a caller.
    """
    while frame is not None and frame is not caller:
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] in _FRAGILE or module in _FRAGILE:
            return True
        if module == "contextlib" and frame.f_code.co_name in ("__enter__", "__exit__"):
            return True
        frame = frame.f_back
    return False
