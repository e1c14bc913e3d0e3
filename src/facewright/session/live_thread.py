"""A listener in a thread of its own: the newest frame, the frames of a recording, and how the senders are."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

from facewright.live.frame import LiveFrame
from facewright.live.listen import listen
from facewright.live.source import SourceStatus

_SHORTEST = 1 / 120  # seconds between two faces that are shown; a face that comes sooner waits, and the newest wins
# Seconds between two looks at the senders: pages paint anew what has changed, and a face that comes meanwhile waits.
_LOOKED = 1.0
_SOON = 0.25  # while a take is counted, or a sender is new
_MOST_GREETED = 64  # senders; more are listed at the next look
_RECENT = 900  # frames that are kept for a calibration
_MOST = 1_000_000  # frames of a recording: more than four hours at 60 a second


class LiveThread:
    """Listens from its making to `close`. `wake` is called in this thread, at most once until `take` was called."""

    def __init__(
        self, kind: str, port: int | None, host: str, phone: str, wake: Callable[[], None], look: Callable[[], None]
    ) -> None:
        self._wake, self._look = wake, look
        self._lock = threading.Lock()
        self._newest: LiveFrame | None = None
        self._woken, self._next = False, 0.0
        self._recent: deque[LiveFrame] = deque(maxlen=_RECENT)
        self._recorded: list[LiveFrame] | None = None
        self._from = 0.0  # when the recording begins
        self.source = ""  # whose frames count; "": of whoever is heard first
        self.sources: tuple[SourceStatus, ...] = ()
        self._heard: set[str] = set()
        self._looks_soon_until = 0.0  # by the steady clock
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.new_event_loop()
        self._listener = listen(kind, port=port, host=host, phone=phone)
        self._listener.on_frame = self._hear
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(opened,), name="live", daemon=True)
        self._thread.start()
        opened.result()  # raises where it cannot be listened

    @property
    def address(self) -> tuple[str, int]:
        return self._listener.host, self._listener.port

    @property
    def bad(self) -> tuple[int, str]:
        """How many packets were dropped, and what was wrong with the last one."""
        return self._listener.receiver.bad, self._listener.receiver.last_problem

    def take(self) -> LiveFrame | None:
        """The newest frame, once."""
        with self._lock:
            frame, self._newest, self._woken = self._newest, None, False
            return frame

    def recent(self, since: float = 0.0) -> list[LiveFrame]:
        """The last frames, those that came after a time of the steady clock."""
        with self._lock:
            return [frame for frame in self._recent if frame.arrived > since]

    def record(self, begins: float) -> None:
        """Keep all frames from a time of the steady clock on."""
        with self._lock:
            self._recorded, self._from = [], begins
        self._loop.call_soon_threadsafe(self._tick)

    def recorded(self) -> int:
        """How many frames are kept."""
        return len(self._recorded or ())

    def finish(self) -> list[LiveFrame]:
        """The frames that were kept; no more are."""
        with self._lock:
            found, self._recorded = self._recorded or [], None
            return found

    def close(self) -> None:
        """Stop listening, and wait until the socket is closed."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self, opened: Future[None]) -> None:
        try:
            self._loop.run_until_complete(self._listener.open())
        except Exception as problem:
            self._loop.close()
            opened.set_exception(problem)
            return
        opened.set_result(None)
        self._tick()
        self._loop.run_forever()
        self._loop.run_until_complete(self._end())
        self._loop.close()

    async def _end(self) -> None:
        """Close the socket and what is connected to it."""
        self._listener.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)  # transports close in the next turn

    def _tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.sources = self._listener.sources()
        self._look()
        is_soon = self._recorded is not None or time.monotonic() < self._looks_soon_until
        self._timer = self._loop.call_later(_SOON if is_soon else _LOOKED, self._tick)

    def _greet(self, source: str) -> None:
        """Look at once at a sender that is new, and again as soon as its rate is known."""
        if len(self._heard) >= _MOST_GREETED:
            return
        self._heard.add(source)
        self._looks_soon_until = time.monotonic() + _LOOKED
        self._loop.call_soon(self._tick)

    def _hear(self, frame: LiveFrame) -> None:
        if frame.source not in self._heard:
            self._greet(frame.source)
        with self._lock:
            self.source = self.source or frame.source
            if frame.source != self.source:
                return
            self._newest = frame
            self._recent.append(frame)
            if self._recorded is not None and frame.arrived >= self._from and len(self._recorded) < _MOST:
                self._recorded.append(frame)
            if self._woken:
                return
            self._woken = True
        now = time.monotonic()
        wait = self._next - now
        self._next = max(now, self._next) + _SHORTEST
        if wait > 0:
            self._loop.call_later(wait, self._wake)
        else:
            self._wake()
