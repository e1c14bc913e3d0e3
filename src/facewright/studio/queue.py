"""Work for the one thread that changes the values, in order; of a stream only the newest waits."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Entry:
    """Something to do. An entry of the same stream right behind it takes its place."""

    run: Callable[[], None]
    stream: Hashable | None = None
    publishes: bool = False  # it tells pages itself what changed


class WorkQueue:
    """Put from any thread, taken by one."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, entry: Entry) -> bool:
        """Whether the entry waits behind the others; False where it replaced the last, or the queue is closed."""
        with self._changed:
            if self._closed:
                return False
            if entry.stream is not None and self._entries and self._entries[-1].stream == entry.stream:
                self._entries[-1] = entry
                return False
            self._entries.append(entry)
            self._changed.notify()
            return True

    def post(self, run: Callable[[], None], newest: Hashable | None = None) -> None:
        """Run something later."""
        self.put(Entry(run, newest))

    def take(self) -> Entry | None:
        """The next entry, waiting for one; None once the queue is closed and empty."""
        with self._changed:
            while not self._entries and not self._closed:
                self._changed.wait()
            return self._entries.popleft() if self._entries else None

    def close(self) -> None:
        """Take no more entries; those that wait are still done."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def __len__(self) -> int:
        return len(self._entries)
