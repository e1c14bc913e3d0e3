"""One connected page: messages that wait to be sent to it, and how many of its own wait to be carried out."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

_WAITING = 64  # messages of a page that may wait to be carried out; then its socket is not read
_UNSENT = 2000  # messages that may wait to be sent; then the page is given up and has to come back
_UNSENT_BYTES = 256 << 20


@dataclass(frozen=True)
class Outgoing:
    """Text or a binary frame."""

    data: bytes
    is_frame: bool = False
    is_pose: bool = False  # replaced by the next one if it has not been sent


class Client:
    """Everything here happens in the server's own thread."""

    def __init__(self) -> None:
        self.room = asyncio.Semaphore(_WAITING)
        self._unsent: deque[Outgoing] = deque()
        self._bytes = 0
        self._ready = asyncio.Event()
        self.is_lost = False

    def __len__(self) -> int:
        """How many messages wait to be sent."""
        return len(self._unsent)

    def send(self, message: Outgoing) -> None:
        """To be sent after all others; a pose that follows an unsent pose takes its place."""
        if message.is_pose and self._unsent and self._unsent[-1].is_pose:
            self._bytes -= len(self._unsent.pop().data)
        self._unsent.append(message)
        self._bytes += len(message.data)
        self.is_lost = self.is_lost or len(self._unsent) > _UNSENT or self._bytes > _UNSENT_BYTES
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
