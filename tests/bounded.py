"""A call in a process of its own, with a limit on its memory and its time."""

import multiprocessing
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from facewright.errors import FacewrightError

MEMORY = 1 << 30  # bytes beyond what a process with the library takes
SECONDS = 60.0  # no call takes more than a few; a busy machine is allowed more
_TAKEN = Path("/proc/self/statm")  # pages of memory that the process has
_PRELOADED = [
    "numpy",
    "scipy.sparse",
    "facewright.formats.registry",
    "facewright.workflow.open",
    "facewright.capture.solver",
]


class Outcome(NamedTuple):
    """How a call ended: it returned, was refused by an error of ours, failed in another way, or was ended."""

    kind: str  # "returned", "refused", "failed" or "ended"
    text: str  # of the result, or of the error


def bounded(function: Callable[..., object], *args: Any, memory: int = MEMORY, seconds: float = SECONDS) -> Outcome:
    """Call a function of a module with arguments that can be pickled."""
    if not _TAKEN.is_file():
        pytest.skip("the memory of a process is counted and limited on Linux only")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, memory, function, args), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            return Outcome("ended", f"no answer after {seconds:g} s")
        return Outcome(*ours.recv())
    except EOFError:
        return Outcome("ended", "the process died")
    finally:
        process.kill()
        process.join()
        ours.close()


def limit_memory(more: int) -> None:
    """Let this process take so many bytes beyond what it has. On Linux only."""
    import resource

    used = int(_TAKEN.read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + more, resource.getrlimit(resource.RLIMIT_AS)[1]))


def called(function: Callable[..., object], *args: Any) -> Outcome:
    """Call a function here; an error of ours that memory ran out is a failure."""
    try:
        return Outcome("returned", repr(function(*args))[:1000])
    except FacewrightError as problem:
        if isinstance(problem.__cause__, MemoryError):
            return Outcome("failed", f"out of memory: {problem}")
        return Outcome("refused", str(problem)[:5000])
    except Exception:
        return Outcome("failed", traceback.format_exc())


def _run(answer: Connection, memory: int, function: Callable[..., object], args: tuple[Any, ...]) -> None:
    limit_memory(memory)
    answer.send(tuple(called(function, *args)))
