"""Ctrl-C as a request to stop soon with what there is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

EXIT = 130  # the exit code that a shell expects of a program stopped by Ctrl-C


class Stoppable(Protocol):
    """What work is given by its job, as far as it counts here."""

    @property
    def stopped(self) -> bool:
        """Whether to end soon with what there is."""


class TaskStops(list[int]):
    """Like the list of signals, for work that its job asks to stop."""

    def __init__(self, task: Stoppable) -> None:
        self._task = task

    def __bool__(self) -> bool:
        return self._task.stopped


_task: ContextVar[Stoppable | None] = ContextVar("task", default=None)


@contextmanager
def stopping_with(task: Stoppable) -> Iterator[None]:
    """Let requests to stop a task take the place of Ctrl-C."""
    before = _task.set(task)
    try:
        yield
    finally:
        _task.reset(before)


@contextmanager
def interruptions(pressed: Callable[[], None] = lambda: None) -> Iterator[list[int]]:
    """A list that is empty until Ctrl-C is pressed. Pressed a second time, it raises KeyboardInterrupt.

    pressed: called in the signal handler at the first press, so it must not take a lock.
    """
    task = _task.get()
    if task is not None:
        yield TaskStops(task)
        return
    signals: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # Python calls signal handlers only there
        yield signals
        return

    def gather(number: int, _: object) -> None:
        if signals:
            raise KeyboardInterrupt
        signals.append(number)
        pressed()

    before = signal.signal(signal.SIGINT, gather)
    try:
        yield signals
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def not_inherited() -> Iterator[None]:
    """Block Ctrl-C in this thread, so that a process started meanwhile never receives it, not even while it imports."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def signals_later() -> Iterator[None]:
    """Let signals that end the program wait until the end of the block.

    Their handlers raise errors. Raised while a process is started, they would leave a process that nobody knows.
    """
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # Python calls signal handlers only there
        yield
        return
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handled = {number: handler for number in numbers if callable(handler := signal.getsignal(number))}
    for number in handled:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        for number in received:
            signal.raise_signal(number)
