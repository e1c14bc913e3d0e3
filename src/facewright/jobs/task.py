"""What work is given by the job that runs it: a way to report progress, and whether it is to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic

from facewright.jobs.messages import Progress


class Killed(BaseException):
    """Raised by Task.report in work that was killed; it ends the work's thread."""


class Task:
    """Made by a job, used by its work."""

    def __init__(self, send: Callable[[Progress], None], stop: threading.Event) -> None:
        self._send, self._stop, self._start = send, stop, monotonic()

    def report(self, progress: Progress) -> None:
        """Send how far the work is; the speed is filled in where it is 0."""
        speed = progress.speed or progress.done / max(monotonic() - self._start, 1e-6)
        self._send(replace(progress, speed=speed))

    @property
    def stopped(self) -> bool:
        """Whether to end soon with what there is."""
        return self._stop.is_set()

    def wait_for_stop(self, seconds: float | None = None) -> bool:
        """Wait so long, or until the work is to stop; returns whether it is."""
        return self._stop.wait(seconds)


class StopRequest:
    """Whether a job was asked to stop. It can be forwarded to another process, also when it was made earlier."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self._lock = threading.Lock()
        self._forward: Callable[[], None] | None = None

    def make(self) -> None:
        """Ask, once."""
        with self._lock:
            if self.event.is_set():
                return
            self.event.set()
            if self._forward is not None:
                self._forward()

    @contextmanager
    def forwarded(self, send: Callable[[], None]) -> Iterator[None]:
        """Call `send` once the request is made, or now if it has been."""
        with self._lock:
            self._forward = send
            if self.event.is_set():
                send()
        try:
            yield
        finally:
            with self._lock:
                self._forward = None
