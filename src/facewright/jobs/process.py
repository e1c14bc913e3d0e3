"""A process that does one piece of work after another, seen from both ends of its pipe."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any, Final

from facewright.jobs.interrupts import not_inherited
from facewright.jobs.messages import Failed, Finished, Progress, failure, portable
from facewright.jobs.task import StopRequest, Task
from facewright.options import suggests_options
from facewright.solve.blas import use_one_thread

_WORK: Final = b"work"  # followed by the pickled work, its arguments and its memory limit
_STOP: Final = b"stop"
_PATIENCE = 5.0  # seconds that a process whose pipe is closed may take to end
_MEGA = 1 << 20


class WorkerProcess:
    """`run` and `close` are for one thread, `kill` is for any. A process that died is replaced by the next `run`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # of the process and of whether it was killed
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._killed = False

    @suggests_options
    def run(
        self,
        work: Callable[..., Any],
        args: tuple[Any, ...],
        tell: Callable[[Progress], None],
        stop: StopRequest,
        *,
        memory_limit: int | None = None,
        time_limit: float | None = None,
    ) -> Finished[Any] | Failed:
        """Run `work(task, *args)` in the process. Once killed, the result means nothing."""
        try:
            payload = pickle.dumps((work, args, memory_limit), pickle.HIGHEST_PROTOCOL)
        except Exception as problem:
            return failure(problem)
        end = None if time_limit is None else monotonic() + time_limit
        try:
            pipe = self._started()
            pipe.send_bytes(_WORK)
            pipe.send_bytes(payload)
            del payload
            with stop.forwarded(lambda: _send_stop(pipe)):
                while isinstance(heard := self._next(pipe, end), Progress):
                    tell(heard)
        except (EOFError, OSError):
            return self._death(memory_limit)
        except Exception as problem:  # the result cannot be restored here
            return failure(problem)
        if heard is None:
            self._end(now=True)
            return Failed(f"this took longer than {time_limit:g} seconds and was ended")
        return heard

    def kill(self) -> None:
        """End the process now, and start no other."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the process; it does so by itself when its pipe closes."""
        self._end()

    def _started(self) -> Connection:
        with self._lock:
            if self._killed:
                raise EOFError
            if self._pipe is None:
                self._process, self._pipe = _spawn()
            return self._pipe

    def _next(self, pipe: Connection, end: float | None) -> Progress | Finished[Any] | Failed | None:
        """The next message; None when the time is over."""
        if not pipe.poll(None if end is None else max(end - monotonic(), 0.0)):
            return None
        message: Progress | Finished[Any] | Failed = pipe.recv()
        return message

    def _death(self, memory_limit: int | None) -> Failed:
        code = self._end()
        how = "" if code is None else f" (signal {-code})" if code < 0 else f" (exit code {code})"
        limit = "there is" if memory_limit is None else f"the {memory_limit // _MEGA:,} MB it may use"
        return Failed(f"the process ended without a result{how}; it may need more memory than {limit}")

    def _end(self, *, now: bool = False) -> int | None:
        """Forget the process, once it has ended; its exit code."""
        with self._lock:
            process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is None or pipe is None:
            return None
        pipe.close()
        if not now:
            process.join(_PATIENCE)
        process.kill()
        process.join()
        return process.exitcode


def _spawn() -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    if os.name == "posix":
        # Started by the first process otherwise, it would unblock Ctrl-C again.
        from multiprocessing.resource_tracker import ensure_running

        ensure_running()
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), name="facewright worker", daemon=True)
    with not_inherited():
        process.start()
    theirs.close()
    return process, ours


def _send_stop(pipe: Connection) -> None:
    with suppress(OSError):  # it has ended already, and its last message is on its way
        pipe.send_bytes(_STOP)


# In the other process


def _serve(pipe: Connection) -> None:
    """Do what comes until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which asks this process to stop
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    use_one_thread()
    waiting: queue.SimpleQueue[tuple[bytes, threading.Event]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, waiting), daemon=True).start()
    while True:
        payload, stop = waiting.get()
        message = _outcome(payload, Task(lambda progress: _send(pipe, progress), stop))
        del payload
        _send(pipe, message)
        del message


def _listen(pipe: Connection, waiting: queue.SimpleQueue[tuple[bytes, threading.Event]]) -> None:
    """Queue work, and note requests to stop the newest. The process ends with its parent."""
    stop = threading.Event()
    try:
        while True:
            if pipe.recv_bytes() == _STOP:
                stop.set()
            else:
                stop = threading.Event()
                waiting.put((pipe.recv_bytes(), stop))
    except (EOFError, OSError):
        os._exit(0)


def _outcome(payload: bytes, task: Task) -> Finished[Any] | Failed:
    limit = None
    try:
        work, args, limit = pickle.loads(payload)  # noqa: S301  (it comes from the parent)
        if limit is not None:
            _limit_memory(limit)
        return Finished(work(task, *args))
    except MemoryError as problem:
        words = str(problem) or "there is not enough memory for this"
        more = "" if limit is None else f"; it may use {limit // _MEGA:,} MB"
        return Failed(words + more, None, failure(problem).details)
    except Exception as problem:
        return portable(failure(problem))


def _send(pipe: Connection, message: Progress | Finished[Any] | Failed) -> None:
    try:
        pipe.send(message)
    except OSError:  # the parent is gone
        os._exit(0)
    except Exception as problem:  # the result cannot be pickled
        pipe.send(portable(failure(problem)))


def _limit_memory(size: int) -> None:
    """Let this process take so many bytes more than it has now, where the platform can limit that."""
    try:
        import resource
    except ImportError:  # Windows
        return
    try:
        with open("/proc/self/statm") as pages:
            used = int(pages.read().split()[0]) * resource.getpagesize()
    except OSError:  # not Linux
        used = 0
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = used + size if hard == resource.RLIM_INFINITY else min(used + size, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
