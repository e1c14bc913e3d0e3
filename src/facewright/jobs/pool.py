"""A number of processes for many pieces of work. Ctrl-C stops those at work, which end with what they have."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from facewright.jobs.interrupts import interruptions
from facewright.jobs.messages import Failed, Finished, Progress
from facewright.jobs.process import WorkerProcess
from facewright.jobs.task import StopRequest, Task

# Seconds. A signal that reaches another thread, or this one just before it waits, ends no wait; its handler runs after.
_LOOKS = 0.5
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class NotBegun:
    """The pool was stopped before the work's turn came."""


class Pool:
    """Processes until the end of a `with`, during which the first Ctrl-C is a request to stop."""

    def __init__(self, workers: int) -> None:
        self._processes = [WorkerProcess() for _ in range(workers)]
        # A SimpleQueue can be put to in a signal handler. None: stop.
        self._heard: queue.SimpleQueue[tuple[int, Any] | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._until_exit = ExitStack()

    def __enter__(self) -> Self:
        self._until_exit.enter_context(interruptions(lambda: self._heard.put(None)))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for process in self._processes:
            process.kill()
        self._until_exit.close()

    def stop(self) -> None:
        """Let those at work end with what they have, and begin nothing more."""
        self._heard.put(None)

    def run(
        self, work: Callable[[Task, T], R], items: Sequence[T]
    ) -> Iterator[tuple[T, Finished[R] | Failed | NotBegun]]:
        """What comes of `work(task, item)` for each of the items, in the order in which they end."""
        stops = [StopRequest() for _ in items]
        waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        for index in range(len(items)):
            waiting.put(index)

        def serve(process: WorkerProcess) -> None:
            while True:
                try:
                    index = waiting.get_nowait()
                except queue.Empty:
                    process.close()
                    return
                if self._stopped.is_set():
                    self._heard.put((index, NotBegun()))
                else:
                    self._heard.put((index, process.run(work, (items[index],), _ignore, stops[index])))

        for process in self._processes[: len(items)]:
            threading.Thread(target=serve, args=(process,), name="pool", daemon=True).start()
        ended = 0
        while ended < len(items):
            try:
                heard = self._heard.get(timeout=_LOOKS)
            except queue.Empty:
                continue
            if heard is None:
                self._stopped.set()
                for stop in stops:
                    stop.make()
                continue
            ended += 1
            yield items[heard[0]], heard[1]


def _ignore(progress: Progress) -> None:
    pass
