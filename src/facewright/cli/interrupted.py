"""Ctrl-C as a wish to stop soon, with what there is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

EXIT = 130  # what a shell expects of a program that Ctrl-C stopped


@contextmanager
def interruptions() -> Iterator[list[int]]:
    """What Ctrl-C is gathered in; pressed twice, it ends the program as ever."""
    pressed: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # only there are signals heard
        yield pressed
        return

    def gather(number: int, _: object) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    before = signal.signal(signal.SIGINT, gather)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
