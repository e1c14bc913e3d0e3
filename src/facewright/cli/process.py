"""The process of a command: standard streams that the shell closed, a reader that ended, and signals to end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType

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

    At the end the signal has its usual effect, by which the caller of the program knows of it.
    """
    received: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # a second one must not interrupt the removal of temporary files
        received.append(number)
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores it
            signal.signal(number, end)
    try:
        yield
    finally:
        for number in received:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
