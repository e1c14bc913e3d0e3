"""Processes that solve takes. Ctrl-C is heard by the one who started them, and told to them."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from types import TracebackType
from typing import Self

from facewright.cli.take_job import Job, Outcome, run

_stopped: Event | None = None  # in a worker: set once it is to end


class Workers:
    """A pool of them, until the end of a `with`."""

    def __init__(self, count: int) -> None:
        context = multiprocessing.get_context("spawn")
        with _held_back():
            self._stop = context.Event()
            self._pool = ProcessPoolExecutor(count, mp_context=context, initializer=_told, initargs=(self._stop,))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def begin(self, jobs: Sequence[Job]) -> list[Future[Outcome]]:
        """What will become of each of the jobs."""
        with _held_back():  # processes are started here
            return [self._pool.submit(_work, job) for job in jobs]

    def stop(self) -> None:
        """Let those at work end with what they have."""
        self._stop.set()


def not_begun(job: Job) -> Outcome:
    """Of a job that was stopped before its turn."""
    return Outcome(job.take.name, 0, 0.0, "not begun", finished=False)


def _told(stop: Event) -> None:
    global _stopped
    _stopped = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it could not be held back


def _work(job: Job) -> Outcome:
    assert _stopped is not None
    return not_begun(job) if _stopped.is_set() else run(job, stopped=_stopped.is_set)


@contextmanager
def _held_back() -> Iterator[None]:
    """Processes that are started meanwhile never hear Ctrl-C, not even while they import; we do, afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
