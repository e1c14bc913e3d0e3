"""Jobs for the one thread that works on the session, in order; of a stream only the newest waits."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Job:
    """Something to do. A job of the same stream right behind it takes its place."""

    run: Callable[[], None]
    stream: Hashable | None = None


class Mailbox:
    """Put from any thread, taken by one."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, job: Job) -> bool:
        """Whether the job waits behind the others; False where it took the place of the last, or the box is closed."""
        with self._changed:
            if self._closed:
                return False
            if job.stream is not None and self._jobs and self._jobs[-1].stream == job.stream:
                self._jobs[-1] = job
                return False
            self._jobs.append(job)
            self._changed.notify()
            return True

    def take(self) -> Job | None:
        """The next job, waiting for one; None once the box is closed and empty."""
        with self._changed:
            while not self._jobs and not self._closed:
                self._changed.wait()
            return self._jobs.popleft() if self._jobs else None

    def close(self) -> None:
        """No more jobs; those that wait are still done."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def __len__(self) -> int:
        return len(self._jobs)
