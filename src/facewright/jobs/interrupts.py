"""Ctrl-C as a request to stop soon with what there is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EXIT = 130  # the exit code that a shell expects of a program stopped by Ctrl-C


@contextmanager
def interruptions(pressed: Callable[[], None] = lambda: None) -> Iterator[list[int]]:
    """A list that is empty until Ctrl-C is pressed. Pressed a second time, it raises KeyboardInterrupt.

    pressed: called in the signal handler at the first press, so it must not take a lock.
    """
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
