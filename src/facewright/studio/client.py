"""One connected page: messages that wait to be sent to it, and how many of its own wait to be carried out."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

_WAITING = 64  # messages of a page that may wait to be carried out; then its socket is not read
_UNSENT = 2000  # messages that may wait to be sent; then the page is given up and has to come back
_UNSENT_BYTES = 64 << 20  # of those besides the largest, which may be a whole face
_MANY, _MANY_BYTES = 100, 4 << 20  # beyond either only the newest message of each kind is kept


@dataclass(frozen=True)
class Outgoing:
    """Text or a binary frame."""

    data: bytes
    is_frame: bool = False
    is_pose: bool = False  # replaced by the next one if it has not been sent
    kind: str = ""  # of several that wait for a page that reads slowly only the newest is sent; "": all are


class Client:
    """Everything here happens in the server's own thread."""

    def __init__(self, on_lost: Callable[[], object] = lambda: None) -> None:
        self.room = asyncio.Semaphore(_WAITING)
        self._on_lost = on_lost
        self._unsent: deque[Outgoing] = deque()
        self._bytes = 0
        self._ready = asyncio.Event()
        self.is_lost = False

    def __len__(self) -> int:
        """How many messages wait to be sent."""
        return len(self._unsent)

    @property
    def unsent_bytes(self) -> int:
        return self._bytes

    def send(self, message: Outgoing) -> None:
        """To be sent after all others; a pose that follows an unsent pose takes its place."""
        if self.is_lost:
            return
        if message.is_pose and self._unsent and self._unsent[-1].is_pose:
            self._bytes -= len(self._unsent.pop().data)
        self._unsent.append(message)
        self._bytes += len(message.data)
        if len(self._unsent) > _MANY or self._bytes > _MANY_BYTES:
            self._thin_out()
        self._ready.set()

    async def next(self) -> Outgoing | None:
        """What to send next, waiting for it; None once the page reads too slowly to be kept."""
        while not self._unsent and not self.is_lost:
            self._ready.clear()
            await self._ready.wait()
        if self.is_lost:
            return None
        message = self._unsent.popleft()
        self._bytes -= len(message.data)
        return message

    def _thin_out(self) -> None:
        """Keep the newest message of each kind. Where that is too much still, give the page up."""
        kinds: set[str] = set()
        kept: deque[Outgoing] = deque()
        for message in reversed(self._unsent):
            if message.kind not in kinds:
                kept.appendleft(message)
            kinds |= {message.kind} - {""}
        self._unsent, self._bytes = kept, sum(len(message.data) for message in kept)
        largest = max(len(message.data) for message in kept)
        if len(kept) > _UNSENT or self._bytes - largest > _UNSENT_BYTES:
            self.is_lost, self._bytes = True, 0
            self._unsent.clear()
            self._on_lost()
